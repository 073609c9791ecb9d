import APNS
import JSONText
import Testing

@Suite("A template")
struct TemplateRenderingTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var value: String
    var row: [String: RowValue]
    var rendered: String
    init(_ value: String, _ row: [String: RowValue], _ rendered: String) {
      (self.value, self.row, self.rendered) = (value, row, rendered)
    }
    var testDescription: String { "\(value) \(row)" }
  }

  private static func template(_ value: String, _ variables: [String: JSON] = [:]) -> Template? {
    Template(#"{"aps":{"alert":"A"},"own":\#(value)}"#, variables: variables)
  }

  static let rows = [
    Row(#""Hi {{a}}!""#, ["a": .text("Ada")], #""Hi Ada!""#),
    Row(#""{{a}}""#, ["a": .text("Ada")], #""Ada""#),
    Row(#""{{a}} and {{b}} and {{a}}""#, ["a": .text("1"), "b": .json("2")], #""1 and 2 and 1""#),
    Row(#"["{{a}}",{"k":"{{a}}"}]"#, ["a": .json("7")], #"[7,{"k":7}]"#),
    // Text is escaped and cannot become anything but text.
    Row(
      #""{{a}}""#, ["a": .text(#"","aps":{"badge":9},"x":""#)],
      #""\",\"aps\":{\"badge\":9},\"x\":\"""#),
    Row(#""x{{a}}""#, ["a": .text("\"\\\n\u{1}é🍞")], #""x\"\\\n\u0001é🍞""#),
    Row(#""{{a}}""#, ["a": .text("{{b}}")], #""{{b}}""#),
    Row(#""{{a}}""#, ["a": .text("12")], #""12""#),
    // A whole text takes the JSON type.
    Row(#""{{a}}""#, ["a": .json("1.50e3")], "1.50e3"),
    Row(#""{{a}}""#, ["a": .json("true")], "true"), Row(#""{{a}}""#, ["a": .json("null")], "null"),
    Row(#""{{a}}""#, ["a": .json(#"{"k":[1,"é"]}"#)], #"{"k":[1,"é"]}"#),
    Row(#""{{a}}""#, ["a": .json("[]")], "[]"),
    Row(#""{{a}}""#, ["a": .json(#""\u0041\/\"""#)], #""A/\"""#),
    // In the middle of a text values are printed.
    Row(#""{{a}}.""#, ["a": .json("1.50e3")], #""1.50e3.""#),
    Row(#""{{a}}.""#, ["a": .json("false")], #""false.""#),
    Row(#""{{a}}.""#, ["a": .json(#""\u00e9""#)], #""é.""#),
    // Numbers.
    Row(#""{{a|number}}""#, ["a": .text("3")], "3"),
    Row(#""{{a|number}}""#, ["a": .json(#""3""#)], "3"),
    Row(#""{{a|number}}""#, ["a": .json("-3.5")], "-3.5"),
    Row(#""{{a|number}} left""#, ["a": .text("3")], #""3 left""#),
    Row(#""{{a|number|default('0')}}""#, [:], "0"),
    Row(#""{{a|number|default('0')}}""#, ["a": .text("")], "0"),
    Row(#""{{a|number|default('0')}} left""#, ["a": .json("null")], #""0 left""#),
    // Defaults.
    Row(#""{{a|default('you')}}""#, [:], #""you""#),
    Row(#""Hi {{a|default('\"x\"')}}""#, ["a": .text("")], #""Hi \"x\"""#),
    Row(#""{{a|default('you')}}""#, ["a": .json("null")], #""you""#),
    Row(#""{{a|default('you')}}""#, ["a": .json(#""""#)], #""you""#),
    Row(#""{{a|default('you')}}""#, ["a": .json("0")], "0"),
    Row(#""{{a|default('you')}}""#, ["a": .json("[]")], "[]"),
    Row(#""{{a|default('you')}}""#, ["a": .text(" ")], #"" ""#),
    Row(#""{{a}}""#, ["a": .text("")], #""""#),
    // The present, and braces.
    Row(#""{{now}}""#, [:], "1700000000"), Row(#""{{now+15m}}""#, [:], "1700000900"),
    Row(#""at {{now-1h}}""#, [:], #""at 1699996400""#),
    Row(#""{{{{a}} {{a}}""#, ["a": .text("b")], #""{{a}} b""#),
  ]

  @Test("puts values in their places", arguments: rows)
  func render(_ row: Row) throws {
    var renderer = try #require(try Self.template(row.value)?.renderer())
    let text = try renderer.text(row.row)
    #expect(text == #"{"aps":{"alert":"A"},"own":\#(row.rendered)}"#)
  }

  struct Fault: Sendable, CustomTestStringConvertible {
    var value: String
    var given: RowValue
    var rule: String
    var message: String
    init(_ value: String, _ given: RowValue, _ rule: String, _ message: String) {
      (self.value, self.given, self.rule, self.message) = (value, given, rule, message)
    }
    var testDescription: String { "\(value) \(given)" }
  }

  static let faults = [
    Fault("Hi {{a}}", .missing, "placeholder-unfilled", "The variable a has no value."),
    Fault("{{a|number}}", .missing, "placeholder-unfilled", "The variable a has no value."),
    Fault("Hi {{a}}", .json("null"), "placeholder-value", "The variable a is null."),
    Fault("{{a|number}}", .json("null"), "placeholder-value", "The variable a is null."),
    Fault("{{a|number}}", .text(""), "placeholder-value", "The variable a is \"\", not a number."),
    Fault(
      "{{a|number}}", .text("a\u{1B}b"), "placeholder-value",
      #"The variable a is "a\u{1b}b", not a number."#),
    Fault(
      "{{a|number}}", .json("true"), "placeholder-value",
      "The variable a is \"true\", not a number."),
    Fault(
      "{{a|number}}", .json("[1]"), "placeholder-value", "The variable a is \"[1]\", not a number."),
    Fault("Hi {{a}}", .bytes([0x41, 0xE9]), "placeholder-value", "The variable a is not UTF-8."),
    Fault("{{a}}", .bytes([0xC0, 0x80]), "placeholder-value", "The variable a is not UTF-8."),
    Fault(
      "Hi {{a}}", .json("{}"), "placeholder-value",
      "The variable a is an array or an object inside text."),
    Fault(
      "{{a}}", .json(String(repeating: "[", count: 32) + String(repeating: "]", count: 32)),
      "placeholder-value",
      "The variable a is not valid here: Arrays and objects nest deeper than 31 levels."),
  ]

  @Test("refuses a row whose value cannot stand in its place", arguments: faults)
  func fault(_ fault: Fault) throws {
    var renderer = try #require(try Self.template(#""\#(fault.value)""#)?.renderer())
    let error = #expect(throws: BrokenRules.self) { try renderer.text(["a": fault.given]) }
    let problem = try #require(error?.problems.first)
    #expect(error?.problems.count == 1)
    #expect(problem.rule == fault.rule)
    #expect(problem.message == fault.message)
    #expect(problem.place.description == "own")
    #expect(problem.file == "order.json")
    #expect([problem.line, problem.column] == [1, 28])
  }

  static let nulls: [(payload: String, isTaken: Bool)] = [
    (#"{"aps":{"alert":"A","badge":"{{a}}"}}"#, false),
    (#"{"aps":{"alert":{"title":"{{a}}","body":"A"}}}"#, false),
    (#"{"aps":"{{a}}"}"#, false),
    (#"{"aps":{"alert":"A","badge":"{{a|default('0')}}"}}"#, true),
    (#"{"aps":{"alert":"A"},"badge":"{{a}}"}"#, true),
    (#"{"aps":{"alert":"A","own":"{{a}}"}}"#, true),
    (#"{"aps":{"alert":"A"},"domain":"{{a}}"}"#, true),
  ]

  @Test("refuses a row's null as the value of one of Apple's keys, force or not", arguments: nulls)
  func null(_ row: (payload: String, isTaken: Bool)) throws {
    var forced = try #require(try Template(row.payload)?.renderer(force: true))
    do throws(BrokenRules) {
      _ = try forced.text(["a": .json("null")])
      #expect(row.isTaken)
    } catch {
      #expect(!row.isTaken)
      #expect(error.problems.map(\.message) == ["The variable a is null."])
    }
  }

  @Test("tells of everything that is wrong with a row at once")
  func allFaults() throws {
    let template = Self.template(#"["{{a}}","{{b|number}}","{{c}}"]"#)
    var renderer = try #require(try template?.renderer())
    let error = #expect(throws: BrokenRules.self) {
      try renderer.text(["b": .text("x"), "c": .text("y")])
    }
    #expect(error?.problems.map(\.place.description) == ["own[0]", "own[1]"])
  }

  @Test("takes a row's value before one for all rows")
  func fixed() throws {
    let variables: [String: JSON] = ["a": "shop", "n": 7]
    var renderer = try #require(
      try Self.template(#"["{{a}}","{{n}}","{{a|default('x')}}"]"#, variables)?.renderer())
    func rendered(_ list: String) -> String { #"{"aps":{"alert":"A"},"own":\#(list)}"# }
    #expect(try renderer.text([:]) == rendered(#"["shop",7,"shop"]"#))
    #expect(try renderer.text(["a": .text("me")]) == rendered(#"["me",7,"me"]"#))
    #expect(try renderer.text(["a": .text("")]) == rendered(#"["",7,"x"]"#))
    #expect(try renderer.text(["n": .json("null")]) == rendered(#"["shop",null,"shop"]"#))
  }

  @Test("asks for each variable once, and needs those that nothing stands in for")
  func names() throws {
    let text =
      #"["{{b}}","{{a}} {{b}}","{{c|default('x')}}","{{d}}","{{d|default('y')}}","{{now}}"]"#
    let template = try #require(Self.template(text, ["a": 1]))
    #expect(template.names == ["b", "a", "c", "d"])
    #expect(template.neededNames == ["b", "d"])
  }

  @Test("is none without two braces, and one without variables fills itself")
  func none() throws {
    #expect(Self.template(#""a { b }""#) == nil)
    let template = try #require(Self.template(#""{{now+1h}} {{{{x}}""#))
    #expect(template.names.isEmpty)
    let payload = try #require(try template.filled().payload)
    #expect(payload.json?["own"] == "1700003600 {{x}}")
    #expect(payload.bytes == payload.json?.encoded(.wire))
  }

  @Test("writes what it does not fill as it would be sent without it")
  func literal() throws {
    let text = #"{"aps":{"alert":"é\"\n🍞"},"n":[1.50,true,null,{}],"{{{{":"\u0001","a":"{{a}}"}"#
    var renderer = try #require(try Template(text)?.renderer())
    let json = try JSONReader().read(try renderer.text(["a": .text("{{a}}")]))
    #expect(try renderer.text(["a": .text("{{a}}")]) == json.encodedString(.wire))
    #expect(json == (try JSONReader().read(text)))
  }
}
