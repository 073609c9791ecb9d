import APNS
import CommandLineKit
import Delivery
import JSONText
import PushModel
import Reporting
import Runs
import Scenarios
import Settings
import Testing

@testable import FanfareCLI

@Suite("A choice of fields")
struct FieldChoiceTests {
  static let object: JSON = [
    "run": 7, "accepted": 1, "push": ["outcome": "accepted", "apnsID": "a", "reason": nil],
  ]

  static let choices: [(words: [String], line: String)] = [
    (
      ["--json"],
      #"{"run":7,"accepted":1,"push":{"outcome":"accepted","apnsID":"a","reason":null}}"#
    ),
    (["--json=run"], #"{"run":7}"#),
    (["--json=outcome,apnsID"], #"{"outcome":"accepted","apnsID":"a"}"#),
    (["--json=accepted, run,reason"], #"{"accepted":1,"run":7,"reason":null}"#),
    (["--json=unread,run,run"], #"{"unread":null,"run":7}"#),
  ]

  @Test("is printed in its order, with null for what is not there", arguments: choices)
  func line(_ row: (words: [String], line: String)) throws {
    let fields = try #require(try SendCommand.parse(row.words).options.json?.value)
    #expect(String(decoding: fields.line(Self.object), as: UTF8.self) == row.line + "\n")
  }

  static let unknown: [(words: [String], name: String, near: String?)] = [
    (["--json=outcom"], "outcom", "outcome"), (["--json=run,apnsid"], "apnsid", "apnsID"),
    (["--json=xyzzyxyzzy"], "xyzzyxyzzy", nil), (["--dry-run", "--json=status"], "status", nil),
  ]

  @Test("of an unknown field says which there are, before anything is sent", arguments: unknown)
  func refused(_ row: (words: [String], name: String, near: String?)) throws {
    let options = try SendCommand.parse(row.words).options
    let failure = #expect(throws: Failure.self) {
      try options.refuseUnknownFields(Outputs.summary, context())
    }
    #expect(failure?.exitCode == .usage)
    #expect(failure?.sentence == "--json: unknown field '\(row.name)'.")
    let fields = row.words.count > 1 ? "method, url" : "run, environment"
    let near = row.near.map { "Did you mean '\($0)'? " } ?? ""
    #expect(
      failure?.fix.hasPrefix("\(near)The fields are: \(fields)") == true, "\(failure?.fix ?? "")")
  }

  static let listed: [(words: [String], unknown: String?)] = [
    (["--json=user_id,outcome"], nil), (["--template", "{{user_id}} {{token}}"], nil),
    (["--json=userid"], "--json: unknown field 'userid'."),
    (["--template", "{{userid}}"], "--template: unknown field 'userid'."),
    (["--dry-run", "--json=user_id"], "--json: unknown field 'user_id'."),
  ]

  @Test("may have the columns of --columns", arguments: listed)
  func columns(_ row: (words: [String], unknown: String?)) throws {
    let options = try SendCommand.parse(row.words + ["--columns", "user_id"]).options
    let failure: Failure?
    do throws(Failure) {
      try options.refuseUnknownFields(Outputs.summary, context())
      failure = nil
    } catch { failure = error }
    #expect(failure?.sentence == row.unknown)
    let isNear = failure?.fix.contains("user_id") ?? true
    #expect(isNear != options.dryRun.isOn, "\(failure?.fix ?? "")")
  }

  @Test("has the scenario and the step of a push in 'run' only")
  func steps() throws {
    var options = Settings()
    options.template = Setting("{{scenario}} {{step}}", .setting("--template"))
    try options.refuseUnknownFields(Outputs.step, isOfStep: true, context())
    expectFailure("--template: unknown field 'scenario'.") {
      try options.refuseUnknownFields(Outputs.summary, context())
    }
  }

  static let misplaced: [(words: [String], message: String)] = [
    (
      ["send", "--json", "outcome,apnsID"],
      """
      Unexpected argument 'outcome,apnsID'. A value of '--json' follows '=': \
      '--json=outcome,apnsID'.
      See 'fanfare send --help'.
      """
    ),
    (
      // It can be pasted as it stands.
      ["send", "--again", "6b1f0c52-93a7-4e1d-8d2c-000000000001"],
      """
      Unexpected argument '6b1f0c52-93a7-4e1d-8d2c-000000000001'. A value of '--again' follows '=': \
      '--again=6b1f0c52-93a7-4e1d-8d2c-000000000001'.
      See 'fanfare send --help'.
      """
    ),
    (
      ["completions"],
      "Missing argument SHELL. Allowed: bash, zsh, fish.\nSee 'fanfare completions --help'."
    ),
    (
      ["send", "--json", "-q", "x"],
      "Unexpected argument 'x'.\nSee 'fanfare send --help'."
    ),
    (
      ["send", "--json=a,,b"],
      """
      '--json' needs names of fields with commas between, such as outcome,apnsID, not 'a,,b'.
      See 'fanfare send --help'.
      """
    ),
    (["check", "--json=errors"], "'--json' does not take a value.\nSee 'fanfare check --help'."),
  ]

  @Test("that is no value of --json is told how to be one", arguments: misplaced)
  func told(_ row: (words: [String], message: String)) {
    let error = #expect(throws: UsageError.self) { try fanfareTool().parse(row.words) }
    #expect(error?.message == row.message)
  }
}

@Suite("--template")
struct TemplateOptionTests {
  @Test("prints the fields of results, and what a terminal would obey as its number")
  func printing() throws {
    let template = "{{token}} {{status}} {{reason|default(\"-\")}} {{list}}:{{line}}\\n"
    var settings = Settings()
    settings.template = Setting(template, .setting("--template"))
    let line = try #require(try settings.lineTemplate(context()))
    let batch = results(
      [(.accepted, .good), (.rejected, .dead), (.notAttempted, nil)], list: "a\u{1b}[2J\n")
    let id = report(batch).apnsID
    let encoder = RecordFormat.lines(line)
    for result in batch {
      encoder.encode(ResultLine(result: result, apnsID: id(result.push)), ResultLine.fields())
    }
    let list = #"a\u{1b}[2J\u{a}"#
    #expect(
      String(decoding: encoder.drained(), as: UTF8.self) == """
        0a1b2c3d4e5f10 200 - \(list):1
        0a1b2c3d4e5f11 410 Unregistered \(list):3
        0a1b2c3d4e5f12  - \(list):5

        """)
    #expect(encoder.drained().isEmpty)
  }

  static let refused: [(words: [String], sentence: String)] = [
    (["--template", "{{tokn}}"], "--template: unknown field 'tokn'."),
    (["--template", "{{token"], "--template: The placeholder \"{{token\" is not closed."),
    (["--template", "{{status|number}}"], "--template: 'number' has no effect in a line of text."),
    (
      ["--template", "{{token}}", "--dry-run"],
      "'--template' and '--dry-run' cannot be used together."
    ),
    (
      ["--template", "{{token}}", "--results", "-"],
      "'--template' and '--results -' cannot be used together."
    ),
  ]

  @Test("is refused before anything is sent", arguments: refused)
  func refuses(_ row: (words: [String], sentence: String)) throws {
    let options = try SendCommand.parse(row.words).options
    let failure = #expect(throws: Failure.self) {
      try options.refuseUnknownFields(Outputs.summary, context())
    }
    #expect(failure?.exitCode == .usage && failure?.sentence == row.sentence)
  }
}
