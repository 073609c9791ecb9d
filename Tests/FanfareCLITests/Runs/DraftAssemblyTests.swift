import APNS
import CommandLineKit
import JSONText
import Reporting
import Runs
import Settings
import TestSupport
import Testing

@testable import FanfareCLI

@Suite("A draft")
struct DraftAssemblyTests {
  static let topics: [(type: String, topic: String)] = [
    ("alert", "com.example.app"), ("background", "com.example.app"),
    ("voip", "com.example.app.voip"), ("complication", "com.example.app.complication"),
    ("liveactivity", "com.example.app.push-type.liveactivity"),
    ("fileprovider", "com.example.app.pushkit.fileprovider"),
    ("location", "com.example.app.location-query"),
    ("pushtotalk", "com.example.app.voip-ptt"),
    ("widgets", "com.example.app.push-type.widgets"),
    ("controls", "com.example.app.push-type.controls"),
  ]

  @Test("gets the suffix of its type behind the bundle id", arguments: topics)
  func suffix(_ row: (type: String, topic: String)) throws {
    let draft = try draft("--type", row.type, "--bundle-id", "com.example.app", "--title", "Hi")
    #expect(draft.topic == row.topic)
  }

  @Test("takes a topic as it is")
  func topic() throws {
    #expect(
      try draft("--type", "voip", "--topic", "com.example.app", "--title", "Hi").topic
        == "com.example.app")
  }

  @Test("of an MDM push wants the certificate's topic, and says why a bundle ID is none")
  func mdm() throws {
    do {
      _ = try draft("--type", "mdm", "--bundle-id", "com.example.app", "--set", "mdm=magic")
      Issue.record("a bundle ID was taken")
    } catch let failure as Failure {
      #expect(failure.sentence.contains("'--topic TOPIC' is required"))
      #expect(failure.sentence.contains("com.apple.mgmt"))
    }
  }

  static let payloads: [(payload: String, type: String?, priority: String)] = [
    (#"{"aps": {"alert": "Hi"}}"#, "alert", "10"), (#"{"aps": {"badge": 1}}"#, "alert", "10"),
    (#"{"aps": {"content-available": 1}}"#, "background", "5"),
    (#"{"aps": {"event": "update", "timestamp": 1}}"#, "liveactivity", "10"),
    (#"{"container-identifier": "x", "domain": "y"}"#, "fileprovider", "10"),
    (#"{"aps": {}}"#, nil, "10"), (#"{"aps": {"content-available": 1, "x": 1}}"#, nil, "10"),
  ]

  @Test("has the type that its payload tells, and says that it was inferred", arguments: payloads)
  func inference(_ row: (payload: String, type: String?, priority: String)) throws {
    try withFile("payload.json", row.payload) { path in
      var assembly = try assembly(["--payload", path, "--bundle-id", "com.example.app"])
      let draft = try assembly.draft()
      #expect(draft.pushType == row.type)
      #expect(assembly.inferredType?.rawValue == row.type)
      #expect(draft.priority == row.priority)
    }
  }

  @Test("to a Wallet pass is empty, and goes in the background")
  func pass() throws {
    for option in ["--topic", "--bundle-id"] {
      try withFile("pass.json", "{}") { path in
        var assembly = try assembly(["--payload", path, option, "pass.com.example.shop"])
        let draft = try assembly.draft()
        #expect(draft.topic == "pass.com.example.shop")
        #expect(draft.sent == "{}")
        #expect(assembly.inferredType == .background)
        #expect(RuleTable.problems(in: draft, RuleContext(now: presentSecond)).isEmpty)
      }
    }
  }

  @Test("of a said type infers none")
  func saidType() throws {
    var assembly = try assembly(["--title", "Hi", "--type", "voip", "--topic", "a.b"])
    #expect(try assembly.draft().pushType == "voip")
    #expect(assembly.inferredType == nil)
  }

  @Test("expires so long after now as was said, by the clock that was given")
  func expiration() throws {
    let draft = try draft("--title", "Hi", "--expiration", "1h")
    #expect(draft.expiration == String(presentSecond + 3600))
    #expect(try self.draft("--title", "Hi").expiration == nil)
  }

  @Test("has the options' words in place of the file's, and all else as it was")
  func overridesFile() throws {
    let text = #"{"aps": {"alert": {"title": "Old", "body": "Kept"}, "badge": 1}, "id": 7}"#
    let sent = try withFile("payload.json", text) {
      try draft("--payload", $0, "--title", "New", "--badge", "2", "--data", "id=8").sent
    }
    #expect(sent == #"{"aps":{"alert":{"title":"New","body":"Kept"},"badge":2},"id":8}"#)
  }

  @Test("loses the key that is for the simulator only")
  func simulatorKey() throws {
    let text = #"{"Simulator Target Bundle": "com.example.app", "aps": {"alert": "Hi"}}"#
    let sent = try withFile("push.apns", text) { try draft("--payload", $0).sent }
    #expect(sent == #"{"aps":{"alert":"Hi"}}"#)
  }

  @Test("has the options' words in place of a scenario's")
  func overridesScenario() throws {
    let options = ["--bundle-id", "com.example.other", "--priority", "5", "--title", "New"]
    var assembly = try assembly(options, scenario: try Self.scenario())
    let draft = try assembly.draft()
    #expect(draft.topic == "com.example.other")
    #expect(draft.priority == "5")
    #expect(draft.collapseID == "order")
    #expect(draft.sent == #"{"aps":{"alert":{"title":"New"}}}"#)
    #expect(draft.fields.filter { $0.name == "apns-priority" }.count == 1)
  }

  @Test("without options is the scenario's")
  func scenarioAlone() throws {
    let variables = [EnvironmentVariable.bundleID.rawValue: "com.example.variable"]
    var assembly = try assembly([], scenario: try Self.scenario(), variables)
    let draft = try assembly.draft()
    #expect(draft.topic == "com.example.scenario")
    #expect(draft.priority == "1")
    #expect(draft.expiration == String(presentSecond + 120))
  }

  @Test("takes the bundle id from a variable when nobody else says one")
  func variable() throws {
    let variables = [EnvironmentVariable.bundleID.rawValue: "com.example.variable"]
    var assembly = try assembly(["--title", "Hi"], variables)
    #expect(try assembly.draft().topic == "com.example.variable")
  }

  private func draft(_ words: String...) throws -> Draft {
    var assembly = try assembly(words)
    return try assembly.draft()
  }

  private func assembly(
    _ words: [String], scenario: Scenario? = nil, _ variables: [String: String] = [:]
  ) throws -> DraftAssembly {
    try draftAssembly(SendCommand.parse(words).options, scenario, context(variables))
  }

  private static func scenario() throws -> Scenario {
    let text = """
      {bundleID: "com.example.scenario", notification: {priority: 1, expiration: "2m",
      collapseID: "order", payload: {aps: {alert: {title: "Old"}}}}}
      """
    return try ScenarioReader(file: "s.json5") { _ in nil }.read(Array(text.utf8))
  }
}

extension Draft {
  /// The payload's bytes as text.
  fileprivate var sent: String { String(decoding: payload?.bytes ?? [], as: UTF8.self) }
}
