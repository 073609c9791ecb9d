import JSONText
import Testing

@Suite("Writing")
struct JSONWriterTests {
  static let escapes: [(text: String, compact: String, wire: String)] = [
    ("plain text, long enough", "plain text, long enough", "plain text, long enough"),
    ("a\"b\\c/d", #"a\"b\\c/d"#, #"a\"b\\c/d"#),
    ("\u{8}\t\n\u{C}\r", #"\b\t\n\f\r"#, #"\b\t\n\f\r"#),
    ("\u{0}\u{1B}\u{1F}", #"\u0000\u001b\u001f"#, #"\u0000\u001b\u001f"#),
    ("1234567\u{7F}", #"1234567\u007f"#, "1234567\u{7F}"),
    ("\u{80}\u{9F}\u{A0}", "\\u0080\\u009f\u{A0}", "\u{80}\u{9F}\u{A0}"),
    ("\u{61C}\u{61B}", "\\u061c\u{61B}", "\u{61C}\u{61B}"),
    (
      "\u{200D}\u{200E}\u{200F}\u{2010}", "\u{200D}\\u200e\\u200f\u{2010}",
      "\u{200D}\u{200E}\u{200F}\u{2010}"
    ),
    ("\u{2027}\u{2028}\u{2029}", "\u{2027}\\u2028\\u2029", "\u{2027}\u{2028}\u{2029}"),
    ("\u{202A}\u{202E}\u{202F}", "\\u202a\\u202e\u{202F}", "\u{202A}\u{202E}\u{202F}"),
    (
      "\u{2065}\u{2066}\u{2069}\u{206A}", "\u{2065}\\u2066\\u2069\u{206A}",
      "\u{2065}\u{2066}\u{2069}\u{206A}"
    ),
    ("é€😀", "é€😀", "é€😀"),
  ]

  @Test("A string is escaped as its style asks", arguments: escapes)
  func escaping(text: String, compact: String, wire: String) {
    let value = JSON(.string(text))
    #expect(value.encoded() == Array("\"\(compact)\"".utf8))
    #expect(value.encoded(.wire) == Array("\"\(wire)\"".utf8))
    #expect(value.encoded(.pretty) == Array("\"\(compact)\"".utf8))
  }

  @Test("A key is escaped like any string")
  func keyEscaping() {
    let value: JSON = ["\u{1B}[2J\"": 1]
    #expect(value.encodedString() == #"{"\u001b[2J\"":1}"#)
  }

  @Test("Pieces are joined with commas and colons where they belong")
  func streaming() {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("token")
    writer.string(plainASCII: "00ff".utf8)
    writer.key("list")
    writer.beginArray()
    writer.integer(-3)
    writer.double(0.25)
    writer.bool(true)
    writer.null()
    writer.beginObject()
    writer.endObject()
    writer.endArray()
    writer.key("number")
    writer.number(JSONNumber(UInt64.max))
    writer.endObject()
    #expect(
      String(decoding: writer.bytes, as: UTF8.self)
        == #"{"token":"00ff","list":[-3,0.25,true,null,{}],"number":18446744073709551615}"#)
  }

  @Test("A double without a JSON spelling is null", arguments: [Double.nan, .infinity, -.infinity])
  func notFinite(number: Double) {
    var writer = JSONWriter()
    writer.double(number)
    #expect(writer.bytes == Array("null".utf8))
  }

  @Test("One writer writes many lines, and starts afresh on request")
  func lines() {
    var writer = JSONWriter(appendingTo: Array("> ".utf8))
    for number in 1...2 {
      writer.beginArray()
      writer.integer(number)
      writer.endArray()
      writer.endLine()
    }
    #expect(writer.bytes == Array("> [1]\n[2]\n".utf8))
    writer.removeAll()
    writer.bool(false)
    #expect(writer.bytes == Array("false".utf8))
  }

  @Test("Pretty text has two spaces a level and keeps empty containers on their line")
  func pretty() {
    let value: JSON = [
      "aps": ["badge": 1, "list": ["a", []]], "none": JSON(.object(JSONObject())),
    ]
    #expect(
      value.encodedString(.pretty) == """
        {
          "aps": {
            "badge": 1,
            "list": [
              "a",
              []
            ]
          },
          "none": {}
        }
        """)
  }
}
