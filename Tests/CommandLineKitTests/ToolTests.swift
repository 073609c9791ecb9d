import CommandLineKit
import Testing

@Suite("Finding the command")
struct ToolTests {
  @Test("a command is found, at any depth, with the path that leads to it")
  func runs() throws {
    #expect(try run(["brew", "-q"]) == Run(Brew(isQuiet: true), "kettle brew"))
    #expect(
      try run(["recipes", "list", "--limit=2"])
        == Run(RecipesList(limit: 2), "kettle recipes list"))
    #expect(try run(["brew", "--", "--help"]) == Run(Brew(recipes: ["--help"]), "kettle brew"))
  }

  static let helpedRows: [(words: [String], start: String)] = [
    ([], "kettle 1.2.3\n"),
    (["--help"], "Make tea"), (["-h"], "Make tea"), (["help"], "Make tea"),
    (["help", "--help"], "Make tea"), (["--help", "brew"], "Make tea"),
    (["brew", "-h"], "Make a cup"), (["brew", "--wrong", "--help"], "Make a cup"),
    (["help", "brew"], "Make a cup"), (["recipes"], "Look into"), (["recipes", "-h"], "Look into"),
    (["help", "recipes", "list"], "List all"), (["recipes", "list", "x", "--help"], "List all"),
  ]

  @Test("help is shown wherever it is asked for", arguments: helpedRows)
  func help(_ row: (words: [String], start: String)) throws {
    guard case .help(let text, _) = try kettle.parse(row.words) else {
      Issue.record("\(row.words) gave no help")
      return
    }
    #expect(text.hasPrefix(row.start))
    #expect(text.hasSuffix("\n"))
  }

  @Test("the version is asked for alone")
  func version() throws {
    guard case .version = try kettle.parse(["--version"]) else {
      Issue.record("no version")
      return
    }
  }

  static let badRows: [(words: [String], error: UsageError)] = [
    (["brwe"], UsageError(.unknownCommand("brwe", near: ["brew"]), path: ["kettle"])),
    (["hlep"], UsageError(.unknownCommand("hlep", near: ["help"]), path: ["kettle"])),
    (["-"], UsageError(.unknownCommand("-", near: []), path: ["kettle"])),
    (["--vesion"], UsageError(.unknownOption("--vesion", near: ["--version"]), path: ["kettle"])),
    (["--version", "x"], UsageError(.unexpectedArgument("x"), path: ["kettle"])),
    (["--", "brew"], UsageError(.unknownOption("--", near: []), path: ["kettle"])),
    (["help", "brwe"], UsageError(.unknownCommand("brwe", near: ["brew"]), path: ["kettle"])),
    (
      ["help", "brew", "x"],
      UsageError(.unexpectedArgument("x"), path: ["kettle", "brew"])
    ),
    (
      ["recipes", "lst"],
      UsageError(.unknownCommand("lst", near: ["list"]), path: ["kettle", "recipes"])
    ),
    (
      ["recipes", "--limit"],
      UsageError(.unknownOption("--limit", near: []), path: ["kettle", "recipes"])
    ),
    (
      ["recipes", "list", "--limt=1"],
      UsageError(
        .unknownOption("--limt", near: ["--limit"]), path: ["kettle", "recipes", "list"])
    ),
  ]

  @Test("bad words name the command that was meant", arguments: badRows)
  func bad(_ row: (words: [String], error: UsageError)) {
    #expect(throws: row.error) { try kettle.parse(row.words) }
  }

  private struct Run<Value: Command & Equatable>: Equatable {
    var command: Value
    var path: String

    init(_ command: Value, _ path: String) {
      self.command = command
      self.path = path
    }
  }

  private func run<Value: Command & Equatable>(_ words: [String]) throws -> Run<Value> {
    guard case .run(let command, let path) = try kettle.parse(words) else {
      throw NotRun()
    }
    return Run(try #require(command as? Value), path.joined(separator: " "))
  }

  private struct NotRun: Error {}
}
