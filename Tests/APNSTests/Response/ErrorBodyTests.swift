import APNS
import Testing

@Suite struct ErrorBodyTests {
  static func parse(_ text: String) -> ErrorBody? {
    Array(text.utf8).withUnsafeBufferPointer { ErrorBody.parse($0) }
  }

  @Test(
    "The reason and the timestamp are read, however the body is spaced and ordered",
    arguments: [
      (#"{"reason":"BadDeviceToken"}"#, "BadDeviceToken", nil),
      (#"{"reason":"Unregistered","timestamp":1508249865488}"#, "Unregistered", 1_508_249_865_488),
      (#"{"timestamp":5, "reason":"ExpiredToken"}"#, "ExpiredToken", 5),
      ("{ \"reason\" : \"BadTopic\" }\n", "BadTopic", nil),
      (#"{"reason":"New\u0042","more":{"a":[1]}}"#, "NewB", nil),
      (#"{"reason":"SomethingNew"}"#, "SomethingNew", nil),
      (#"{"reason":"Service Unavailable"}"#, "Service Unavailable", nil),
      (#"{"reason":"Unregistered","timestamp":"soon"}"#, "Unregistered", nil),
      (#"{"reason":"Unregistered","timestamp":99999999999999999999}"#, "Unregistered", nil),
      (#"{"reason":"Unregistered","timestamp":-1}"#, "Unregistered", -1),
    ] as [(String, String, Int64?)])
  func read(text: String, reason: String, timestamp: Int64?) throws {
    let body = try #require(Self.parse(text))
    #expect(body.reason.rawValue == reason)
    #expect(body.timestamp == timestamp)
  }

  @Test(
    "A body that makes no sense is no reason, and no failure",
    arguments: [
      "", "{", "<html>502 Bad Gateway</html>", "[]", "{}", "null", #"{"reason":""}"#,
      #"{"reason":7}"#, #"{"reason":" "}"#, #"{"reason":"a""}"#, #"{"reason":"a","timestamp":}"#,
      #"{"reason":"a","reason":"b"}"#, #"{"reason":"a","timestamp":1"#,
      #"{"a":[[[[[1]]]]],"reason":"b"}"#,
    ])
  func senseless(text: String) {
    #expect(Self.parse(text) == nil)
  }

  @Test(
    "A reason that cannot be shown as it is, is escaped, and cut off when it is long",
    arguments: [
      (#"a\u001b[2J"#, #"a\u{1b}[2J"#), ("a\u{1B}[2J", #"a\u{1b}[2J"#),
      (#"line\nbreak\u0000"#, #"line\u{a}break\u{0}"#), ("é\u{202E}", #"\u{e9}\u{202e}"#),
      (String(repeating: "a", count: 65), String(repeating: "a", count: 61) + "..."),
      (String(repeating: "\u{1B}", count: 60), String(repeating: #"\u{1b}"#, count: 10) + "..."),
    ])
  func escaped(word: String, shown: String) throws {
    let reason = try #require(Self.parse("{\"reason\":\"\(word)\"}")).reason
    #expect(reason.rawValue == shown)
    #expect(Reason(rawValue: shown) == reason)
  }

  @Test("A body over the limit is not read")
  func limit() {
    let text = #"{"reason":"BadTopic"}"#
    #expect(Self.parse(text + String(repeating: " ", count: 4096 - text.count)) != nil)
    #expect(Self.parse(text + String(repeating: " ", count: 4097 - text.count)) == nil)
  }

  @Test("Bytes that are not UTF-8 are no reason")
  func notUTF8() {
    let bytes = Array("{\"reason\":\"".utf8) + [0xFF, 0xC0] + Array("\"}".utf8)
    #expect(bytes.withUnsafeBufferPointer { ErrorBody.parse($0) } == nil)
  }

  @Test("What is written can be read", arguments: ["BadTopic", "New", #"a"b\c"#, "{}"])
  func roundTrip(word: String) throws {
    let reason = try #require(Reason(rawValue: word))
    for body in [ErrorBody(reason), ErrorBody(reason, timestamp: 1_700_000_000_000)] {
      #expect(body.bytes.withUnsafeBufferPointer { ErrorBody.parse($0) } == body)
    }
  }

  @Test("Every known reason is recognized", arguments: Reason.table.map(\.reason))
  func known(reason: Reason) {
    #expect(Self.parse("{\"reason\":\"\(reason)\"}")?.reason == reason)
  }
}
