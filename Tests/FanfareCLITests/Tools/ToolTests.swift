import CommandLineKit
import TestSupport
import Testing

@testable import FanfareCLI

@Suite("The tool")
struct ToolTests {
  static let allCommands = fanfareTool().description.commands
  static let allExamples = allCommands.flatMap(\.examples).map(\.line)

  @Test("its tables have no fault")
  func audit() { #expect(ToolAudit.flaws(in: fanfareTool().description) == []) }

  @Test("every example is a command line that it takes", arguments: allExamples)
  func example(_ line: String) throws {
    let words = line.split(separator: " ").prefix { $0 != ">" }.dropFirst().map(String.init)
    guard case .run = try fanfareTool().parse(words) else {
      Issue.record("not run")
      return
    }
  }

  @Test(
    "the help of every command is as recorded",
    arguments: allCommands.map { $0.path.dropFirst() })
  func help(_ command: ArraySlice<String>) throws {
    guard case .help(let text, _) = try fanfareTool().parse(["help"] + command) else {
      Issue.record("no help")
      return
    }
    try expectSnapshot(text, "help-\(command.joined(separator: "-")).txt")
  }

  @Test("the short help of every command fits a screen", arguments: allCommands.map(\.path))
  func shortHelp(_ path: [String]) throws {
    guard case .help(let text, isWhole: false) = try fanfareTool().parse(path.dropFirst() + ["-h"])
    else {
      Issue.record("no short help")
      return
    }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 25 && lines.allSatisfy { $0.count <= 80 }, "\(text)")
    #expect(text.contains("'\(path.joined(separator: " ")) --help' shows everything"))
  }

  @Test("short help of the tool lists its commands")
  func shortToolHelp() throws {
    guard case .help(let text, isWhole: false) = try fanfareTool().parse(["-h"]) else {
      Issue.record("no short help")
      return
    }
    try expectSnapshot(text, "help-short.txt")
  }

  @Test("the first options are options of their commands")
  func firstOptions() {
    let commands = Dictionary(
      uniqueKeysWithValues: Self.allCommands.map {
        ($0.path.dropFirst().joined(separator: " "), $0)
      })
    for (name, options) in FirstOptions.table {
      let known = Set(commands[name]?.options.map(\.name) ?? [])
      #expect(known.isSuperset(of: options), "\(name): \(Set(options).subtracting(known))")
    }
  }

  @Test("no line of any help is wider than the screen, and examples come first")
  func width() throws {
    for command in Self.allCommands where !command.examples.isEmpty {
      let text = HelpText.text(of: command)
      #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(command.line)")
      let blocks = text.split(separator: "\n\n")
      #expect(blocks.count > 2 && blocks[2].hasPrefix("Examples:\n"), "\(command.line)")
    }
  }

  @Test("what shells ask it for is a command line that it takes")
  func completions() throws {
    let completions = Self.allCommands.flatMap { $0.options + $0.arguments }.map(\.completion)
    let lines = completions.compactMap { if case .lines(let words) = $0 { words } else { nil } }
    #expect(lines.contains(["history", "list", "--numbers"]))
    for words in lines {
      guard case .run = try fanfareTool().parse(words) else {
        Issue.record("not run: \(words)")
        continue
      }
    }
  }

  @Test("the help of the tool is as recorded")
  func toolHelp() throws {
    guard case .help(let text, _) = try fanfareTool().parse(["help"]) else {
      Issue.record("no help")
      return
    }
    try expectSnapshot(text, "help.txt")
  }

  @Test("the name alone shows where to begin, on a screen of 80 columns")
  func start() throws {
    guard case .help(let text, _) = try fanfareTool().parse([]) else {
      Issue.record("nothing is shown")
      return
    }
    try expectSnapshot(text, "start.txt")
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 24 && lines.allSatisfy { $0.count <= 80 })
  }
}
