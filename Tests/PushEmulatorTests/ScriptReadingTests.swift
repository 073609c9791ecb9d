import APNS
import HTTP2
import PushEmulator
import Testing

@Suite("Reading a script")
struct ScriptReadingTests {
  private func read(_ text: String) throws(BrokenRules) -> FaultScript {
    try FaultScript(Array(text.utf8), file: "day.json5")
  }

  static let actions: [(text: String, EmulatorAnswer)] = [
    ("answer: {}", .accept),
    ("answer: {status: 200}", .accept),
    ("answer: {reason: 'Shutdown'}", .reject(.shutdown)),
    (
      "answer: {status: 410, reason: 'Unregistered', timestamp: 1700000000000}",
      .reject(.unregistered, timestamp: 1_700_000_000_000)
    ),
    ("answer: {status: 520}", .custom(CustomAnswer(status: Status(rawValue: 520)))),
    (
      "answer: {status: 502, body: '<p>é', contentType: 'text/html'}",
      .custom(
        CustomAnswer(
          status: Status(rawValue: 502),
          body: .bytes(Array("<p>é".utf8), contentType: "text/html")))
    ),
    ("answer: {bodyHex: '00fF'}", .custom(CustomAnswer(body: .bytes([0, 255])))),
    (
      "answer: {bodySize: 3}", .custom(CustomAnswer(body: .bytes(Array("xxx".utf8))))
    ),
    ("answer: {apnsID: 'missing'}", .custom(CustomAnswer(apnsID: .missing))),
    ("answer: {apnsID: 'twice'}", .custom(CustomAnswer(apnsID: .twice))),
    ("answer: {apnsID: 'upperCase'}", .custom(CustomAnswer(apnsID: .upperCase))),
    ("answer: {apnsID: 'x-1'}", .custom(CustomAnswer(apnsID: .other("x-1")))),
    (
      "answer: {fields: {'x-a': ['1', '2']}, trailers: {'x-b': '3'}, interim: [103, 100]}",
      .custom(
        CustomAnswer(
          fields: [Field("x-a", "1"), Field("x-a", "2")], interim: [103, 100],
          trailers: [Field("x-b", "3")]))
    ),
    ("answer: {frames: 5}", .custom(CustomAnswer(pace: .frames(of: 5)))),
    (
      "answer: {trickle: {bytes: 1, every: '50ms'}}",
      .custom(CustomAnswer(pace: .trickle(bytes: 1, milliseconds: 50)))
    ),
    ("answer: {stall: 9}", .custom(CustomAnswer(pace: .stall(after: 9)))),
    (
      "answer: {afterwards: {reset: 'NO_ERROR'}}",
      .custom(CustomAnswer(aftermath: .reset(code: 0)))
    ),
    (
      "answer: {afterwards: {drop: 'fin', afterBytes: 20}}",
      .custom(CustomAnswer(aftermath: .drop(.fin, afterBytes: 20)))
    ),
    (
      "answer: {afterwards: {freeze: true}}",
      .custom(CustomAnswer(aftermath: .freeze(milliseconds: nil)))
    ),
    ("reset: 'REFUSED_STREAM'", .reset(code: 7)),
    ("reset: 99", .reset(code: 99)),
    ("drop: 'closeNotifyOnly'", .drop(.closeNotifyOnly)),
    ("swallow: true", .swallow),
    ("goAway: {}", .goAway(ConnectionEnd(), then: .accept)),
    (
      "goAway: {lastStream: 'half', code: 'ENHANCE_YOUR_CALM', reason: 'Shutdown'}",
      .goAway(
        ConnectionEnd(lastStream: .half, errorCode: 11, reason: .shutdown), then: .accept)
    ),
    (
      "goAway: {lastStream: 0, debugData: '<p>', notice: '1s', staysOpen: true}, swallow: true",
      .goAway(
        ConnectionEnd(
          lastStream: .exactly(0), debugData: Array("<p>".utf8), noticeMilliseconds: 1000,
          staysOpen: true), then: .swallow)
    ),
    ("delay: '2m'", .delay(milliseconds: 120_000, then: .accept)),
    ("freeze: '200ms'", .freeze(milliseconds: 200, then: .accept)),
    ("freeze: true", .freeze(milliseconds: nil, then: .accept)),
    (
      "announce: {maxConcurrentStreams: 1, initialWindowSize: 0, windowIncrement: 9}",
      .announce(
        Announcement(maxConcurrentStreams: 1, initialWindowSize: 0, windowIncrement: 9),
        then: .accept)
    ),
    (
      "processed: true, reset: 'CANCEL', delay: '1s'",
      .delay(milliseconds: 1000, then: .processed(then: .reset(code: 8)))
    ),
  ]

  @Test("knows every action", arguments: actions)
  func readsActions(_ row: (text: String, answer: EmulatorAnswer)) throws {
    let script = try read("{rules: [{\(row.text), times: 2}]}")
    #expect(script.rules == [FaultRule(PushCondition(), row.answer, times: 2)])
  }

  @Test("knows every condition")
  func readsConditions() throws {
    let script = try read(
      """
      {rules: [{when: {token: "AB", tokenPrefix: "A", nth: 1, every: 2, from: 3, to: 4,
        probability: 0.5, attempt: 5, connection: 6, stream: 7, topic: "t", pushType: "voip",
        priority: 10}, swallow: true}]}
      """)
    var condition = PushCondition()
    (condition.token, condition.tokenPrefix) = ("ab", "a")
    (condition.nth, condition.every, condition.from, condition.to) = (1, 2, 3, 4)
    (condition.probability, condition.attempt) = (0.5, 5)
    (condition.connection, condition.stream) = (6, 7)
    (condition.topic, condition.pushType, condition.priority) = ("t", "voip", "10")
    #expect(script.rules.map(\.condition) == [condition])
  }

  @Test("knows what connections do on their own account")
  func readsRest() throws {
    let script = try read(
      """
      {seed: 7, settings: [
        {at: "start", maxConcurrentStreams: 1}, {at: "firstToken", after: "2s", windowIncrement: 5},
        {at: {requests: 3}, initialWindowSize: 0}, {at: {errors: 4}, maxConcurrentStreams: 2}],
       errorBudget: {slowsAt: 20, slowLimit: 2, endsAt: 60, goAway: {code: 11},
         costs: {BadDeviceToken: 10, BadTopic: 0}},
       tokenRate: {count: 5, per: "1m"},
       connections: {limit: 2, acknowledgesPings: false, refillsWindows: false, padding: 9,
         roundTrip: "80ms", bandwidth: "1Mbit/s", stalls: {every: "10s", length: "3s"}}}
      """)
    #expect(
      script.settings == [
        SettingsChange(at: .start, Announcement(maxConcurrentStreams: 1)),
        SettingsChange(at: .firstToken, after: 2000, Announcement(windowIncrement: 5)),
        SettingsChange(at: .requests(3), Announcement(initialWindowSize: 0)),
        SettingsChange(at: .errors(4), Announcement(maxConcurrentStreams: 2)),
      ])
    #expect(
      script.errorBudget
        == ErrorBudget(
          costs: [.badDeviceToken: 10, .badTopic: 0], slowsAt: 20, slowLimit: 2, endsAt: 60,
          end: ConnectionEnd(errorCode: 11)))
    #expect(script.tokenRateLimit == TokenRateLimit(count: 5, milliseconds: 60_000))
    #expect(script.seed == 7 && script.connectionLimit == 2 && script.rules.isEmpty)
    let options = script.serverOptions
    #expect(!options.acknowledgesPings && !options.refillsWindows && options.padding == 9)
    let stalls = Distance.Stalls(everyMilliseconds: 10_000, milliseconds: 3000)
    #expect(
      script.distance
        == Distance(roundTripMilliseconds: 80, bitsPerSecond: 1_000_000, stalls: stalls))
  }

  @Test("sets an emulator up, and leaves alone what it does not speak of")
  func applies() throws {
    var configuration = EmulatorConfiguration()
    configuration.connectionLimit = 9
    try read("{}").apply(to: &configuration)
    #expect(configuration.answer == nil && configuration.connectionLimit == 9)
    try read("{rules: [{swallow: true}], connections: {limit: 3}}").apply(to: &configuration)
    #expect(configuration.answer != nil && configuration.connectionLimit == 3)
    #expect(configuration.scriptedDistance == nil)
    try read("{connections: {roundTrip: '1s'}}").apply(to: &configuration)
    #expect(configuration.scriptedDistance == Distance(roundTripMilliseconds: 1000))
  }

  static let mistakes: [(text: String, rule: String, place: String, says: String)] = [
    ("{", "script-syntax", "script", "Correct the text"),
    ("[]", "script-kind", "script", "an array, not an object"),
    ("{ruls: []}", "script-key", "ruls", "Did you mean 'rules'?"),
    ("{rules: {}}", "script-value", "rules", "an object, not an array"),
    (
      "{connections: {bandwidth: 1000}}", "script-value", "connections.bandwidth", "1Mbit/s"
    ),
    (
      "{connections: {stalls: {every: '1s', length: '1s'}}}", "script-value",
      "connections.stalls", "less than 'every'"
    ),
    (
      "{connections: {stalls: {every: '1s', length: '0s'}}}", "script-value",
      "connections.stalls.length", "'length' must not be zero. Write at least"
    ),
    (
      "{connections: {stalls: {every: '0s', length: '1s'}}}", "script-value",
      "connections.stalls.every", "'every' must not be zero"
    ),
    (
      "{connections: {roundTrip: '25h'}}", "script-value", "connections.roundTrip",
      "This is not a duration. Write a whole number with a unit, at most a day"
    ),
    ("{rules: [{swallow: true}, 1]}", "script-value", "rules[1]", "a number, not an object"),
    ("{rules: [{times: 2}]}", "script-value", "rules[0]", "does nothing"),
    ("{rules: [{swallow: true, times: 0}]}", "script-value", "rules[0].times", "at least 1"),
    ("{rules: [{swallow: false}]}", "script-value", "rules[0].swallow", "only be true"),
    (
      "{rules: [{swallow: true, reset: 1}]}", "script-value", "rules[0].reset",
      "'swallow' and 'reset' cannot be used together"
    ),
    ("{rules: [{when: {nht: 1}, swallow: true}]}", "script-key", "rules[0].when.nht", "'nth'?"),
    (
      "{rules: [{when: {from: 5, to: 4}, swallow: true}]}", "script-value", "rules[0].when.to",
      "at least 5"
    ),
    (
      "{rules: [{when: {probability: 2}, swallow: true}]}", "script-value",
      "rules[0].when.probability", "from 0 to 1"
    ),
    ("{rules: [{reset: 'CANCLE'}]}", "script-value", "rules[0].reset", "Did you mean 'CANCEL'?"),
    ("{rules: [{drop: 'gone'}]}", "script-value", "rules[0].drop", "rst, fin, closeNotify"),
    ("{rules: [{delay: 200}]}", "script-value", "rules[0].delay", "\"2s\""),
    ("{rules: [{delay: '25h'}]}", "script-value", "rules[0].delay", "not a duration"),
    (
      "{rules: [{goAway: {lastStream: 'everything'}}]}", "script-value",
      "rules[0].goAway.lastStream",
      "current, half, or a number"
    ),
    ("{rules: [{goAway: {reason: ''}}]}", "script-value", "rules[0].goAway.reason", "not a reason"),
    (
      "{rules: [{goAway: {reason: 'Shutdown', debugData: 'x'}}]}", "script-value",
      "rules[0].goAway.debugData", "'reason' and 'debugData' cannot be used together"
    ),
    (
      #"{rules: [{answer: {apnsID: 'a\nb'}}]}"#, "script-value", "rules[0].answer.apnsID",
      "not allowed in a header"
    ),
    (
      #"{rules: [{answer: {body: '', contentType: 'a\rb'}}]}"#, "script-value",
      "rules[0].answer.contentType", "not allowed in a header"
    ),
    ("{rules: [{answer: 1}]}", "script-value", "rules[0].answer", "not an object"),
    ("{rules: [{answer: {status: 20}}]}", "script-value", "rules[0].answer.status", "200 to 999"),
    (
      "{rules: [{answer: {reason: 'Oops'}}]}", "script-value", "rules[0].answer",
      "status is unknown"
    ),
    ("{rules: [{answer: {bodyHex: 'abc'}}]}", "script-value", "rules[0].answer.bodyHex", "two"),
    (
      "{rules: [{answer: {body: '', reason: 'BadTopic'}}]}", "script-value",
      "rules[0].answer.reason", "'body' and 'reason' cannot be used together"
    ),
    (
      "{rules: [{answer: {frames: 1, stall: 2}}]}", "script-value", "rules[0].answer.stall",
      "'frames' and 'stall' cannot be used together"
    ),
    (
      "{rules: [{answer: {fields: {'X-A': '1'}}}]}", "script-value",
      "rules[0].answer.fields.X-A", "lowercase"
    ),
    (
      "{rules: [{answer: {afterwards: {reset: 0, afterBytes: 1}}}]}", "script-key",
      "rules[0].answer.afterwards.afterBytes", "'reset' and 'afterBytes' cannot be used together"
    ),
    (
      "{rules: [{answer: {trickle: {bytes: 1}}}]}", "script-missing",
      "rules[0].answer.trickle.every", "missing"
    ),
    (
      "{rules: [{answer: {afterwards: {}}}]}", "script-missing", "rules[0].answer.afterwards",
      "This object is empty"
    ),
    ("{settings: [{}]}", "script-missing", "settings[0].at", "'at' is missing"),
    ("{settings: [{at: 'begin'}]}", "script-value", "settings[0].at", "start, firstToken, or an"),
    ("{settings: [{at: {}}]}", "script-missing", "settings[0].at", "This object is empty"),
    ("{tokenRate: {count: 1}}", "script-missing", "tokenRate.per", "'per' is missing"),
    ("{errorBudget: {slowAt: 1}}", "script-key", "errorBudget.slowAt", "'slowsAt'?"),
    ("{connections: {padding: 256}}", "script-value", "connections.padding", "from 0 to 255"),
    (
      "{connections: {refillsWindows: 0}}", "script-value", "connections.refillsWindows",
      "true or false"
    ),
  ]

  @Test("says what is wrong, and where", arguments: mistakes)
  func findsMistakes(_ row: (text: String, rule: String, place: String, says: String)) throws {
    let broken = #expect(throws: BrokenRules.self) { try read(row.text) }
    let problem = try #require(broken?.problems.first)
    #expect(broken?.problems.count == 1 && problem.rule == row.rule)
    #expect(problem.place.description == row.place)
    #expect((problem.message + " " + problem.fix).contains(row.says), "\(problem)")
    #expect(problem.file == "day.json5" && problem.line == 1 && problem.column != nil)
  }

  @Test("says everything that is wrong at once, each with its line")
  func findsAllMistakes() {
    let broken = #expect(throws: BrokenRules.self) {
      try read(
        """
        {
          seed: -1,
          rules: [
            {when: {nht: 1}, swallow: true},
            {reset: "OOPS", dalay: "1s"},
          ],
          settings: [{at: "start", after: "x"}],
        }
        """)
    }
    #expect(broken?.problems.map(\.line) == [2, 4, 5, 5, 7])
  }
}
