import JSONText
import Testing

/// A text, and the compact strict text it has to come out as.
struct GoodText: Sendable, CustomTestStringConvertible {
  var text: String
  var compact: String

  init(_ text: String, _ compact: String? = nil) {
    self.text = text
    self.compact = compact ?? text
  }

  var testDescription: String { text.debugDescription }
}

@Suite("Good texts")
struct GoodTextTests {
  static let strict: [GoodText] = [
    GoodText("null"), GoodText("true"), GoodText("false"), GoodText("0"), GoodText("-0"),
    GoodText("[]"), GoodText("{}"), GoodText(#""""#),
    GoodText(" \t\r\n[ ] \n", "[]"),
    GoodText("{\n}", "{}"),
    GoodText("[1, 2 ,3]", "[1,2,3]"),
    GoodText(#"{"a" : {"b" : [null]}}"#, #"{"a":{"b":[null]}}"#),
    GoodText(#"{"":""}"#),
    GoodText(#"{"a":1,"A":2,"a ":3}"#),
    GoodText("[[],[[]],{}]"),
    GoodText("12345678901234567890123456789.00100"),
    GoodText("-12.50e3"), GoodText("1E+09"), GoodText("1e-7"), GoodText("0.0"), GoodText("10"),
    GoodText("0e0"), GoodText("1e999"),
    GoodText(#""\"\\\/\b\f\n\r\t""#, #""\"\\/\b\f\n\r\t""#),
    GoodText(#""\u0041\u00e9\u20AC""#, #""Aé€""#),
    GoodText(#""\uD83D\uDE00 \ud834\udd1e""#, #""😀 𝄞""#),
    GoodText(#""\udbff\udfff""#, "\"\u{10FFFF}\""),
    GoodText(#""\u0000""#),
    GoodText(#""héllo wörld, 日本語, 😀""#),
    GoodText(#""exactly8 and then \"some\" more of it""#),
    GoodText("\"\u{7F}\"", #""\u007f""#),
    GoodText("\"\u{FFFF}\u{FEFF}\""),
    GoodText("\"\u{E000}\u{D7FF}\""),
    GoodText(#""/* no */ // comment""#),
  ]

  @Test("A strict text is read by both dialects", arguments: strict)
  func strictTexts(good: GoodText) throws {
    #expect(try JSONReader(.json).read(good.text).encodedString() == good.compact)
    #expect(try JSONReader(.json5).read(good.text).encodedString() == good.compact)
  }

  static let json5: [GoodText] = [
    GoodText("// first\n1 // last", "1"),
    GoodText("/* a * b ** / */1/**/", "1"),
    GoodText("1//", "1"),
    GoodText("//a\r1", "1"),
    GoodText("//a\u{2028}1", "1"),
    GoodText("[1,/* two, */3,]", "[1,3]"),
    GoodText("[[],]", "[[]]"),
    GoodText("{a:1,}", #"{"a":1}"#),
    GoodText("{a:1,/**/}", #"{"a":1}"#),
    GoodText("{$a_1:1, _:2, true:3, NaN:4}", #"{"$a_1":1,"_":2,"true":3,"NaN":4}"#),
    GoodText("{größe:1, 名前:2, ゑ:3, Ⅷ:4}", #"{"größe":1,"名前":2,"ゑ":3,"Ⅷ":4}"#),
    GoodText(#"{\u0061b\u0063:1, a\u200Cb:2}"#, "{\"abc\":1,\"a\u{200C}b\":2}"),
    GoodText("{a\u{301}x:1, b\u{203F}:2, c٣:3}", "{\"a\u{301}x\":1,\"b\u{203F}\":2,\"c٣\":3}"),
    GoodText("'it \"is\"'", #""it \"is\"""#),
    GoodText(#"'it\'s'"#, #""it's""#),
    GoodText("{'a b':1}", #"{"a b":1}"#),
    GoodText(#"'\v\0\x41\a\é\😀\"'"#, "\"\\u000b\\u0000Aaé😀\\\"\""),
    GoodText(#"'\0a'"#, #""\u0000a""#),
    GoodText("'a\\\nb\\\r\nc\\\rd\\\u{2028}e\\\u{2029}f'", #""abcdef""#),
    GoodText("'a\\\n\\\nb'", #""ab""#),
    GoodText("'a\tb\u{2028}\u{1}'", #""a\tb\u2028\u0001""#),
    GoodText("\u{FEFF}1", "1"),
    GoodText("\u{B}\u{C}\u{A0}\u{FEFF}\u{2028}\u{2029}\u{3000}1\u{2003}", "1"),
    GoodText("+1", "1"), GoodText("+0", "0"), GoodText("-.5", "-0.5"), GoodText(".5", "0.5"),
    GoodText("5.", "5"), GoodText("-5.e3", "-5e3"), GoodText("0.", "0"),
    GoodText("+.5E-2", "0.5E-2"),
    GoodText("0xFF", "255"), GoodText("-0Xff", "-255"), GoodText("+0x0", "0"),
    GoodText("0x000000000000000000000000000000000000001", "1"),
    GoodText("0x10000000000000000", "18446744073709551616"),
    GoodText(
      "0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF", "340282366920938463463374607431768211455"),
  ]

  @Test("A JSON5 text comes out as strict JSON", arguments: json5)
  func json5Texts(good: GoodText) throws {
    let value = try JSONReader(.json5).read(good.text)
    #expect(value.encodedString() == good.compact)
    #expect(try JSONReader(.json).read(value.encoded()) == value)
  }

  @Test("What only JSON5 has, strict JSON refuses", arguments: json5)
  func strictRefusesJSON5(good: GoodText) {
    #expect(throws: JSONSyntaxError.self) { try JSONReader(.json).read(good.text) }
  }
}
