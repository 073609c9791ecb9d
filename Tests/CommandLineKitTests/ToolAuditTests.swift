import Testing

@testable import CommandLineKit

@Suite("The audit of a tool's tables")
struct ToolAuditTests {
  @Test("a good tool has no findings")
  func good() { #expect(ToolAudit.flaws(in: kettle.description) == []) }

  private static let rows:
    [(parameters: [Parameter<Bad>], subject: String, rule: ToolAudit.Requirement)] =
      [
        (
          [.flag("one", \.flag, help: "One."), .flag("one", \.flag, help: "Two.")], "",
          .duplicateName
        ),
        (
          [
            .flag("one", \.flag, short: "x", help: "A."),
            .flag("two", \.flag, short: "x", help: "A."),
          ],
          "", .duplicateName
        ),
        ([.flag("two", \.flag, short: "h", help: "Take help's short name.")], "", .duplicateName),
        (
          [.toggle("it", \.flag, help: "A."), .flag("no-it", \.flag, help: "B.")], "",
          .duplicateName
        ),
        ([.flag("Big", \.flag, help: "A capital.")], "--Big", .badName),
        ([.flag("x", \.flag, help: "Too short.")], "--x", .badName),
        ([.flag("xé", \.flag, help: "Not ASCII.")], "--xé", .badName),
        ([.flag("one", \.flag, short: "-", help: "A dash.")], "--one", .badName),
        ([.flag("one", \.flag, help: "no capital.")], "--one", .notASentence),
        ([.flag("one", \.flag, help: "No full stop")], "--one", .notASentence),
        ([.flag("one", \.flag, help: "")], "--one", .notASentence),
        (
          [.flag("one", \.flag, help: String(repeating: "Long ", count: 16) + ".")], "--one",
          .tooLong
        ),
        ([.option("one", \.text, help: "A.", completion: .choices)], "--one", .badChoices),
        ([.option("one", \.spaced, help: "A.")], "--one", .badChoices),
        ([.option("one", \.text, help: "A.", completion: .words(["a b"]))], "--one", .badChoices),
        ([.flag("one", \.flag, sets: false, help: "Never on.")], "--one", .contradictoryDefault),
        ([.option("one", \.level, help: "A.", isRequired: true)], "--one", .contradictoryDefault),
        ([.option("one", \.stray, help: "A.")], "--one", .contradictoryDefault),
        (
          [.arguments("all", \.texts, help: "A."), .arguments("last", \.text, help: "B.")], "",
          .unreachable
        ),
        ([], "", .emptyGroup),
      ]

  @Test("each fault is found, and nothing else", arguments: rows.indices)
  func bad(_ index: Int) {
    let row = Self.rows[index]
    let tool = describe(Bad.describe(row.parameters))
    #expect(
      ToolAudit.flaws(in: tool).map {
        Found(command: $0.command, subject: $0.subject, rule: $0.rule)
      }
        == [Found(command: "pot bad", subject: row.subject, rule: row.rule)])
  }

  @Test("faults of commands are found")
  func commands() {
    var double = kettle.description
    double.root.subcommands.append(double.root.subcommands[0])
    #expect(ToolAudit.flaws(in: double).map(\.rule) == [.duplicateCommand])
    var helpful = kettle.description
    helpful.root.subcommands[0].path = ["kettle", "help"]
    helpful.root.subcommands[0].examples = []
    #expect(ToolAudit.flaws(in: helpful).map(\.rule).first == .duplicateCommand)
    var foreign = kettle.description
    foreign.root.subcommands[0].examples = [Example("kettle brews", "Is another.")]
    #expect(ToolAudit.flaws(in: foreign).map(\.rule) == [.foreignExample])
    var crowded = kettle.description
    crowded.root.subcommands[1].groups = crowded.root.subcommands[0].groups
    #expect(ToolAudit.flaws(in: crowded).map(\.rule) == [.parametersBesideSubcommands])
  }

  private struct Found: Equatable {
    var command: String
    var subject: String
    var rule: ToolAudit.Requirement
  }

  private func describe(_ command: CommandDescription) -> ToolDescription {
    var tool = Tool("pot", "Hold tea.", version: "1", commands: []).description
    tool.root.subcommands = [command]
    return tool
  }
}

private enum Spaced: String, ArgumentValue, CaseIterable { case one = "with space" }

private struct Stray: ArgumentValue {
  init(argument word: String) {}
  init() {}
  var argumentText: String { "c" }
  static var choices: [String] { ["a", "b"] }
}

private struct Bad: Command {
  static let info = CommandInfo("bad", "Go wrong.")

  var flag = false
  var text: String?
  var texts: [String] = []
  var level = 3
  var spaced: Spaced?
  var stray = Stray()

  /// The command as data, as if these were its parameters.
  static func describe(_ parameters: [Parameter<Self>]) -> CommandDescription {
    var description = describe(at: ["pot", "bad"])
    description.groups.insert(OptionGroup("What", parameters).described(in: Self()), at: 0)
    return description
  }
}
