import APNS
import Testing

@testable import PushEmulator

@Suite("RequestCheck")
struct RequestCheckTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var sample: RequestSample
    var reason: Reason?
    var step: CheckStep?

    init(_ name: String, _ sample: RequestSample, _ reason: Reason?, _ step: CheckStep?) {
      (testDescription, self.sample, self.reason, self.step) = (name, sample, reason, step)
    }
  }

  static let good = RequestSample()
  static let call = good.with("apns-push-type", nil).with("apns-topic", "com.example.shop.voip")
  static let long = String(repeating: "x", count: 4096)

  private static func nested(_ levels: Int) -> String {
    let brackets = ["[", "]"].map { String(repeating: $0, count: levels - 1) }
    return #"{"aps":{},"x":\#(brackets.joined())}"#
  }

  static let cases = [
    Case("a good push", good, nil, nil),
    Case(
      "a push without optional headers",
      good.with("apns-id", nil).with("apns-expiration", nil).with("apns-priority", nil)
        .with("apns-collapse-id", nil).with("apns-push-type", nil), nil, nil),
    Case(
      "an id in upper case",
      good.with("apns-id", "123E4567-E89B-42D3-A456-426614174000"), nil, nil),
    Case(
      "a long device token",
      good.with(path: "/3/device/" + String(repeating: "AB", count: 80)), nil, nil),
    Case(
      "a token of 62 digits", good.with(path: "/3/device/" + String(repeating: "AB", count: 31)),
      .badDeviceToken, .token),
    Case("an empty push type", good.with("apns-push-type", ""), .invalidPushType, .topicAndType),
    Case("a key twice", good.with(body: #"{"aps":{"badge":1,"badge":2}}"#), nil, nil),
    Case("headers that APNs ignores", good.with("x-trace", "1").repeating("x-trace"), nil, nil),
    Case("an unknown aps key", good.with(body: #"{"aps":{"colour":1},"own":[]}"#), nil, nil),
    Case(
      "a Wallet pass", good.with("apns-topic", "pass.com.example.shop").with(body: "{}"), nil, nil),
    Case("the root path", good.with(path: "/"), .badPath, .path),
    Case("another version", good.with(path: "/2/device/ab"), .badPath, .path),
    Case("a path that goes on", good.with(path: "/3/device/ab/cd"), .badPath, .path),
    Case("a longer word", good.with(path: "/3/devices/ab"), .badPath, .path),
    Case(
      "a path beyond all measure",
      good.with(path: "/3/device/" + long + long + long + long), .badPath, .path),
    Case("another method", good.with(method: "GET"), .methodNotAllowed, .method),
    Case(
      "a bad path with another method", good.with(path: "/").with(method: "GET"), .badPath,
      .path),
    Case("two topics", good.repeating("apns-topic"), .duplicateHeaders, .duplicates),
    Case("two ids", good.repeating("apns-id"), .duplicateHeaders, .duplicates),
    Case("two tokens", good.repeating("authorization"), .duplicateHeaders, .duplicates),
    Case("no topic", good.with("apns-topic", nil), .missingTopic, .topicAndType),
    Case("a malformed topic", good.with("apns-topic", "com..shop"), .badTopic, .topicAndType),
    Case(
      "a topic without suffix", good.with("apns-push-type", "voip"), .topicDisallowed,
      .topicAndType),
    Case(
      "an unknown type", good.with("apns-push-type", "Alert"), .invalidPushType,
      .topicAndType),
    Case(
      "an alert on a VoIP topic", good.with("apns-topic", "com.example.shop.voip"),
      .invalidPushType, .topicAndType),
    Case(
      "an alert on a complication's topic",
      good.with("apns-topic", "com.example.shop.complication"),
      .invalidPushType, .topicAndType),
    Case(
      "a background push without a priority",
      good.with("apns-push-type", "background").with("apns-priority", nil), nil, nil),
    Case("an id that is no UUID", good.with("apns-id", "1"), .badMessageID, .id),
    Case("an empty id", good.with("apns-id", ""), .badMessageID, .id),
    Case("a bad expiration", good.with("apns-expiration", "1h"), .badExpirationDate, .fields),
    Case("a bad priority", good.with("apns-priority", "7"), .badPriority, .fields),
    Case(
      "a background push at priority 10", good.with("apns-push-type", "background"),
      .badPriority, .fields),
    Case(
      "a long collapse id", good.with("apns-collapse-id", String(long.prefix(65))),
      .badCollapseID, .fields),
    Case("no device token", good.with(path: "/3/device/"), .missingDeviceToken, .token),
    Case(
      "no device token and no slash", good.with(path: "/3/device"), .missingDeviceToken,
      .token),
    Case(
      "a device token that is not hex", good.with(path: "/3/device/xy"), .badDeviceToken,
      .token),
    Case(
      "a device token of odd length", good.with(path: "/3/device/abc"), .badDeviceToken,
      .token),
    Case("a query", good.with(path: "/3/device/ab?x=1"), .badDeviceToken, .token),
    Case("no body", good.with(body: ""), .payloadEmpty, .payload),
    Case(
      "a large body", good.with(body: #"{"aps":{},"x":"\#(long)"}"#), .payloadTooLarge,
      .payload),
    Case(
      "a call of 5,120 bytes without a push type",
      call.with(body: #"{"x":"\#(String(repeating: "x", count: 5_112))"}"#), nil, nil),
    Case(
      "a call of 5,121 bytes without a push type",
      call.with(body: #"{"x":"\#(String(repeating: "x", count: 5_113))"}"#), .payloadTooLarge,
      .payload),
    Case(
      "a large body that is no JSON", good.with(body: long + long), .payloadTooLarge,
      .payload),
    Case("a body that is no JSON", good.with(body: "{aps}"), .emulatorPayloadNotJSON, .payload),
    Case("a body of 32 levels", good.with(body: nested(32)), nil, nil),
    Case("a body of 33 levels", good.with(body: nested(33)), .emulatorPayloadNotJSON, .payload),
    Case("a body that is a list", good.with(body: "[]"), .emulatorPayloadNotObject, .payload),
    Case(
      "headers beyond 8,000 bytes", good.with("x-long", long + long),
      .emulatorHeadersTooLong, .path),
  ]

  @Test("finds what is wrong", arguments: cases)
  func finds(_ example: Case) {
    var check = RequestCheck(authentication: .token)
    let fault = check.inspect(example.sample.request).fault
    #expect(fault?.refusal.reason == example.reason)
    #expect(fault?.step == example.step)
  }

  @Test("says the same of a request that it has seen before", arguments: cases)
  func remembers(_ example: Case) {
    var check = RequestCheck(authentication: .token)
    for _ in 1...2 {
      #expect(check.inspect(Self.good.request).fault == nil)
      #expect(check.inspect(example.sample.request).fault?.refusal.reason == example.reason)
    }
  }

  @Test("says that a payload nests too deeply for the emulator, not that it is not JSON")
  func depth() throws {
    var check = RequestCheck(authentication: .token)
    let deep = check.inspect(Self.good.with(body: Self.nested(33)).request).fault?.refusal
    #expect(
      deep?.note
        == "the payload nests deeper than 32 levels, the emulator's own limit: APNs documents none"
        + " (line 1, column 46)")
    #expect(deep?.fix?.hasPrefix("Flatten the payload") == true)
    let broken = check.inspect(Self.good.with(body: "{aps}").request).fault?.refusal
    #expect(broken?.note == "line 1, column 2" && broken?.fix == nil)
  }

  @Test("tells apart requests that differ in id and device token alone")
  func looksAtVaryingParts() {
    var check = RequestCheck(authentication: .token)
    #expect(check.inspect(Self.good.request).fault == nil)
    let bad = Self.good.with("apns-id", "no").with(path: "/3/device/no").request
    #expect(check.inspect(bad).fault?.refusal.reason == .badMessageID)
    let other = Self.good.with(path: "/3/device/" + RequestSample.deviceToken.uppercased())
      .request
    #expect(check.inspect(other).path.token == RequestSample.deviceToken)
  }

  @Test("echoes an id as it was written, a bad one included")
  func echoesID() {
    var check = RequestCheck(authentication: .token)
    let upper = "123E4567-E89B-42D3-A456-426614174000"
    #expect(check.inspect(Self.good.with("apns-id", upper).request).apnsID == upper)
    #expect(check.inspect(Self.good.with("apns-id", "x").request).apnsID == "x")
    for unfit in [nil, "", " x", "x\t"] {
      #expect(check.inspect(Self.good.with("apns-id", unfit).request).apnsID == nil)
    }
  }
}
