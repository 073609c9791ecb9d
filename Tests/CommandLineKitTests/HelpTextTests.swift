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

  private func help(_ words: [String], width: Int = 80) throws -> String {
    guard case .help(let text) = try kettle.parse(["help"] + words, width: width) else {
      return ""
    }
    return text
  }
}
