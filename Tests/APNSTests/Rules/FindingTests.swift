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
      (
        #""title":"A""#,
        #"Write "alert": {"title": …}, or move it next to aps if it is the app's own."#
      ),
      (
        #""critical":1"#,
        #"Write "sound": {"critical": …}, or move it next to aps if it is the app's own."#
      ),
      (#""orderNumber":1"#, "Move it next to aps if it is the app's own."),
      (#""interruption-level":"Critical""#, "Did you mean critical?"),
      (#""interruption-level":"loud""#, "Use passive, active, time-sensitive or critical."),
    ])
  func advice(member: String, fix: String) {
    let problems = Case(text: "{\"aps\":{\"alert\":\"A\",\(member)}}", places: []).problems
    #expect(problems.map(\.fix) == [fix])
  }

  private static let spaceFix =
    "Write an ordinary space: web pages and word processors insert such characters."

  /// Messages of other services, and what they are told to be.
  static let messages = [
    (
      #"{"default":"A","APNS_SANDBOX":"{\"aps\":{\"alert\":\"A\"}}"}"#, "Amazon SNS", "APNS_SANDBOX"
    ),
    (#"{"APNS":"{}"}"#, "Amazon SNS", "APNS"),
    (#"{"apns":{"headers":{},"payload":{"aps":{"alert":"A"}}}}"#, "Firebase", "apns.payload"),
    (#"{"message":{"apns":{"payload":{"aps":{}}}}}"#, "Firebase", "message.apns.payload"),
    (#"{"registration_ids":["A"],"data":{}}"#, "Firebase", "aps"),
    (#"{"to":"ExponentPushToken[A]","title":"B"}"#, "Expo", "aps"),
    (#"{"app_id":"A","contents":{"en":"B"}}"#, "OneSignal", "aps"),
    (#"{"headers":{},"payload":{"aps":{"alert":"A"}}}"#, "headers beside it", "payload"),
  ]

  @Test("A message of another service is named, and the part to send", arguments: messages)
  func service(_ row: (text: String, name: String, part: String)) throws {
    for type in ["", "alert"] {
      let problem = try #require(Case(type: type, text: row.text, places: []).problems.first)
      #expect(problem.message.contains(row.name), "\(problem.message)")
      #expect(problem.fix.contains(row.part), "\(problem.fix)")
    }
  }

  @Test(
    "An expiration before 2001 was meant as a length of time",
    arguments: [
      ("86400", "1970-01-02", "24 hours", "1d"), ("3600", "1970-01-01", "60 minutes", "1h"),
      ("90", "1970-01-01", "90 seconds", "90s"), ("604800", "1970-01-08", "7 days", "1w"),
    ])
  func length(_ row: (text: String, date: String, words: String, length: String)) throws {
    let draft = Draft.sample(fields: [DraftField(.expiration, row.text)])
    let problem = try #require(
      RuleTable.problems(in: draft, RuleContext(now: RuleSample.now)).first)
    #expect(problem.message.contains(row.date) && problem.severity == .warning)
    #expect(problem.fix == "For \(row.words) from now write \(row.length).")
  }

  @Test("A time that cannot be read is told what is wrong with it")
  func time() throws {
    let draft = Draft.sample(fields: [DraftField(.expiration, "2030-13-01 12:00:00+00")])
    let problem = try #require(
      RuleTable.problems(in: draft, RuleContext(now: RuleSample.now)).first)
    #expect(problem.message.contains("its month is 13, not 1 to 12"))
  }

  @Test(
    "A UUID in another form is given in the usual one",
    arguments: [
      "123e4567e89b42d3a456426614174000", "{123E4567-E89B-42D3-A456-426614174000}",
      "urn:uuid:123e4567-e89b-42d3-a456-426614174000",
    ])
  func identifier(_ text: String) throws {
    let draft = Draft.sample(fields: [DraftField(.id, text)])
    let problem = try #require(
      RuleTable.problems(in: draft, RuleContext(now: RuleSample.now)).first)
    #expect(problem.fix == "Use 123e4567-e89b-42d3-a456-426614174000, in the usual form.")
  }

  /// A payload, and what to do to the first thing that is wrong with it.
  static let hints: [(type: String, text: String, fix: String)] = [
    (
      "alert", #"{"notification":{"title":"A"}}"#,
      #"Write {"aps": {"alert": {"title": …, "body": …}}}."#
    ),
    (
      "", #"{"message":{"token":"A","notification":{"title":"B"}}}"#,
      #"Write {"aps": {"alert": {"title": …, "body": …}}}."#
    ),
    (
      "alert", #"{"message":{"apns":{"payload":{"aps":{"badge":1}}}}}"#,
      "Send only its message.apns.payload."
    ),
    ("", #"{"APS":{"badge":1}}"#, #"Rename "APS" to "aps"; keys are case-sensitive."#),
    ("alert", #"{"Aps":{"badge":1}}"#, #"Rename "Aps" to "aps"; keys are case-sensitive."#),
    (
      "", #"{"aps":{"title":"A","body":"B"}}"#,
      #"Write "aps": {"alert": {"title": …, "body": …}}."#
    ),
    ("alert", #"{"aps":{"title":"A"}}"#, #"Write "aps": {"alert": {"title": …}}."#),
    (
      "", #"{"alert":"A","badge":1}"#,
      #"Write {"aps": {"alert": …, "badge": …}}; APNs looks only inside aps."#
    ),
    ("alert", "{}", #"Add "aps" with Apple's keys."#),
    ("alert", #"{"aps":{"badge":"3"}}"#, "Write the number itself, without quotes around it."),
    (
      "alert", #"{"aps":{"badge":"+1"}}"#,
      "APNs cannot count: work out the number, and write it without quotes."
    ),
    (
      "alert", #"{"aps":{"badge":"Increment"}}"#,
      "APNs cannot count: work out the number, and write it without quotes."
    ),
    ("alert", #"{"aps":{"alert":"A","category":3}}"#, "Write text, in quotes."),
    (
      "alert", #"{"aps":{"alert":{"loc-key":"A","loc-args":"[\"B\"]"}}}"#,
      "Write the array itself, without quotes around it."
    ),
    (
      "alert", #"{"aps":{"alert":{"loc-key":"A","loc-args":"B"}}}"#,
      #"Write an array of texts, such as ["Ada", "3"]."#
    ),
    (
      "liveactivity",
      #"{"aps":{"event":"update","timestamp":1700000000,"content-state":"{\"a\":1}"}}"#,
      "Write the object itself, without quotes around it."
    ),
    (
      "alert", #"{"aps":"{\"badge\":1}"}"#, "Write the object itself, without quotes around it."
    ),
    ("alert", #""{\"aps\":{}}""#, "Write the object itself, without quotes around it."),
    ("alert", "{\u{A0}\"aps\":{}}", spaceFix), ("alert", "{\"aps\":{}}\u{200B}", spaceFix),
    ("alert", "{\0\"\0", "Save the file as UTF-8."),
    (
      "alert", #"{"aps":{"alert":"A"},"sound":"bell.caf"}"#,
      #"Write "aps": {"sound": …}, or give the app's own key another name."#
    ),
    (
      "alert", #"{"aps":{"alert":"A","sound":{"critical":true,"name":"default"}}}"#,
      "Write 1: true is not a number."
    ),
    (
      "alert", #"{"aps":{"alert":"A","sound":"/System/bell.caf"}}"#, #"Use "bell.caf"."#
    ),
    (
      "liveactivity", #"{"aps":{"event":"end","timestamp":{{now}}}}"#,
      #"Write "{{now}}"; alone in quotes, a placeholder takes the type of its value."#
    ),
    (
      "alert", "{\r\n\"aps\":{\r\n\"alert\":\"\u{1F35E}\",\"badge\":{{n | number}}}}",
      #"Write "{{n | number}}"; alone in quotes, a placeholder takes the type of its value."#
    ),
    (
      "liveactivity", #"{"aps":{"event":"end","timestamp":"2023-11-14T22:13:20Z"}}"#,
      "Write 1700000000, which is that time in seconds since 1970."
    ),
    (
      "liveactivity", #"{"aps":{"event":"end","timestamp":"1700000000"}}"#, "Remove the quotes."
    ),
    (
      "liveactivity", #"{"aps":{"event":"end","timestamp":"now"}}"#,
      #"Write seconds since 1970, or "{{now}}" for the time of sending."#
    ),
    (
      "liveactivity", #"{"aps":{"event":"end","timestamp":1700000000,"stale-date":721696400}}"#,
      "Write 1700003600: this is counted from 2001, as Foundation's Date does."
    ),
    (
      "liveactivity", #"{"aps":{"event":"end","timestamp":1700000000,"dismissal-date":3600}}"#,
      #"Write "{{now+3600s}}": a date, not a duration."#
    ),
    (
      "liveactivity",
      #"{"aps":{"event":"update","timestamp":1690000000,"content-state":{}}}"#, #"Use "{{now}}"."#
    ),
  ]

  @Test("What was probably meant is told", arguments: hints)
  func hint(_ row: (type: String, text: String, fix: String)) {
    let problem = Case(type: row.type, text: row.text, places: []).problems.first
    #expect(problem?.fix == row.fix, "\(problem?.message ?? "")")
  }

  @Test(
    "A timestamp that is far off is told as a date",
    arguments: [
      (1_699_990_000, "timestamp is 2023-11-14T19:26:40Z, 2 hours ago;"),
      (1_690_000_000, "timestamp is 2023-07-22T04:26:40Z, 115 days ago;"),
      (1_700_003_601, "timestamp is 2023-11-14T23:13:21Z, 60 minutes ahead; a device drops"),
      (1_700_028_801, "timestamp is 2023-11-15T06:13:21Z, 8 hours ahead; a device may drop it"),
      (1_700_028_800, "timestamp is 2023-11-15T06:13:20Z, 8 hours ahead; a device drops"),
    ])
  func farOff(timestamp: Int, message: String) {
    let text = #"{"aps":{"event":"update","timestamp":\#(timestamp),"content-state":{}}}"#
    let problems = Case(type: "liveactivity", text: text, places: []).problems
    #expect(problems.map(\.rule) == ["activity-timestamp"])
    #expect(problems.first?.message.hasPrefix(message) == true, "\(problems.map(\.message))")
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
