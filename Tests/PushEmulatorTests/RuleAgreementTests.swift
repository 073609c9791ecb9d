import APNS
import Testing

@testable import PushEmulator

/// What the rules refuse with a reason, the emulator refuses with the same reason.
@Suite("Rules and emulator agree")
struct RuleAgreementTests {
  static let good = RequestSample()
  static let large = #"{"aps":{},"x":"\#(String(repeating: "x", count: 4096))"}"#

  /// For each rule that has a reason, requests that break it and no rule before it.
  static let samples: [String: [(RequestSample, Authentication)]] = [
    "header-twice": [(good.repeating("apns-priority"), .token)],
    "topic-missing": [
      (good.with("apns-topic", nil), .token), (good.with("apns-topic", ""), .token),
    ],
    "topic-form": [(good.with("apns-topic", "com example"), .token)],
    "topic-suffix-missing": [
      (good.with("apns-push-type", "controls"), .token),
      (good.with("apns-push-type", "voip"), .token),
    ],
    "topic-suffix-twice": [
      (
        good.with("apns-push-type", "liveactivity").with(
          "apns-topic", "com.example.shop.push-type.liveactivity.push-type.liveactivity"), .token
      )
    ],
    "topic-of-other-type": [
      (good.with("apns-topic", "com.example.shop.push-type.widgets"), .token)
    ],
    "push-type-unknown": [(good.with("apns-push-type", "alarm"), .token)],
    "authentication-for-type": [
      (good.with("apns-push-type", "mdm").with("apns-topic", "com.apple.mgmt.External.1"), .token),
      (
        good.with("apns-push-type", "location")
          .with("apns-topic", "com.example.shop.location-query"), .certificate
      ),
    ],
    "apns-id-form": [(good.with("apns-id", "123e4567e89b42d3a456426614174000"), .token)],
    "expiration-form": [(good.with("apns-expiration", "-1"), .token)],
    "priority-form": [(good.with("apns-priority", "high"), .token)],
    "priority-for-type": [(good.with("apns-push-type", "background"), .token)],
    "collapse-id-form": [
      (good.with("apns-collapse-id", String(repeating: "é", count: 33)), .token),
      (good.with("apns-collapse-id", ""), .token),
    ],
    "payload-missing": [(good.with(body: ""), .token)],
    "payload-size": [(good.with(body: large), .token)],
  ]

  @Test("on every rule", arguments: RuleTable.all.filter { $0.reason != nil }.map(\.identifier))
  func agree(_ identifier: String) throws {
    let rule = try #require(RuleTable.rule(identifier))
    for (sample, authentication) in try #require(Self.samples[identifier], "no sample") {
      let draft = Draft(
        received: sample.fields.map { (name: $0.0, value: $0.1) }, body: Array(sample.body.utf8))
      let context = RuleContext(now: 0, authentication: authentication)
      #expect(!rule.problems(in: draft, context).isEmpty, "the sample breaks the rule")
      var check = RequestCheck(authentication: authentication)
      #expect(check.inspect(sample.request).fault?.refusal.reason == rule.reason)
    }
  }

  @Test("on pushes that break no rule with a reason", arguments: PushType.table.map(\.type))
  func agreeOnGoodPushes(_ type: PushType) throws {
    let info = try #require(type.info)
    let authentication = try #require(info.authentication.first)
    let sample = Self.good.with("apns-push-type", type.rawValue)
      .with("apns-topic", "com.example.shop" + info.suffix)
      .with("apns-priority", info.defaultPriority.description)
    var check = RequestCheck(authentication: authentication)
    #expect(check.inspect(sample.request).fault == nil)
  }
}
