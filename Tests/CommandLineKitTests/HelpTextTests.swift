import CommandLineKit
import TestSupport
import Testing

@Suite("Help")
struct HelpTextTests {
  @Test(
    "the texts are as recorded",
    arguments: [
      ([], "help-kettle.txt"), (["brew"], "help-brew.txt"), (["recipes"], "help-recipes.txt"),
      (["check"], "help-check.txt"),
    ])
  func recorded(_ row: ([String], String)) throws {
    try expectSnapshot(help(row.0), row.1)
  }

  @Test("a narrow terminal gets narrow help")
  func narrow() throws {
    try expectSnapshot(help(["brew"], width: 50), "help-brew-narrow.txt")
  }

  @Test("lines keep to the width", arguments: [50, 60, 80, 120])
  func width(_ width: Int) throws {
    let text = try help([], width: width)
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= width })
  }

  @Test("short help has usage, arguments and first options, and says where the rest is")
  func brief() throws {
    var tool = kettle
    tool.firstOptions = ["brew": ["leaf", "quiet"]]
    for (words, name) in [
      (["brew"], "help-brew-short.txt"), (["recipes"], "help-recipes-short.txt"),
    ] {
      guard case .help(let text, isWhole: false) = try tool.parse(words + ["-h"]) else {
        Issue.record("\(words) gave no short help")
        continue
      }
      try expectSnapshot(text, name)
    }
    guard case .help(let whole, isWhole: true) = try tool.parse(["brew", "-h", "--help"]) else {
      Issue.record("no help")
      return
    }
    #expect(whole.contains("--temperature"))
  }

  @Test("a command line is broken before its options, and its quoted text never")
  func lines() {
    let example = Example(
      "kettle brew --guest 'Ann -q and Bob' --leaf green -t 80 mine.txt | cat", "Brew.")
    #expect(example.lines(to: 80) == [example.line])
    #expect(
      example.lines(to: 37) == [
        "kettle brew \\", "  --guest 'Ann -q and Bob' \\", "  --leaf green -t 80 mine.txt | cat",
      ])
    let joined = example.lines(to: 20).map { $0.replacing(" \\", with: "") }
    #expect(joined.joined().split(separator: " ") == example.line.split(separator: " "))
  }

  private func help(_ words: [String], width: Int = 80) throws -> String {
    guard case .help(let text, _) = try kettle.parse(["help"] + words, width: width) else {
      return ""
    }
    return text
  }
}
