import APNS
import JSONText
import RuleSamples
import Testing

@Suite("A notification to a channel")
struct ChannelNotificationTests {
  private static let context = RuleContext(now: RuleSample.now)

  private static func draft(_ fields: DraftField...) -> Draft {
    var draft = RuleSample.toChannel.draft
    draft.fields = [DraftField(.channelID, "QUJD")] + fields
    return draft
  }

  private func lines(_ draft: Draft) throws -> [String] {
    try Notification(draft, in: Self.context).fields.map { "\($0.name): \($0.value)" }
  }

  @Test("has a channel in place of a topic, and all that APNs asks for")
  func defaults() throws {
    let notification = try Notification(Self.draft(), in: Self.context)
    #expect(
      notification.target
        == .channel(try ChannelID("QUJD"), app: try BundleID("com.example.shop")))
    #expect(notification.warnings.isEmpty)
    #expect(
      try lines(Self.draft()) == [
        "apns-channel-id: QUJD", "apns-push-type: liveactivity", "apns-priority: 10",
        "apns-expiration: 0",
      ])
  }

  @Test("sends what was said, the push type in lower case and its ID by itself")
  func everything() throws {
    let draft = Self.draft(
      DraftField("apns-new", "x"), DraftField(.pushType, "Liveactivity"),
      DraftField(.expiration, "1700003600"), DraftField(.priority, "1"),
      DraftField(.requestID, "123E4567-E89B-42D3-A456-426614174000"))
    #expect(
      try lines(draft) == [
        "apns-channel-id: QUJD", "apns-push-type: liveactivity", "apns-priority: 1",
        "apns-expiration: 1700003600", "apns-new: x",
      ])
    let notification = try Notification(draft, in: Self.context)
    #expect(notification.apnsID?.description == "123e4567-e89b-42d3-a456-426614174000")
  }

  @Test("is filled in before force sends it, and what cannot be read stays as it is")
  func filled() throws {
    let good = Self.draft(DraftField(.pushType, "LiveActivity")).filledForChannel()
    #expect(
      try good.fieldsForced(in: Self.context).map(\.value) == ["QUJD", "liveactivity", "10", "0"])
    let bad = Self.draft(
      DraftField(.pushType, "Mystery"), DraftField(.priority, "7"), DraftField(.expiration, "x"))
    #expect(bad.filledForChannel() == bad)
    #expect(Draft.sample().filledForChannel() == Draft.sample())
  }

  @Test("is sent by force as it was written, without its ID")
  func forced() throws {
    let draft = Self.draft(
      DraftField(.topic, "com.example.shop"), DraftField(.requestID, "x"), DraftField(.id, "y"))
    #expect(throws: BrokenRules.self) { try Notification(draft, in: Self.context) }
    #expect(
      try draft.fieldsForced(in: Self.context).map(\.name) == [.channelID, .topic])
  }

  @Test(
    "is not sent by force when its path cannot be", arguments: [nil, "", "a b", "a/b", "a\r\n"])
  func neverForced(app: String?) {
    var draft = Self.draft()
    draft.target = .channel(app: app.map { DraftField(Draft.appField, $0) })
    #expect(throws: BrokenRules.self) { try draft.fieldsForced(in: Self.context) }
  }

  @Test("has every header that is never left out")
  func required() throws {
    let channel = try Notification(Self.draft(), in: Self.context).fields
    let device = try Notification(.sample(), in: Self.context).fields
    for info in HeaderTable.all where ![HeaderName.id.text, "apns-request-id"].contains(info.name) {
      let required = info.requiredBy
      #expect(
        channel.contains { $0.name.text == info.name } == [.broadcast, .both].contains(required))
      #expect(device.contains { $0.name.text == info.name } == [.device, .both].contains(required))
    }
  }

  @Test("is of a Live Activity, whatever its payload")
  func inference() {
    let target = RuleSample.toChannel.target
    #expect(PushTypeInference.infer(from: nil, for: target) == .liveactivity)
    #expect(PushTypeInference.infer(from: ["aps": ["badge": 1]], for: target) == .liveactivity)
    #expect(PushTypeInference.infer(from: nil) == nil)
    #expect(Draft(target: target).judgedPushType == .liveactivity)
    #expect(Draft(fields: [DraftField(.pushType, "x")], target: target).judgedPushType == nil)
  }

  @Test("may have 5,120 bytes, and its card names the app")
  func card() {
    #expect(RuleSample.toChannel.draft.payloadLimit == 5120)
    #expect(PushCard(RuleSample.toChannel.draft).app == "com.example.shop")
  }
}
