import APNS
import RuleSamples
import Testing

@testable import PushEmulator

/// A request, and the answer that one of Apple's documents gives to it, in the document's own terms:
/// nothing here comes from the rules.
struct DocumentedAnswer: Sendable, CustomTestStringConvertible {
  /// The title of the page.
  let page: String
  let testDescription: String
  let request: RuleSample
  /// `400 BadPriority`, or `200`.
  let answer: String

  init(_ page: String, _ name: String, _ request: RuleSample, _ answer: String) {
    (self.page, testDescription, self.request, self.answer) = (page, name, request, answer)
  }
}

extension DocumentedAnswer {
  private static let sending = "Sending notification requests to APNs"
  private static let responses = "Handling notification responses from APNs"
  private static let broadcastErrors = "Handling error responses from APNs"
  private static let broadcasts = "Sending broadcast push notification requests to APNs"

  private static let alert = RuleSample()
  private static let channel = RuleSample.toChannel

  private static func push(_ type: String, _ suffix: String, _ body: String) -> RuleSample {
    alert.with("apns-push-type", type).with("apns-topic", "com.example.shop" + suffix)
      .with(body: body)
  }

  /// A payload of so many bytes.
  private static func payload(of count: Int) -> String {
    let (start, end) = (#"{"aps":{"alert":""#, #""}}"#)
    return start + String(repeating: "a", count: count - start.utf8.count - end.utf8.count) + end
  }

  private static func state(of count: Int) -> String {
    let start = #"{"aps":{"event":"update","timestamp":1700000000,"content-state":{"a":""#
    return start + String(repeating: "a", count: count - start.utf8.count - 4) + #""}}}"#
  }

  private static func collapsing(_ count: Int) -> RuleSample {
    alert.with("apns-collapse-id", String(repeating: "a", count: count))
  }

  /// The headers of a push to a device.
  private static let headers = [
    Self(sending, "an alert", alert, "200"),
    Self(sending, "priority 10", alert.with("apns-priority", "10"), "200"),
    Self(sending, "priority 5", alert.with("apns-priority", "5"), "200"),
    Self(sending, "priority 1", alert.with("apns-priority", "1"), "200"),
    Self(responses, "priority 7", alert.with("apns-priority", "7"), "400 BadPriority"),
    Self(responses, "priority 0", alert.with("apns-priority", "0"), "400 BadPriority"),
    Self(sending, "a collapse ID of 64 bytes", collapsing(64), "200"),
    Self(responses, "a collapse ID of 65 bytes", collapsing(65), "400 BadCollapseId"),
    Self(
      responses, "a collapse ID of 33 letters of two bytes",
      alert.with("apns-collapse-id", String(repeating: "é", count: 33)), "400 BadCollapseId"),
    Self(sending, "expiration 0", alert.with("apns-expiration", "0"), "200"),
    Self(sending, "an expiration", alert.with("apns-expiration", "1700003600"), "200"),
    Self(
      responses, "an expiration in words", alert.with("apns-expiration", "tomorrow"),
      "400 BadExpirationDate"),
    Self(
      sending, "an ID", alert.with("apns-id", "123e4567-e89b-12d3-a456-42665544000a"), "200"),
    Self(responses, "an ID that is no UUID", alert.with("apns-id", "42"), "400 BadMessageId"),
    Self(
      responses, "an ID without its hyphens",
      alert.with("apns-id", "123e4567e89b12d3a45642665544000a"), "400 BadMessageId"),
    Self(responses, "no topic", alert.without("apns-topic"), "400 MissingTopic"),
    Self(
      responses, "a topic twice", alert.adding("apns-topic", "com.example.shop"),
      "400 DuplicateHeaders"),
    Self(
      responses, "two topics", alert.adding("apns-topic", "com.example.mail"),
      "400 DuplicateHeaders"),
    Self(
      responses, "a push type of no kind", alert.with("apns-push-type", "notification"),
      "400 InvalidPushType"),
    Self(
      responses, "a push type in capitals", alert.with("apns-push-type", "ALERT"),
      "400 InvalidPushType"),
  ]

  /// The payload of a push to a device.
  private static let payloads = [
    Self(responses, "no payload", alert.with(body: ""), "400 PayloadEmpty"),
    Self(sending, "4,096 bytes", alert.with(body: payload(of: 4096)), "200"),
    Self(responses, "4,097 bytes", alert.with(body: payload(of: 4097)), "413 PayloadTooLarge"),
    Self(sending, "a call of 5,120 bytes", push("voip", ".voip", payload(of: 5120)), "200"),
    Self(
      responses, "a call of 5,121 bytes", push("voip", ".voip", payload(of: 5121)),
      "413 PayloadTooLarge"),
  ]

  /// Each push type with its topic.
  private static let types = [
    Self(
      sending, "background at priority 5",
      push("background", "", #"{"aps":{"content-available":1}}"#).with("apns-priority", "5"), "200"),
    Self(
      sending, "background at priority 10",
      push("background", "", #"{"aps":{"content-available":1}}"#).with("apns-priority", "10"),
      "400 BadPriority"),
    Self(
      sending, "complication",
      push("complication", ".complication", "{}"), "200"),
    Self(
      sending, "fileprovider",
      push(
        "fileprovider", ".pushkit.fileprovider", #"{"container-identifier":"A","domain":"B"}"#),
      "200"),
    Self(sending, "location", push("location", ".location-query", #"{"aps":{}}"#), "200"),
    Self(
      sending, "liveactivity",
      push(
        "liveactivity", ".push-type.liveactivity",
        #"{"aps":{"event":"update","timestamp":1700000000,"content-state":{}}}"#), "200"),
    Self(
      sending, "pushtotalk", push("pushtotalk", ".voip-ptt", #"{"aps":{}}"#), "200"),
    Self(
      sending, "controls",
      push("controls", ".push-type.controls", #"{"aps":{"content-changed":true}}"#), "200"),
    Self(
      sending, "widgets",
      push("widgets", ".push-type.widgets", #"{"aps":{"content-changed":true}}"#), "200"),
    Self(
      sending, "mdm with a certificate",
      push("mdm", "", #"{"mdm":"magic"}"#).with("apns-topic", "com.apple.mgmt.External.1")
        .with(.certificate), "200"),
  ]

  /// A push to a channel.
  private static let channels = [
    Self(broadcasts, "to a channel", channel, "200"),
    Self(
      broadcastErrors, "no channel ID", channel.without("apns-channel-id"), "400 MissingChannelId"),
    Self(
      broadcastErrors, "a channel ID that is not encoded", channel.with("apns-channel-id", "a b"),
      "400 BadChannelId"),
    Self(
      broadcastErrors, "no push type", channel.without("apns-push-type"), "400 MissingPushType"),
    Self(
      broadcastErrors, "an alert to a channel",
      channel.with("apns-push-type", "alert").with(body: #"{"aps":{"alert":"A"}}"#),
      "400 InvalidPushType"),
    Self(broadcastErrors, "no payload", channel.with(body: ""), "400 PayloadEmpty"),
    Self(
      broadcastErrors, "an ID that is no UUID", channel.with("apns-id", "42"), "400 BadMessageId"),
    Self(
      broadcastErrors, "an expiration in words", channel.with("apns-expiration", "soon"),
      "400 BadExpirationDate"),
    Self(
      broadcastErrors, "an expiration on a channel that stores nothing",
      channel.with("apns-expiration", "1700003600").with(.known(.nothing)),
      "400 BadExpirationDate"),
    Self(broadcastErrors, "priority 7", channel.with("apns-priority", "7"), "400 BadPriority"),
    Self(
      broadcastErrors, "a bundle ID with a suffix",
      channel.with(app: "com.example.shop.push-type.liveactivity"), "400 TopicDisallowed"),
    Self(broadcasts, "5,120 bytes", channel.with(body: state(of: 5120)), "200"),
    Self(
      broadcastErrors, "5,121 bytes", channel.with(body: state(of: 5121)), "413 PayloadTooLarge"),
  ]

  static let all = headers + payloads + types + channels
}

/// The emulator judges by the rules that `check` has, so the two agree even where both are wrong.
/// These are held against what Apple writes.
@Suite("Apple's documents")
struct AppleDocumentsTests {
  @Test("have the emulator's answers", arguments: DocumentedAnswer.all)
  func emulator(_ row: DocumentedAnswer) {
    #expect(row.request.answer == row.answer, "\(row.page)")
  }

  @Test("have what the checks expect", arguments: DocumentedAnswer.all)
  func checks(_ row: DocumentedAnswer) {
    let errors = row.request.problems.filter { $0.severity == .error }
    let reasons = Set(errors.compactMap { RuleTable.rule($0.rule)?.reason })
    let answers = reasons.map { "\($0.info?.status.rawValue ?? 0) \($0.rawValue)" }
    #expect((errors.isEmpty ? ["200"] : answers) == [row.answer], "\(row.page): \(errors)")
  }

  /// What no draft can be: a path or method, with the answer of "Handling notification responses".
  static let paths: [(method: String, path: String, answer: String)] = [
    ("POST", "/3/device/" + RequestSample.deviceToken, "200"),
    ("GET", "/3/device/" + RequestSample.deviceToken, "405 MethodNotAllowed"),
    ("POST", "/2/device/" + RequestSample.deviceToken, "404 BadPath"),
    ("POST", "/3/devices/" + RequestSample.deviceToken, "404 BadPath"),
    ("POST", "/3/device/", "400 MissingDeviceToken"),
    ("POST", "/3/device/no-token", "400 BadDeviceToken"),
  ]

  @Test("say what becomes of a path", arguments: paths)
  func path(_ row: (method: String, path: String, answer: String)) {
    let request = RequestSample().with(method: row.method).with(path: row.path)
    #expect(request.answer() == row.answer)
  }
}
