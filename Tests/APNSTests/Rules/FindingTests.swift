import APNS
import RuleSamples
import Testing

/// Where a finding points, and what it advises.
@Suite struct FindingTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var type = "alert"
    var text: String
    /// `rule path line:column`, for each problem.
    var places: [String]

    var testDescription: String { text }

    var problems: [Problem] {
      let suffix = PushType(rawValue: type)?.info?.suffix ?? ""
      let draft = Draft.sample(topic: "com.example.shop" + suffix, type: type, text: text)
      return RuleTable.problems(in: draft, RuleContext(now: RuleSample.now))
    }
  }

  static let cases = [
    Case(
      text:
        "{\"aps\": {\n  \"alert\": \"A\",\n  \"badge\": \"3\",\n  \"colour\": 1,\n  \"sound\": {\"volume\": 2}}\n}",
      places: [
        "key-kind aps.badge 3:12", "key-range aps.sound.volume 5:23", "key-unknown aps.colour 4:3",
      ]),
    Case(
      text:
        "{\n  \"aps\": {\"alert\": {\"loc-key\": \"A\", \"loc-args\": [\"B\",\n    2, null]}}\n}",
      places: ["key-kind aps.alert.loc-args[1] 3:5", "key-kind aps.alert.loc-args[2] 3:8"]),
    Case(
      text: "{\n  \"aps\": {\"alert\": \"A\"},\n  \"thread-id\": \"A\", \"apns-topic\": \"B\"\n}",
      places: ["key-misplaced thread-id 3:3", "header-in-payload apns-topic 3:21"]),
    Case(
      text: "{\"aps\": {\"badge\": 1,\n  \"badge\": 2}}",
      places: ["payload-duplicate-key payload 2:3"]),
    Case(
      type: "liveactivity",
      text: "{\n  \"aps\": {\"event\": \"update\", \"timestamp\": 1700000000000}\n}",
      places: ["activity-needs aps.content-state 2:10", "key-milliseconds aps.timestamp 2:43"]),
    Case(
      type: "fileprovider", text: "{\"content-identifier\": \"A\"}",
      places: [
        "fileprovider-container container-identifier 1:1", "fileprovider-domain domain 1:1",
      ]),
  ]

  @Test("All problems are told at once, each with its line and column", arguments: cases)
  func places(example: Case) {
    let places = example.problems.map {
      "\($0.rule) \($0.place) \($0.line ?? 0):\($0.column ?? 0)"
    }
    #expect(places == example.places)
  }

  @Test(
    "A slip of the pen is recognized",
    arguments: [
      (#""contentAvailable":1"#, "Did you mean content-available?"),
      (#""mutable_content":1"#, "Did you mean mutable-content?"),
      (#""bagde":1"#, "Did you mean badge?"),
      (#""title":"A""#, "Move it to aps.alert.title, or next to aps if it is the app's own."),
      (#""volume":1"#, "Move it to aps.sound.volume, or next to aps if it is the app's own."),
      (#""orderNumber":1"#, "Move it next to aps if it is the app's own."),
      (#""interruption-level":"Critical""#, "Did you mean critical?"),
      (#""interruption-level":"loud""#, "Use passive, active, time-sensitive or critical."),
    ])
  func advice(member: String, fix: String) {
    let problems = Case(text: "{\"aps\":{\"alert\":\"A\",\(member)}}", places: []).problems
    #expect(problems.map(\.fix) == [fix])
  }

  @Test(
    "A topic that was pasted with its decoration is given back without it",
    arguments: ["<com.example.shop>", "com.example. shop", "\"com.example.shop\""])
  func decoratedTopic(topic: String) {
    let problems = RuleTable.problems(
      in: .sample(topic: topic), RuleContext(now: RuleSample.now))
    #expect(problems.map(\.fix) == ["Use com.example.shop."])
  }

  @Test("Braces that were not filled are text like any other")
  func placeholder() {
    let problems = Case(text: #"{"aps":{"badge":"{{unread}}"}}"#, places: []).problems
    #expect(problems.map(\.message) == ["aps.badge is text, not a number."])
  }

  @Test("Where Apple's pages disagree with each other, a rule only warns")
  func disagreements() {
    let doubtful = [
      "priority-doubtful", "topic-suffix-perhaps-twice", "topic-perhaps-of-other-type",
    ]
    for identifier in doubtful { #expect(RuleTable.rule(identifier)?.severity == .warning) }
    #expect(PushType.complication.info?.suffix == ".complication")
    for type in [PushType.background, .liveactivity] {
      #expect(type.info?.doubtfulPriorities == [.powerFirst])
    }
  }
}
