import Testing

@testable import APNS

@Suite("A text with placeholders")
struct TemplateTextTests {
  private static func variable(
    _ name: String, isNumber: Bool = false, default fallback: String? = nil
  ) -> TemplatePiece {
    .placeholder(
      Placeholder(source: .variable(name), isNumber: isNumber, fallback: fallback))
  }

  private static func now(_ offset: Int64) -> TemplatePiece {
    .placeholder(Placeholder(source: .now(offset: offset)))
  }

  static let texts: [(text: String, pieces: [TemplatePiece])] = [
    ("Hello", [.text("Hello")]), ("a { b } c }} d", [.text("a { b } c }} d")]),
    ("{{name}}", [variable("name")]), ("{{ name\t}}", [variable("name")]),
    ("Hi {{name}}!", [.text("Hi "), variable("name"), .text("!")]),
    ("{{a}}{{b}}", [variable("a"), variable("b")]),
    ("{{a-b_c.d9}}", [variable("a-b_c.d9")]), ("{{Größe}}", [variable("Größe")]),
    ("{{{{", [.text("{{")]), ("{{{{a}}", [.text("{{a}}")]),
    ("{{{{{{a}}", [.text("{{"), variable("a")]),
    ("{{n|number}}", [variable("n", isNumber: true)]),
    ("{{n | number | default('0')}}", [variable("n", isNumber: true, default: "0")]),
    ("{{n|default('0')|number}}", [variable("n", isNumber: true, default: "0")]),
    ("{{n|default('')}}", [variable("n", default: "")]),
    ("{{n|default( 'a }} | b' )}}", [variable("n", default: "a }} | b")]),
    (#"{{n|default('it\'s \\ \n')}}"#, [variable("n", default: #"it's \ \n"#)]),
    (#"{{n|default("it's")}}"#, [variable("n", default: "it's")]),
    (#"{{n|default("a \"b\"")}}"#, [variable("n", default: #"a "b""#)]),
    ("{{now}}", [now(0)]), ("{{ now + 15m }}", [now(900)]), ("{{now-1h}}", [now(-3600)]),
    ("{{now+2d}}", [now(172_800)]), ("{{now - 3s}}", [now(-3)]),
    ("{{nowhere}}", [variable("nowhere")]), ("{{Now}}", [variable("Now")]),
  ]

  @Test("is taken apart into what stays and what is filled", arguments: texts)
  func pieces(_ row: (text: String, pieces: [TemplatePiece])) {
    let text = TemplateText(row.text)
    #expect(text.pieces == row.pieces)
    #expect(text.faults.isEmpty)
  }

  static let broken: [(text: String, fault: PlaceholderFault, written: String)] = [
    ("a {{name", .unclosed, "{{name"), ("{{", .unclosed, "{{"), ("{{n}", .unclosed, "{{n}"),
    ("{{}}", .noName, "{{}}"), ("{{ | number }}", .noName, "{{ | number }}"),
    ("{{a b}} c", .stray("b"), "{{a b}}"), ("{{$a}}", .stray("$"), "{{$a}}"),
    ("{{{a}}}", .stray("{"), "{{{a}}"), ("{{a|}}", .stray("}"), "{{a|}}"),
    ("{{a|upper}}", .unknownFilter("upper"), "{{a|upper}}"),
    ("{{a|number|number}}", .repeatedFilter("number"), "{{a|number|number}}"),
    ("{{a|default('')|default('')}}", .repeatedFilter("default"), "{{a|default('')|default('')}}"),
    ("{{a|default(b)}}", .badDefault, "{{a|default(b)}}"),
    ("{{a|default}}", .badDefault, "{{a|default}}"),
    ("{{a|default('b)}}", .badDefault, "{{a|default('b)}}"),
    (#"{{a|default('b")}}"#, .badDefault, #"{{a|default('b")}}"#),
    ("{{a|number|default('x')}}", .defaultNotNumber("x"), "{{a|number|default('x')}}"),
    ("{{now+5}}", .badSpan("5"), "{{now+5}}"), ("{{now-soon}}", .badSpan("soon"), "{{now-soon}}"),
    ("{{now+}}", .badSpan(""), "{{now+}}"),
    ("{{now+9999999w}}", .badSpan("9999999w"), "{{now+9999999w}}"),
    ("{{now|number}}", .filteredNow, "{{now|number}}"),
  ]

  @Test("that cannot be read says why", arguments: broken)
  func faults(_ row: (text: String, fault: PlaceholderFault, written: String)) {
    let text = TemplateText(row.text)
    #expect(text.faults.map(\.fault) == [row.fault])
    #expect(text.faults.map(\.text) == [row.written])
  }

  @Test("tells of all its faults and goes on behind each")
  func allFaults() {
    let text = TemplateText("{{a b}} {{c}} {{d|e}} {{f")
    #expect(text.faults.map(\.text) == ["{{a b}}", "{{d|e}}", "{{f"])
    #expect(text.pieces.contains(Self.variable("c")))
  }

  static let numbers: [(String, Bool)] = [
    ("0", true), ("-1", true), ("12.50", true), ("1e9", true), ("1E-9", true), ("-0.0e+1", true),
    ("", false), ("-", false), ("01", false), ("+1", false), (".5", false), ("1.", false),
    ("1e", false), ("0x1", false), ("1 ", false), ("NaN", false), ("1,5", false), ("1.5.2", false),
  ]

  @Test("A number is one as JSON writes it", arguments: numbers)
  func number(_ row: (text: String, isNumber: Bool)) {
    #expect(Array(row.text.utf8).isJSONNumber == row.isNumber)
  }

  @Test("A variable is named by letters, digits, _, - and dots, and not now")
  func names() {
    for name in ["a", "a-b", "ä.9_", "nowhere"] { #expect(Template.isName(name)) }
    for name in ["", "a b", "now", "now-1h", "a{"] { #expect(!Template.isName(name)) }
  }
}
