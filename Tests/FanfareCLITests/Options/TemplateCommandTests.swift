import APNS
import CommandLineKit
import JSONText
import TestSupport
import Testing

@testable import FanfareCLI
@testable import Reporting
@testable import Runs
@testable import Scenarios
@testable import Settings

@Suite("Placeholders")
struct TemplateCommandTests {
  private static let rules = RuleContext(now: presentSecond)

  private func message(
    _ words: [String], scenario: Scenario? = nil, force: Bool = false
  ) throws -> Message {
    let options = try SendCommand.parse(["--bundle-id", "a.b"] + words).options
    var assembly = try draftAssembly(options, scenario, context())
    let draft = try assembly.draft()
    return try Message(draft, variables: assembly.variables, in: Self.rules, force: force)
  }

  private func sent(_ words: [String], scenario: Scenario? = nil) throws -> String {
    String(decoding: try message(words, scenario: scenario).payload().bytes, as: UTF8.self)
  }

  static let options: [(words: [String], payload: String)] = [
    (["--body", "Hi"], #"{"aps":{"alert":"Hi"}}"#),
    (["--body", "Hi {{n}}", "--var", "n=Ada"], #"{"aps":{"alert":"Hi Ada"}}"#),
    (["--body", "{{n}}", "--var", "n=a=\"b\""], #"{"aps":{"alert":"a=\"b\""}}"#),
    (["--body", "{{n|default('you')}}", "--var", "n="], #"{"aps":{"alert":"you"}}"#),
    (["--body", "{{n|default('you')}}"], #"{"aps":{"alert":"you"}}"#),
    (["--body", "{{{{n}}"], #"{"aps":{"alert":"{{n}}"}}"#),
    (
      ["--body", "A", "--data", #"at="{{now+1m}}""#],
      #"{"at":\#(presentSecond + 60),"aps":{"alert":"A"}}"#
    ),
    (
      ["--body", "A", "--data", #"n="{{n|number}}""#, "--var", "n=7", "--var", "unused=1"],
      #"{"n":7,"aps":{"alert":"A"}}"#
    ),
  ]

  @Test("take what --var says", arguments: options)
  func variables(_ row: (words: [String], payload: String)) throws {
    let sent = try JSONReader().read(try sent(row.words))
    #expect(sent == (try JSONReader().read(row.payload)))
  }

  @Test("make a template of a message only where a row could change it")
  func content() throws {
    guard case .payload = try message(["--body", "{{now}} {{{{"]).content else {
      Issue.record("nothing in it depends on a row")
      return
    }
    guard case .template(let renderer) = try message(["--body", "{{n}}"]).content else {
      Issue.record("each row has its own text")
      return
    }
    #expect(renderer.names == ["n"])
    let fields = try message(["--body", "{{n}}", "--collapse-id", "c"]).fields
    #expect(fields.map(\.name).contains(.collapseID))
    let plain = try message(["--body", "n", "--collapse-id", "c"]).fields
    #expect(Set(fields) == Set(plain))
  }

  static let broken: [(words: [String], rules: [String])] = [
    (["--body", "Hi {{n"], ["placeholder-form"]),
    (["--body", "{{a|b}}", "--title", "{{c d}}"], ["placeholder-form", "placeholder-form"]),
    (["--body", "{{n}}", "--priority", "7"], ["priority-form"]),
    (["--body", "{{n|number}}", "--var", "n=few"], ["placeholder-value"]),
  ]

  @Test("that are wrong whatever the rows say keep a message from being made", arguments: broken)
  func refused(_ row: (words: [String], rules: [String])) throws {
    let failure = #expect(throws: Failure.self) { try message(row.words) }
    #expect(failure?.problems.map(\.rule) == row.rules)
  }

  @Test("without a value are told before anything is sent")
  func unfilled() throws {
    let message = try message(["--title", "{{n}}", "--body", "{{m}}"])
    let failure = #expect(throws: Failure.self) { try message.payload() }
    #expect(failure?.problems.map(\.rule) == ["placeholder-unfilled", "placeholder-unfilled"])
  }

  @Test("are filled by force too")
  func forced() throws {
    let words = ["--body", "{{n}}", "--priority", "7", "--var", "n=Ada"]
    let message = try message(words, force: true)
    #expect(try message.payload().bytes == Array(#"{"aps":{"alert":"Ada"}}"#.utf8))
    #expect(message.warnings.map(\.rule) == ["priority-form"])
    let failure = #expect(throws: Failure.self) {
      try self.message(["--body", "{{n"], force: true)
    }
    #expect(failure?.problems.map(\.rule) == ["placeholder-form"])
  }

  @Test("take a scenario's values with their types, and those of --var before them")
  func scenario() throws {
    let scenario = try Self.scenario(
      #"variables: {shop: "Bakery", n: 3, "a.b": [1]}"#,
      #"{aps: {alert: "{{shop}}", badge: "{{n}}"}, list: "{{a.b}}"}"#)
    #expect(
      try sent([], scenario: scenario)
        == #"{"aps":{"alert":"Bakery","badge":3},"list":[1]}"#)
    #expect(
      try sent(["--var", "shop=Florist"], scenario: scenario)
        == #"{"aps":{"alert":"Florist","badge":3},"list":[1]}"#)
  }

  @Test("of a scenario have names that a placeholder can have", arguments: ["now", "a b", ""])
  func names(_ name: String) throws {
    let error = #expect(throws: BrokenRules.self) {
      try Self.scenario(#"variables: {"\#(name)": 1}"#, "{aps: {}}")
    }
    #expect(error?.problems.map(\.rule) == ["scenario-value"])
    #expect(error?.problems.map(\.place.description) == ["variables.\(name)"])
  }

  @Test("have a name and a value on a command line", arguments: ["n", "=a", "now=1", "a b=c"])
  func words(_ word: String) {
    let form = BadValue.expected("NAME=VALUE")
    let name = BadValue.because(
      "a name is made of letters, digits, '_', '-' and dots, and is not 'now'")
    #expect(
      throws: UsageProblem.badValue(
        "--var", text: word, why: word.dropFirst().contains("=") ? name : form, choices: [],
        near: [])
    ) { try SendCommand.parse(["--body", "A", "--var", word]) }
  }

  @Test("are named once on a command line")
  func twice() {
    let twice = ["--body", "A", "--var", "n=1", "--var", "n=2"]
    #expect(
      throws: UsageProblem.badValue(
        "--var", text: "n=2", why: .because("'n' is given twice"), choices: [], near: [])
    ) { try SendCommand.parse(twice) }
  }

  @Test("tell a check what they need, and leave open what it cannot know")
  func check() throws {
    let text = """
      {"aps": {"alert": "Hi {{name}}", "badge": "{{unread}}",
       "sound": "{{sound|default('default')}}"}}
      """
    try withFile("p.json", text) { path in
      let checked = try check([path])
      #expect(checked.flatMap(\.problems).isEmpty)
      #expect(checked.map(\.variables) == [["name", "unread"]])
      #expect(checked.map(\.bytes) == [nil])
      let said = ReportText().text(
        of: CheckReport(checked: checked, errorsOnly: false).report)
      #expect(said.hasPrefix("\(path) needs the variables name and unread\n"))
      let known = try check([path, "--var", "unread=3", "--var", "name=Ada"])
      #expect(known.flatMap(\.problems).map(\.rule) == ["key-kind"])
      #expect(known.map(\.variables) == [[]])
    }
  }

  @Test("are no need of a payload that a list beside it fills")
  func filledByList() throws {
    try withTemporaryFolder { folder in
      let payload = try folder.write("p.json", #"{"aps": {"alert": "Hi {{name}}"}}"#)
      let list = try folder.write(
        "l.csv", "token,name\n\(String(repeating: "0a", count: 32)),Ada\n")
      for words in [[list, payload], [payload, list], [payload, "--tokens", list]] {
        let report = CheckReport(checked: try check(words), errorsOnly: false).report
        let said = ReportText().text(of: report)
        #expect(!said.contains("needs") && said.contains("no problems"), "\(said)")
      }
      let other = try folder.write(
        "o.csv", "token,nom\n\(String(repeating: "0a", count: 32)),Ada\n")
      #expect(try check([other, payload]).flatMap(\.problems).count == 1)
    }
  }

  private func check(_ words: [String]) throws -> [CheckedFile] {
    let check = try CheckCommand.parse(words)
    return try Check(check.files, check.options, context()).checkedFiles()
  }

  @Test("are filled for a simulator, or refused")
  func simulate() throws {
    try withTemporaryFolder { folder in
      let path = folder.file("out.apns")
      let words = ["--title", "Hi {{n}} {{now}}", "--bundle-id", "a.b", "--output", path]
      let unfilled = try SimulateCommand.parse(words)
      let failure = #expect(throws: Failure.self) { try unfilled.run(context()) }
      #expect(failure?.problems.map(\.rule) == ["placeholder-unfilled"])
      #expect(try folder.names() == [])
      let filled = try SimulateCommand.parse(words + ["--var", "n=Ada"])
      #expect(try filled.run(context()).exitCode == .success)
      #expect(try folder.text("out.apns").contains("Hi Ada \(presentSecond)"))
    }
  }

  private static func scenario(_ variables: String, _ payload: String) throws -> Scenario {
    let text = "{\(variables), notification: {type: 'alert', payload: \(payload)}}"
    return try ScenarioReader(file: "s.json5") { _ in nil }.read(Array(text.utf8))
  }
}
