import APNS
import JSONText
import Testing

@Suite("For a simulator")
struct SimulatorRulesTests {
  static let types: [(type: String?, isTaken: Bool)] =
    PushType.table.map {
      ($0.type.rawValue, [.alert, .background].contains($0.type))
    } + [("mystery", false), (nil, true)]

  @Test("a payload of an ordinary app's push type is taken, and no other", arguments: types)
  func type(_ row: (type: String?, isTaken: Bool)) {
    var draft = Self.draft(#"{"aps": {"content-available": 1}}"#)
    draft[.pushType] = row.type.map { DraftField(.pushType, $0) }
    let rules = Self.problems(draft)
    #expect(rules.contains("simulator-type") != row.isTaken)
  }

  static let payloads: [(text: String, rules: [String], paths: [String])] = [
    (#"{"aps": {}}"#, [], []), (#"{"aps": {"alert": "{ {x} }"}}"#, [], []),
    (#"{"x": 1}"#, ["aps-missing"], ["payload"]),
    (#"{"aps": {"content-changed": true}}"#, ["simulator-type"], ["aps.content-changed"]),
  ]

  @Test("a payload has aps", arguments: payloads)
  func payload(_ row: (text: String, rules: [String], paths: [String])) {
    let problems = RuleTable.problems(in: Self.draft(row.text), Self.simulator)
    #expect(problems.map(\.rule) == row.rules)
    #expect(problems.map(\.place.description) == row.paths)
    #expect(problems.allSatisfy { $0.file == "p.json" })
  }

  @Test("a start is not taken for a push to a channel")
  func start() {
    let rules = Self.problems(Self.draft(#"{"aps": {"event": "start"}}"#))
    #expect(!rules.contains("channel-start"))
  }

  @Test("a payload has at most 4,096 bytes", arguments: [4096, 4097])
  func size(_ count: Int) {
    let frame = #"{"aps":{"alert":""}}"#
    let text = #"{"aps":{"alert":"\#(String(repeating: "x", count: count - frame.count))"}}"#
    #expect(Self.problems(Self.draft(text)) == (count > 4096 ? ["payload-size"] : []))
  }

  static let targets: [(JSON?, isGood: Bool)] = [
    (nil, true), ("com.example.app", true), ("com..app", false), (7, false), ("", false),
  ]

  @Test("a target bundle is a bundle id", arguments: targets)
  func target(_ row: (target: JSON?, isGood: Bool)) {
    let draft = Self.draft(#"{"aps": {}}"#).addressed(to: row.target)
    let problems = RuleTable.simulatorProblems(in: draft, Self.simulator)
    #expect(problems.map(\.rule) == (row.isGood ? [] : ["simulator-target"]))
  }

  @Test("a file names the app first and holds the rest as it was")
  func file() throws {
    let draft = Self.draft(#"{"aps": {"alert": "Hi"}, "n": 1.50}"#)
    let id = try BundleID("com.example.app")
    let file = try SimulatorFile(draft, for: id, in: RuleContext(now: 0))
    let text = """
      {
        "Simulator Target Bundle": "com.example.app",
        "aps": {
          "alert": "Hi"
        },
        "n": 1.50
      }

      """
    #expect(String(decoding: file.bytes, as: UTF8.self) == text)
    #expect(throws: BrokenRules.self) {
      try SimulatorFile(Self.draft("[]"), for: id, in: RuleContext(now: 0))
    }
  }

  private static let simulator = RuleContext(now: 0, audience: .simulator)

  private static func draft(_ text: String) -> Draft {
    Draft(payload: DraftPayload(reading: Array(text.utf8), file: "p.json"))
  }

  private static func problems(_ draft: Draft) -> [String] {
    RuleTable.problems(in: draft, simulator).map(\.rule)
  }
}
