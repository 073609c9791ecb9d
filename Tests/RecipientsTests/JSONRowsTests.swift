import APNS
import JSONText
import PushModel
import SendingSupport
import TestSupport
import Testing

@testable import Recipients

@Suite("JSON Lines", .timeLimit(.minutes(15)))
struct JSONRowsTests {
  private let folder: KeptFolder

  init() throws { folder = try KeptFolder() }

  private func read(_ text: some Sequence<UInt8>, names: [String]? = nil) throws -> ListReading {
    let list = RecipientSource.file(try folder.file("a.jsonl", text))
    return try ListReading([list], rendering: names.map { EchoRendering(names: $0) })
  }

  @Test("Every object is a recipient; blank lines are passed over")
  func objects() throws {
    let text = """
      {"token": "ab12"}

      \t{"name":"Ada","token":"<CD 34>"}\r
      {"device_token":"ef56"}
      {"device_token":7,"token":"aa11"}
      """
    let reading = try read(text.utf8)
    #expect(
      reading.rows == ["a.jsonl:1 ab12", "a.jsonl:3 cd34", "a.jsonl:4 ef56", "a.jsonl:5 aa11"])
    #expect(reading.counts == .init(lines: 4))
  }

  static let values: [(json: String, value: String)] = [
    (#""Ada""#, "text Ada"), (#""""#, "text "), (#""a\"\\\u00e9\n""#, "text a\"\\é\n"),
    ("7", "json 7"),
    ("-1.50e3", "json -1.50e3"), ("true", "json true"), ("null", "json null"),
    ("[1, \"a\", {}]", "json [1,\"a\",{}]"), (#"{"a": {"b": []}}"#, #"json {"a":{"b":[]}}"#),
  ]

  @Test("Members keep their JSON types", arguments: values)
  func value(_ row: (json: String, value: String)) throws {
    let text = #"{"token":"ab12","v":\#(row.json)}"#
    let reading = try read(text.utf8, names: ["none", "v", "token"])
    #expect(reading.payloads == ["none missing, v \(row.value), token missing"])
  }

  static let badLines: [(line: String, text: String, fault: LineFault)] = [
    ("{}", "{}", .json(.noToken)), ("[]", "[]", .json(.notObject("an array"))),
    (#""ab12""#, #""ab12""#, .json(.notObject("text"))),
    (#"{"token":7}"#, #"{"token":7}"#, .json(.notText(key: "token", "a number"))),
    (
      #"{"token":null,"device_token":"ab12"}"#, #"{"token":null,"device_token":"ab12"}"#,
      .json(.notText(key: "token", "null"))
    ),
    (#"{"token":"xyz1"}"#, "xyz1", .token(.notHex(character: "x", offset: 0))),
    (#"{"token":""}"#, #"{"token":""}"#, .token(.empty)),
    ("{", "{", syntax(.unexpectedEnd(expected: .key), 2)),
    ("{} {}", "{} {}", syntax(.trailingContent("{"), 4)),
    ("# x", "# x", syntax(.unexpectedCharacter("#", expected: .value), 1)),
    (
      #"{"token":"ab12","token":"cd34"}"#, #"{"token":"ab12","token":"cd34"}"#,
      syntax(.duplicateKey("token", first: JSONPosition(line: 1, column: 2)), 17)
    ),
    (
      #"{"token":"ab12","registered":true}"#, "ab12",
      .json(.notText(key: "registered", "true or false"))
    ),
    (#"{"token":"ab12","registered":"soon"}"#, "ab12", .registered("soon", .form)),
  ]

  private static func syntax(_ kind: JSONSyntaxError.Kind, _ column: Int) -> LineFault {
    .json(.syntax(JSONSyntaxError(kind, at: JSONPosition(line: 1, column: column))))
  }

  @Test("A bad line is reported with its number and stops nothing", arguments: badLines)
  func badLine(_ row: (line: String, text: String, fault: LineFault)) throws {
    let reading = try read("{\"token\":\"cd34\"}\n\(row.line)\n{\"token\":\"ef56\"}".utf8)
    #expect(reading.rows == ["a.jsonl:1 cd34", "a.jsonl:3 ef56"])
    #expect(reading.badLines.map(\.line) == [2])
    #expect(reading.badLines.map(\.error) == [row.fault])
    #expect(reading.badLines.map(\.text) == [row.text])
    #expect(reading.counts == .init(lines: 3, badLines: 1))
  }

  @Test("A line over 1 MiB, a token of many digits and bytes that are no UTF-8 are bad lines")
  func long() throws {
    let long = String(repeating: "ab", count: 1 << 20)
    let lines = [#"{"x":"\#(long)"}"#, #"{"token":"\#(long.prefix(5000))"}"#, #"{"token":"ab12"}"#]
    let reading = try read(lines.joined(separator: "\n").utf8 + [0x0A, 0xFF])
    #expect(reading.badLines.map(\.error).prefix(2) == [.tooLong, .token(.tooLong(5000))])
    #expect(reading.badLines.map(\.line) == [1, 2, 4])
    #expect(reading.tokens == ["ab12"])
  }
}
