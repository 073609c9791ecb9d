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

@Suite("A payload on the command line")
struct PayloadOptionTests {
  static let now = "\(presentSecond)"

  static let payloads: [(words: [String], type: String?, sent: String)] = [
    (["--payload", #"{"aps": {"alert": "Hi"}}"#], "alert", #"{"aps":{"alert":"Hi"}}"#),
    (
      ["--payload", #"{"aps": {"badge": 1}}"#, "--set", "aps.badge:=2", "--set", "own.id=x"],
      "alert", #"{"aps":{"badge":2},"own":{"id":"x"}}"#
    ),
    (
      ["--title", "B", "--set", "aps.alert.title=A", "--set", "aps.alert.subtitle=S"],
      "alert", #"{"aps":{"alert":{"title":"B","subtitle":"S"}}}"#
    ),
    (["--set", "mdm=magic"], "mdm", #"{"mdm":"magic"}"#),
    (
      ["--example", "alert/plain", "--set", "aps.alert:=", "--body", "Hi"], "alert",
      #"{"aps":{"alert":"Hi"}}"#
    ),
    (["--example", "voip/incoming-call", "--set", "aps:=", "--data", "a=1"], "voip", ""),
    (
      ["--loc-key", "KEY", "--loc-args", "a", "--loc-args", #"["b", "c"]"#], "alert",
      #"{"aps":{"alert":{"loc-key":"KEY","loc-args":["a","b","c"]}}}"#
    ),
    (
      ["--title", "Hi", "--critical=0.5"], "alert",
      #"{"aps":{"alert":{"title":"Hi"},"sound":{"critical":1,"name":"default","volume":0.5}}}"#
    ),
    (
      ["--event", "update", "--content-state", #"{"minutes": 5}"#, "--stale-date", "15m"],
      "liveactivity",
      #"{"aps":{"timestamp":\#(now),"event":"update","content-state":{"minutes":5},"#
        + #""stale-date":1700000900}}"#
    ),
    (
      ["--event", "end", "--set", "aps.timestamp:=1700000001"], "liveactivity",
      #"{"aps":{"timestamp":1700000001,"event":"end"}}"#
    ),
    (
      ["--payload", #"{"aps":{"event":"end"}}"#, "--content-state", "{}"], "liveactivity",
      #"{"aps":{"event":"end","timestamp":\#(now),"content-state":{}}}"#
    ),
    (
      ["--event", "start", "--type", "alert", "--title", "Hi"], "alert",
      #"{"aps":{"timestamp":\#(now),"event":"start","alert":{"title":"Hi"}}}"#
    ),
  ]

  @Test(
    "is changed in the order of --set, then by the options, and tells its type", arguments: payloads
  )
  func sent(_ row: (words: [String], type: String?, sent: String)) throws {
    let draft = try draft(row.words)
    #expect(draft.pushType == row.type)
    if !row.sent.isEmpty {
      #expect(String(decoding: draft.payload?.bytes ?? [], as: UTF8.self) == row.sent)
    }
  }

  @Test("takes the place of a scenario's, and changes it where only changes are given")
  func scenario() throws {
    let text = #"{notification: {payload: {aps: {alert: "Old", badge: 1}}}}"#
    let scenario = try ScenarioReader(file: "s.json5") { _ in nil }.read(Array(text.utf8))
    #expect(try draft(["--payload", #"{"own":1}"#], scenario).payload?.json == ["own": 1])
    let changed = try draft(["--set", "aps.badge:="], scenario).payload?.json
    #expect(changed == ["aps": ["alert": "Old"]])
  }

  @Test("has placeholders that are filled in as those of a file")
  func placeholders() throws {
    let words = [
      "--payload", #"{"aps": {"alert": {"title": "{{name}}"}}}"#, "--set",
      "aps.alert.body={{name}}!",
      "--set", "aps.badge:=\"{{unread|number}}\"", "--var", "name=Ada", "--var", "unread=3",
    ]
    let options = try SendCommand.parse(["--bundle-id", "a.b"] + words).options
    var assembly = try draftAssembly(options, nil, context())
    let draft = try assembly.draft()
    let message = try Message(
      draft, variables: assembly.variables, in: RuleContext(now: presentSecond), force: false)
    let sent = String(decoding: try message.payload().bytes, as: UTF8.self)
    #expect(sent == #"{"aps":{"alert":{"title":"Ada","body":"Ada!"},"badge":3}}"#)
  }

  @Test("that is not JSON is told with its place in the option")
  func broken() throws {
    let payload = try draft(["--payload", #"{"aps": {alert}}"#]).payload
    let problems = RuleTable.problems(
      in: Draft(payload: payload), RuleContext(now: presentSecond))
    let problem = try #require(problems.first { $0.rule == "payload-json" })
    #expect(problem.file == "--payload" && problem.line == 1 && problem.column != nil)
  }

  static let refused: [(words: [String], says: [String])] = [
    (
      ["--payload", #"{"aps":{"alert":"Hi"}}"#, "--set", "aps.alert.title=x"],
      ["--set aps.alert.title", "aps.alert is text, not an object"]
    ),
    (["--set", "a.0=x", "--set", "a.5=y"], ["--set a.5", "an array of 1", "'5'"]),
    (["--payload", "{}", "--example", "plain"], ["--payload", "--example"]),
    (["--payload", "p.json", "--example", "plain"], ["--payload", "--example"]),
    (["--title", "a", "--title-loc-key", "b"], ["--title", "--title-loc-key"]),
    (["--body", "a", "--loc-key", "b"], ["--body", "--loc-key"]),
    (["--content-state", "{}"], ["--content-state is for Live Activities", "--event update"]),
    (["--title", "Hi", "--attributes-type", "Ride"], ["--attributes-type", "--event start"]),
    (["--event", "update", "--content-state", "{}", "--critical"], ["--critical does not work"]),
    (
      ["--title", "Hi", "--set", "aps.badge=3"],
      ["aps.badge takes no text", "--set aps.badge:=3"]
    ),
    (["--example", "plian"], ["plian", "plain"]),
  ]

  @Test("that cannot be made is refused with the reason and exit code 2", arguments: refused)
  func refusal(_ row: (words: [String], says: [String])) throws {
    let failure = #expect(throws: Failure.self) { try draft(row.words) }
    let text = failure?.lines.joined(separator: " ") ?? ""
    #expect(failure?.exitCode == .usage)
    for part in row.says { #expect(text.contains(part), "\(text)") }
  }

  @Test("is checked like a file")
  func check() throws {
    #expect(try checked([], ["--payload", #"{"aps":{"alert":"Hi"}}"#]) == [[]])
    #expect(try checked([], ["--payload", "{"]) == [["payload-json"]])
    #expect(try checked([], ["--example", "location/empty"]) == [[]])
    #expect(try checked([], ["--set", "aps.badge:=1"]) == [[]])
  }

  static let besides: [(words: [String], rules: [[String]])] = [
    (["--payload", #"{"aps":{"badge":"x"}}"#], [[], ["key-kind"]]),
    (["--example", "plain"], [[], []]),
    (["--set", "aps.alert.title=x"], [["set"]]),
    (["--set", "aps.badge:=1"], [[]]),
  ]

  @Test(
    "is checked beside a file; a change without a place is a problem of the file",
    arguments: besides)
  func besideFile(_ row: (words: [String], rules: [[String]])) throws {
    let rules = try withFile("p.json", #"{"aps": {"alert": "Hi"}}"#) {
      try checked([$0], row.words)
    }
    #expect(rules == row.rules)
  }

  /// The rules that each file breaks, or the options.
  private func checked(_ files: [String] = [], _ words: [String]) throws -> [[String]] {
    let options = try CheckCommand.parse(words).options
    return try Check(files, options, context()).checkedFiles().map { $0.problems.map(\.rule) }
  }

  private func draft(_ words: [String], _ scenario: Scenario? = nil) throws -> Draft {
    let options = try SendCommand.parse(words + ["--topic", "com.example.app"]).options
    var assembly = try draftAssembly(options, scenario, context())
    return try assembly.draft()
  }
}
