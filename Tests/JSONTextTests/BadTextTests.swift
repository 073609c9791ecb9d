import JSONText
import Testing

@Suite("Bad texts")
struct BadTextTests {
  static let both: [BadText] = [
    BadText("", .emptyText, 1),
    BadText("  \r\n ", .emptyText, at: 2, 2),
    BadText("[", .unexpectedEnd(expected: .value), 2),
    BadText("[1", .unexpectedEnd(expected: .commaOrClosingBracket), 3),
    BadText("[1,", .unexpectedEnd(expected: .value), 4),
    BadText("{", .unexpectedEnd(expected: .key), 2),
    BadText(#"{"a""#, .unexpectedEnd(expected: .colon), 5),
    BadText(#"{"a":"#, .unexpectedEnd(expected: .value), 6),
    BadText(#"{"a":1"#, .unexpectedEnd(expected: .commaOrClosingBrace), 7),
    BadText(#"{"a":1,"#, .unexpectedEnd(expected: .key), 8),
    BadText(#""abc"#, .unexpectedEnd(expected: .closingQuote), 5),
    BadText(#""abc\"#, .unexpectedEnd(expected: .closingQuote), 6),
    BadText(#""\u12"#, .unexpectedEnd(expected: .closingQuote), 6),
    BadText("]", .unexpectedCharacter("]", expected: .value), 1),
    BadText("[,]", .unexpectedCharacter(",", expected: .value), 2),
    BadText("[1,,2]", .unexpectedCharacter(",", expected: .value), 4),
    BadText("[1 2]", .unexpectedCharacter("2", expected: .commaOrClosingBracket), 4),
    BadText("[1}", .unexpectedCharacter("}", expected: .commaOrClosingBracket), 3),
    BadText("{,}", .unexpectedCharacter(",", expected: .key), 2),
    BadText("{1:2}", .unexpectedCharacter("1", expected: .key), 2),
    BadText(#"{"a" 1}"#, .unexpectedCharacter("1", expected: .colon), 6),
    BadText(#"{"a":}"#, .unexpectedCharacter("}", expected: .value), 6),
    BadText(#"{"a":1 "b":2}"#, .unexpectedCharacter("\"", expected: .commaOrClosingBrace), 8),
    BadText(#"{"a":1]"#, .unexpectedCharacter("]", expected: .commaOrClosingBrace), 7),
    BadText("#", .unexpectedCharacter("#", expected: .value), 1),
    BadText("/", .unexpectedCharacter("/", expected: .value), 1),
    BadText("[😀]", .unexpectedCharacter("😀", expected: .value), 2),
    BadText("[é]", .unexpectedCharacter("é", expected: .value), 2),
    BadText("\u{0}", .unexpectedCharacter("\u{0}", expected: .value), 1),
    BadText("1 2", .trailingContent("2"), 3),
    BadText("{}\n\n x", .trailingContent("x"), at: 3, 2),
    BadText("{}}", .trailingContent("}"), 3),
    BadText("tru", .unknownWord("tru"), 1),
    BadText("[True]", .unknownWord("True"), 2),
    BadText("nullx", .unknownWord("nullx"), 1),
    BadText("[undefined, 1]", .unknownWord("undefined"), 2),
    BadText(
      String(repeating: "y", count: 99), .unknownWord(String(repeating: "y", count: 40)), 1),
    BadText("NaN", .notFinite("NaN"), 1),
    BadText("[1, Infinity]", .notFinite("Infinity"), 5),
    BadText("-Infinity", .notFinite("-Infinity"), 1),
    BadText("+NaN", .notFinite("+NaN"), 1),
    BadText("“a”", .smartQuote("“"), 1),
    BadText("[1,‘a’]", .smartQuote("‘"), 4),
    BadText("{”a\":1}", .smartQuote("”"), 2),
    BadText("{\"a\":„b“}", .smartQuote("„"), 6),
    BadText("«a»", .smartQuote("«"), 1),
    BadText("\"a\nb\"", .controlCharacter("\n"), 3),
    BadText("\"a\rb\"", .controlCharacter("\r"), 3),
    BadText("{\"é\": \"é\n\"}", .controlCharacter("\n"), 9),
    BadText(#""ab\1""#, .badEscape("1"), 4),
    BadText(#""\u12G4""#, .badEscape("u"), 2),
    BadText(#""\u""#, .badEscape("u"), 2),
    BadText(#""x\uD800""#, .loneSurrogate(0xD800), 3),
    BadText(#""\uD800\n""#, .loneSurrogate(0xD800), 2),
    BadText(#""\uDBFF\uD800""#, .loneSurrogate(0xDBFF), 2),
    BadText(#""\uDC00\uD800""#, .loneSurrogate(0xDC00), 2),
    BadText(#""\uD83D😀""#, .loneSurrogate(0xD83D), 2),
    BadText(#""\uD83D\uDG00""#, .badEscape("u"), 8),
    BadText("01", .leadingZero("01"), 1),
    BadText("[-007.5]", .leadingZero("-007.5"), 2),
    BadText("00", .leadingZero("00"), 1),
    BadText("-", .badNumber("-"), 1),
    BadText("--1", .badNumber("--1"), 1),
    BadText(".", .badNumber("."), 1),
    BadText(".e1", .badNumber(".e1"), 1),
    BadText("1e", .badNumber("1e"), 1),
    BadText("1e+", .badNumber("1e+"), 1),
    BadText("[1.2.3]", .badNumber("1.2.3"), 2),
    BadText("1e1.5", .badNumber("1e1.5"), 1),
    BadText("12abc", .badNumber("12abc"), 1),
    BadText("1_000", .badNumber("1_000"), 1),
    BadText("1+2", .badNumber("1+2"), 1),
    BadText("0x", .badNumber("0x"), 1),
    BadText("0xG", .badNumber("0xG"), 1),
    BadText("0x1.8", .badNumber("0x1.8"), 1),
    BadText("0b11", .badNumber("0b11"), 1),
    BadText(
      #"{"a":1,"a":2}"#, .duplicateKey("a", first: JSONPosition(line: 1, column: 2)), 8),
    BadText(
      "{\n \"é\": 1,\n  \"\\u00e9\": 2}",
      .duplicateKey("é", first: JSONPosition(line: 2, column: 2)), at: 3, 3),
    BadText(
      "{\"é\": 1, \"e\u{301}\": 2}", .duplicateKey("é", first: JSONPosition(line: 1, column: 2)), 10
    ),
    BadText([0xFF, 0xFE, 0x7B, 0x00], .invalidUTF8(byte: 0xFF), 1),
    BadText([0x22, 0x80, 0x22], .invalidUTF8(byte: 0x80), 2),
    BadText([0x22, 0xC0, 0x80, 0x22], .invalidUTF8(byte: 0xC0), 2),
    BadText([0x22, 0xC1, 0xBF, 0x22], .invalidUTF8(byte: 0xC1), 2),
    BadText([0x22, 0xE0, 0x9F, 0xBF, 0x22], .invalidUTF8(byte: 0xE0), 2),
    BadText([0x22, 0xED, 0xA0, 0x80, 0x22], .invalidUTF8(byte: 0xED), 2),
    BadText([0x22, 0xF0, 0x8F, 0xBF, 0xBF, 0x22], .invalidUTF8(byte: 0xF0), 2),
    BadText([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], .invalidUTF8(byte: 0xF4), 2),
    BadText([0x22, 0xF8, 0x88, 0x80, 0x80, 0x22], .invalidUTF8(byte: 0xF8), 2),
    BadText([0x22, 0xE2, 0x82, 0x22], .invalidUTF8(byte: 0xE2), 2),
    BadText([0x22, 0xE2, 0x82], .invalidUTF8(byte: 0xE2), 2),
    BadText([0x22, 0xC3, 0xA9, 0x0A, 0x61, 0xC3], .invalidUTF8(byte: 0xC3), at: 2, 2),
  ]

  @Test("Both dialects refuse it for the same reason", arguments: both)
  func refusedByBoth(bad: BadText) {
    #expect(bad.error(in: .json) == bad.error)
    #expect(bad.error(in: .json5) == bad.error)
  }

  static let strict: [BadText] = [
    BadText("\u{FEFF}{}", .byteOrderMark, 1),
    BadText("[\u{FEFF}]", .unexpectedCharacter("\u{FEFF}", expected: .value), 2),
    BadText("\u{A0}1", .unexpectedCharacter("\u{A0}", expected: .value), 1),
    BadText("\u{B}1", .unexpectedCharacter("\u{B}", expected: .value), 1),
    BadText("[1,]", .trailingComma, 3),
    BadText("{\"a\": 1\n , \n}", .trailingComma, at: 2, 2),
    BadText("// hi\n1", .comment, 1),
    BadText("[1, /* hi */ 2]", .comment, 5),
    BadText("1 //", .comment, 3),
    BadText("{a: 1}", .unquotedKey("a"), 2),
    BadText("{ größe_1: 1}", .unquotedKey("größe_1"), 3),
    BadText(
      "{" + String(repeating: "é", count: 30) + "x:1}",
      .unquotedKey(String(repeating: "é", count: 20)), 2),
    BadText("['a']", .singleQuote, 2),
    BadText("{'a': 1}", .singleQuote, 2),
    BadText("\"a\tb\"", .controlCharacter("\t"), 3),
    BadText("\"12345678\u{0}\"", .controlCharacter("\u{0}"), 10),
    BadText("\"\u{1F}\"", .controlCharacter("\u{1F}"), 2),
    BadText(#""\x41""#, .badEscape("x"), 2),
    BadText(#""\'""#, .badEscape("'"), 2),
    BadText(#""\0""#, .badEscape("0"), 2),
    BadText(#""\é""#, .badEscape("é"), 2),
    BadText("\"\\\n\"", .badEscape("\n"), 2),
    BadText("+1", .badNumber("+1"), 1),
    BadText(".5", .badNumber(".5"), 1),
    BadText("[5.]", .badNumber("5."), 2),
    BadText("5.e1", .badNumber("5.e1"), 1),
    BadText("0xFF", .badNumber("0xFF"), 1),
    BadText("1é", .trailingContent("é"), 2),
  ]

  @Test("Strict JSON names the rule that JSON5 does not have", arguments: strict)
  func refusedByStrict(bad: BadText) {
    #expect(bad.error(in: .json) == bad.error)
  }

  static let json5: [BadText] = [
    BadText("/* a", .unexpectedEnd(expected: .endOfComment), 5),
    BadText("/*/", .unexpectedEnd(expected: .endOfComment), 4),
    BadText("/**", .unexpectedEnd(expected: .endOfComment), 4),
    BadText("// a", .emptyText, 5),
    BadText("/*\n*/ ]", .unexpectedCharacter("]", expected: .value), at: 2, 4),
    BadText("//a\u{2028}]", .unexpectedCharacter("]", expected: .value), 5),
    BadText("[,]", .unexpectedCharacter(",", expected: .value), 2),
    BadText("{,}", .unexpectedCharacter(",", expected: .key), 2),
    BadText("[1,,]", .unexpectedCharacter(",", expected: .value), 4),
    BadText("'a\nb'", .controlCharacter("\n"), 3),
    BadText("'a", .unexpectedEnd(expected: .closingQuote), 3),
    BadText("'a\\", .unexpectedEnd(expected: .closingQuote), 4),
    BadText("'a\\\nb\\1'", .badEscape("1"), at: 2, 2),
    BadText(#"'\01'"#, .badEscape("0"), 2),
    BadText(#"'\x4'"#, .badEscape("x"), 2),
    BadText(#"'\uDE00'"#, .loneSurrogate(0xDE00), 2),
    BadText("{a-b: 1}", .unexpectedCharacter("-", expected: .colon), 3),
    BadText("{a b: 1}", .unexpectedCharacter("b", expected: .colon), 4),
    BadText("{😀: 1}", .unexpectedCharacter("😀", expected: .key), 2),
    BadText("{\u{200C}: 1}", .unexpectedCharacter("\u{200C}", expected: .key), 2),
    BadText(#"{a\u0020: 1}"#, .badEscape("u"), 3),
    BadText(#"{\u0031a: 1}"#, .badEscape("u"), 2),
    BadText(#"{a\x41: 1}"#, .badEscape("x"), 3),
    BadText(#"{a\"#, .unexpectedEnd(expected: .key), 4),
    BadText("{a: b}", .unknownWord("b"), 5),
    BadText("+-1", .badNumber("+-1"), 1),
    BadText("+ 1", .badNumber("+"), 1),
    BadText("-0x", .badNumber("-0x"), 1),
    BadText(
      "0x100000000000000000000000000000000",
      .hexadecimalTooLarge("0x100000000000000000000000000000000"), 1),
    BadText(
      #"{ab: 1, 'a\u0062': 2}"#, .duplicateKey("ab", first: JSONPosition(line: 1, column: 2)), 9),
    BadText([0x2F, 0x2F, 0xFF], .invalidUTF8(byte: 0xFF), 3),
  ]

  @Test("JSON5 has its limits", arguments: json5)
  func refusedByJSON5(bad: BadText) {
    #expect(bad.error(in: .json5) == bad.error)
  }
}
