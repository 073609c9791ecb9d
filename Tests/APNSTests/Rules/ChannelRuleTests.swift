import APNS
import JSONText
import RuleSamples
import Testing

@Suite("The rules of pushes to channels")
struct ChannelRuleTests {
  private static func draft(
    app: String? = "com.example.shop", fields: [DraftField] = [], _ payload: JSON? = end
  ) -> Draft {
    Draft(
      fields: [DraftField(.channelID, "QUJD")] + fields,
      payload: payload.map { DraftPayload($0, bytes: $0.encoded(.wire)) },
      target: .channel(app: app.map { DraftField(Draft.appField, $0, from: .setting("--app")) }))
  }

  private static let end: JSON = ["aps": ["event": "end", "timestamp": 1_700_000_000]]
  private static let context = RuleContext(now: RuleSample.now)

  private func problems(in draft: Draft) -> [Problem] {
    RuleTable.problems(in: draft, Self.context)
  }

  @Test("ask for no topic, and rules of devices are not asked")
  func topics() {
    let problems = problems(in: Self.draft(fields: [DraftField(.collapseID, "")]))
    #expect(
      problems.map(\.rule) == [
        "channel-push-type-missing", "header-for-channel", "channel-expiration-missing",
        "channel-priority-missing",
      ])
  }

  @Test(
    "are not asked of a push to a device, one by one or together",
    arguments: RuleTable.all.filter { $0.scope == .broadcast }.map(\.identifier))
  func devices(identifier: String) throws {
    let rule = try #require(RuleTable.rule(identifier))
    let sample = RuleSample.toChannel
    #expect(rule.applies(to: sample.target) && !rule.applies(to: .device))
    let bare = Draft(target: .device)
    #expect(rule.problems(in: bare, Self.context).isEmpty)
    #expect(!RuleTable.problems(in: bare, Self.context).contains { $0.rule == identifier })
  }

  @Test("find what a push to a channel lacks")
  func nothing() {
    let problems = problems(in: Draft(target: .channel(app: nil)))
    let reasons: [Reason] = [
      .missingChannelID, .badPath, .missingPushType, .badExpirationDate, .badPriority,
      .payloadEmpty,
    ]
    #expect(problems.map(\.reason) == reasons)
  }

  @Test("say where a bundle ID was written")
  func places() throws {
    let draft = Self.draft(app: "com.example.shop.push-type.widgets").filledForChannel()
    let problem = try #require(problems(in: draft).first)
    #expect(problem.rule == "bundle-id-suffix" && problem.fix == "Use com.example.shop.")
    #expect(problem.place.description == "bundle-id" && problem.origin?.setting == "--app")
  }

  /// A bundle ID, and what to do about it.
  static let bundleIDs = [
    ("<com.example.shop>", "Use com.example.shop."),
    ("ABCDE12345.com.example.shop", "Use com.example.shop."),
    ("ABCDE12345", "Use the bundle ID as Xcode shows it, without the team ID."),
    ("com.example/shop", "Use the bundle ID as Xcode shows it."),
    ("", "Specify the app's bundle ID."),
  ]

  @Test("tell what a bundle ID should be", arguments: bundleIDs)
  func bundleID(text: String, fix: String) {
    #expect(problems(in: Self.draft(app: text).filledForChannel()).map(\.fix) == [fix])
  }

  @Test("take the push type in any case")
  func pushType() {
    var draft = Self.draft().filledForChannel()
    draft[.pushType] = DraftField(.pushType, "LiveActivity")
    #expect(draft.pushTypeInfo?.type == .liveactivity && problems(in: draft).isEmpty)
    draft.target = .device
    #expect(draft.pushTypeInfo == nil)
  }

  @Test("look at a Live Activity's payload as for a device")
  func payload() {
    let draft = Self.draft(["aps": ["event": "update"]]).filledForChannel()
    #expect(problems(in: draft).map(\.rule) == ["activity-needs", "activity-needs"])
  }

  @Test("do not advise what is refused next, nor an expiration that no channel keeps")
  func advice() {
    let late = DraftField(.expiration, "\(RuleSample.now + 9 * 3600)")
    let draft = Self.draft(fields: [late], ["aps": ["timestamp": 1_700_000_000]]).filledForChannel()
    let texts = problems(in: draft).map { "\($0.message) \($0.fix)" }
    #expect(
      texts == [
        "The expiration is 9 hours ahead; APNs stores it for 8 hours at most. Use an earlier date.",
        "A push to a Live Activity must have event. Add \"event\": \"update\" or \"end\".",
      ])
  }

  static let storages: [(ChannelStorage, String, [String])] = [
    (.known(.nothing), "0", []), (.known(.nothing), "1700003600", ["channel-storage"]),
    (.known(.latest), "1700003600", []), (.notLookedUp, "1700003600", []),
    (.unknown, "0", []), (.unknown, "1700003600", ["channel-storage-unknown"]),
    (.known(.nothing), "soon", ["expiration-form"]),
  ]

  @Test("hold the expiration to what the channel stores", arguments: storages)
  func storage(known: ChannelStorage, expiration: String, broken: [String]) {
    var context = Self.context
    context.channelStorage = known
    let draft = Self.draft(fields: [DraftField(.expiration, expiration)]).filledForChannel()
    #expect(RuleTable.problems(in: draft, context).map(\.rule) == broken)
  }

  @Test("let a row of a template have 5,120 bytes")
  func rows() throws {
    let body = #"{"aps":{"event":"update","timestamp":"{{now}}","content-state":{"a":"{{a}}"}}}"#
    var draft = RuleSample.toChannel.draft
    draft.payload = DraftPayload(reading: Array(body.utf8))
    var renderer = try #require(Template(draft, in: Self.context)).renderer()
    let constant = body.utf8.count - #""{{now}}"{{a}}"#.utf8.count + 10
    let longest = String(repeating: "a", count: 5120 - constant)
    #expect(try renderer.text(["a": .text(longest)]).utf8.count == 5120)
    let error = #expect(throws: BrokenRules.self) {
      try renderer.text(["a": .text(longest + "a")])
    }
    #expect(error?.problems.map(\.reason) == [.payloadTooLarge])
  }

  @Test("say of input-push-channel what is wrong with it")
  func inputPushChannel() throws {
    let start: JSON = [
      "aps": [
        "event": "start", "timestamp": 1_700_000_000, "content-state": [:], "attributes": [:],
        "attributes-type": "A", "alert": ["title": "A"], "input-push-channel": "QUI_",
      ]
    ]
    let draft = Draft.sample(
      topic: "com.example.shop.push-type.liveactivity", type: "liveactivity", payload: start)
    let problem = try #require(problems(in: draft).first)
    #expect(problem.message.hasPrefix("aps.input-push-channel is not base64: it must not contain"))
    #expect(problem.fix.contains("/ for _"))
  }
}
