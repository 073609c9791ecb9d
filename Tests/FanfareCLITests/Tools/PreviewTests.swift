import APNS
import CommandLineKit
import JSONText
import SendingSupport
import TestSupport
import Testing

@testable import FanfareCLI
@testable import Reporting
@testable import Tools

@Suite("A preview")
struct PreviewTests {
  private func report(_ words: [String]) throws -> Report {
    let command = try PreviewCommand.parse(words)
    return try Preview(
      scenario: command.scenario, step: command.step?.number, options: command.options,
      context: context()
    ).report()
  }

  private func text(_ words: [String]) throws -> String {
    ReportText().text(of: try report(words))
  }

  @Test("shows an alert as the lock screen does, an emoji of several being two columns wide")
  func alert() throws {
    let words = [
      "--bundle-id", "com.example.shop", "--title", "Ready 👩‍👩‍👧", "--body", "a\u{1b}b\u{202e}",
      "--interruption-level", "time-sensitive",
    ]
    let text = try text(words)
    let banner = """
      Lock screen
        │ com.example.shop\(String(repeating: " ", count: 21))now
        │ TIME SENSITIVE
        │ Ready 👩‍👩‍👧
        │ a\\u{1b}b\\u{202e}

      """
    #expect(text.hasPrefix(banner), "\(text)")
  }

  static let facts: [(words: [String], says: String)] = [
    (["--title", "Hi", "--badge", "3"], "3 on the app's icon"),
    (["--title", "Hi", "--badge", "0"], "cleared"), (["--title", "Hi"], "none"),
    (["--title", "Hi", "--sound", "bell.caf"], "bell.caf, a file of the app"),
    (["--title", "Hi", "--critical=0.5"], "at volume 0.5; critical"),
    (["--title", "Hi", "--interruption-level", "passive"], "neither lights the screen"),
    (["--title", "Hi", "--category", "ORDER"], "ORDER; the app defines its buttons"),
    (["--title", "Hi", "--thread-id", "T1"], "T1"),
    (["--loc-key", "BODY", "--loc-args", "Ada"], "│ [BODY: Ada]"),
    (["--title", "Hi", "--expiration", "0"], "tried once"),
    (["--title", "Hi", "--expiration", "1h"], "2023-11-14T23:13:20Z, in 60 minutes"),
    (["--title", "Hi", "--data", #"order={"id":7}"#], "order.id  7"),
    (["--badge", "3"], "there is no text to show"),
    (["--content-available"], "wakes the app in the background"),
    (["--payload", #"{"caller":"Ada"}"#, "--type", "voip"], "Incoming call"),
    (["--event", "end", "--content-state", "{}"], "after four hours at most"),
    (
      ["--event", "update", "--content-state", #"{"bus":{"line":7}}"#, "--stale-date", "15m"],
      "in 15 minutes"
    ),
    (["--event", "update", "--content-state", #"{"bus":{"line":7}}"#], "bus.line  7"),
    (["--title", "Hi {{name}}", "--var", "name=Ada"], "│ Hi Ada"),
  ]

  @Test("tells what goes with the notification", arguments: facts)
  func fact(_ row: (words: [String], says: String)) throws {
    let text = try text(row.words)
    #expect(text.contains(row.says), "\(text)")
  }

  static let kinds: [(words: [String], shows: String)] = [
    (["--title", "Hi"], "alert"), (["--badge", "1"], "nothing"),
    (["--content-available"], "nothing"), (["--example", "voip/incoming-call"], "call"),
    (["--example", "liveactivity/start"], "liveActivity"), (["--example", "mdm/wake"], "nothing"),
  ]

  @Test("says in JSON what is shown, and needs no bundle ID", arguments: kinds)
  func kind(_ row: (words: [String], shows: String)) throws {
    let json = try report(row.words).json
    try expectFit(json)
    #expect(json["shows"]?.string == row.shows)
    #expect((json["note"]?.string == nil) == (row.shows == "alert"))
  }

  private func expectFit(_ json: JSON) throws {
    let schema = JSONSchema(try JSONReader().read(DescribedFormat.preview.schema))
    #expect(schema.faults(in: json) == [])
  }

  @Test("is filled in from the first good row of a list, of which it shows the end of the token")
  func row() throws {
    let list = "token,name\nnot-a-token,Eve\n0a1b2c3d4e5f6071,Ada\n1a1b2c3d4e5f6071,Grace\n"
    try withFile("beta.csv", list) { path in
      let json = try report(["--title", "Hi {{name}}", "--tokens", path]).json
      #expect(json["banner"]?["title"] == "Hi Ada")
      #expect(json["row"]?.string == "\(path):3, …4e5f6071")
      expectFailure("The variable other has no value.") {
        try report(["--title", "Hi {{other}}", "--tokens", path])
      }
    }
  }

  @Test("of a file that is named has its payload, or its scenario, by what is in it")
  func named() throws {
    try withFile("p.json", #"{"aps": {"alert": "Hi"}}"#) { path in
      let json = try report([path, "--badge", "3"]).json
      #expect(json["shows"]?.string == "alert")
      let refused = [
        (["--payload", "{}"], "'--payload' and '\(path)' cannot"),
        (["--example", "plain"], "'--example' and '\(path)' cannot"),
        (["--step", "1"], "Missing argument SCENARIO."),
      ]
      for (words, says) in refused { expectFailure(says) { try report([path] + words) } }
    }
    try withFile("s.json", #"{"notification": {"payload": {"aps": {"alert": "Hi"}}}}"#) { path in
      let json = try report([path]).json
      #expect(json["steps"]?.array?.count == 1)
    }
    try withFile("p.json5", "{aps: {alert: 'Hi'}}") { path in
      let failure = #expect(throws: Failure.self) { try report([path]) }
      #expect(failure?.sentence == "\(path) is a payload, not a scenario.")
      #expect(failure?.fix.contains("--payload") ?? false)
    }
  }

  static let refusals: [(words: [String], says: String)] = [
    (["--title", "Hi {{name}}"], "The variable name has no value."),
    (["--payload", "{"], "Unexpected end of text"),
    (["--payload", #"{"caller":"Ada"}"#], "The push type is missing."),
    (
      ["--title", "Hi", "--tokens", "/nonexistent.csv"],
      "/nonexistent.csv: The list does not exist."
    ),
    (["--title", "Hi", "--step", "1"], "Missing argument SCENARIO."),
    ([], "There is nothing to send."),
    (
      ["--title", "Hi", "--tokens", "-", "--payload", "-"], "'--payload -' and '--tokens -' cannot"
    ),
  ]

  @Test("refuses what send refuses", arguments: refusals)
  func refusal(_ row: (words: [String], says: String)) {
    expectFailure(row.says) { try report(row.words) }
  }

  @Test("of a scenario has each of its steps, or the one that is wanted")
  func scenario() throws {
    let text = """
      {bundleID: "a.b", steps: [
        {name: "first", notification: {payload: {aps: {alert: "One"}}}},
        {notification: {payload: {aps: {alert: "Two"}}}},
      ]}
      """
    try withFile("two.json5", text) { path in
      let json = try report([path]).json
      try expectFit(json)
      let steps = json["steps"]?.array ?? []
      #expect(steps.map { $0["banner"]?["body"] } == [["One"], ["Two"]])
      #expect(steps.map { $0["app"]?.string } == ["a.b", "a.b"])
      #expect(try self.text([path]).contains("Step 1: first\n"))
      let second = try report([path, "--step", "2"]).json["steps"]?.array ?? []
      #expect(second.map { $0["step"] } == [2])
      expectFailure("There is no step 3 in \(path).") { try report([path, "--step", "3"]) }
    }
  }
}
