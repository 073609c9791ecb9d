import JSONText
import TestSupport
import Testing

@testable import APNS

/// The quick verdict on a row is that of the whole table of rules.
@Suite("A verdict on a row")
struct TemplateVerdictTests {
  static let templates: [(type: String, text: String)] = [
    ("alert", #"{"aps":{"alert":"Hi {{a}}","badge":"{{b}}"},"own":"{{c}}"}"#),
    ("alert", #"{"aps":{"alert":"{{a}}{{b}}","badge":"{{c}}"}}"#),
    ("alert", #"{"aps":"{{a}}"}"#),
    ("alert", #"{"aps":{"alert":"{{a}}","sound":"{{b}}","category":"{{c}}"}}"#),
    (
      "alert",
      #"{"aps":{"alert":{"title":"{{a}}","body":"{{b|default('x')}}","loc-args":["{{c}}"]}}}"#
    ),
    (
      "alert", #"{"aps":{"alert":"A","interruption-level":"{{a}}{{b}}","relevance-score":"{{c}}"}}"#
    ),
    ("alert", #"{"aps":{"sound":{"name":"{{a}}","volume":"{{b}}","critical":"{{c}}"}}}"#),
    ("alert", #"{"aps":{"alert":"A"},"priority":"{{a}}","x":{"y":["{{b}}"]},"badge":"{{c}}"}"#),
    (
      "alert",
      #"{"aps":{"badge":"{{a|number}}","alert":{"title":"n {{b|number}}","body":"{{c}}"}}}"#
    ),
    ("alert", #"{"aps":{"alert":{"title":" {{a}}","body":"{{b}}{{c}}"},"badge":"x"}}"#),
    (
      "alert",
      #"{"aps":{"alert":"{{a}} {{b}}","interruption-level":"critical","sound":"{{c}}","badge":-1}}"#
    ),
    ("alert", #"{"aps":{"badge":-1,"sound":{"name":"{{a}}.{{b}}","critical":"{{c}}"}}}"#),
    ("alert", #"{"message":"{{a}}","notification":"{{b}}","other":"{{c}}"}"#),
    ("", #"{"message":"{{a}}","aps":{"title":"{{b}}"}}"#),
    ("alert", "\"{{a}}\""), ("alert", "[\"{{a}}\"]"),
    ("alert", #"{"aps":{"alert":"{{now}}{{a}}","mutable-content":"{{b}}"},"mdm":"{{c}}"}"#),
    ("alert", "{\"aps\":{\"alert\":\"\(String(repeating: "a", count: 4060)){{a}}{{b}}\"}}"),
    ("background", #"{"aps":{"content-available":"{{a}}","category":"{{b}}"},"own":"{{c}}"}"#),
    ("widgets", #"{"aps":{"content-changed":"{{a}}"},"own":"{{b}}"}"#),
    ("mdm", #"{"mdm":"{{a}}"}"#), ("mdm", #"{"mdm":"x{{a}}"}"#),
    ("voip", #"{"caller":"{{a}}","aps":{"alert":"{{b}}"}}"#),
    ("fileprovider", #"{"container-identifier":"{{a}}","domain":"{{b}}{{c}}"}"#),
    (
      "liveactivity",
      #"{"aps":{"event":"{{a}}","timestamp":"{{b}}","content-state":{"s":"{{c}}"}}}"#
    ),
    ("liveactivity", #"{"aps":{"event":"end","timestamp":"{{now}}","dismissal-date":"{{a}}"}}"#),
    (
      "liveactivity",
      #"{"aps":{"event":"start","timestamp":"{{a}}","stale-date":"{{b}}","attributes-type":"A","attributes":"{{c}}","alert":{"title":"T","body":"B"},"content-state":{},"input-push-channel":"{{b}}"}}"#
    ),
    ("mystery", #"{"aps":{"alert":"{{a}}"},"own":"{{b}}"}"#),
  ]

  private static let deep =
    String(repeating: "[", count: 31) + String(repeating: "]", count: 31)

  static let values: [RowValue] =
    [
      "", "Ada", "10", "5", "0", "1", "-1", "0.5", "start", "update", "end", "passive", "active",
      "AAAA", "{{a}}", "1700000000", "time-sensitive", "\"", "é🍞", "{", "a\u{0}b", "true", "null",
      "1700000000000", String(repeating: "a", count: 40), " ", "\t\n", "\u{A0}", "bell.mp3",
      "a/b.caf", "mp3", "Shop.Ride",
    ].map(RowValue.text)
    + [
      "null", "true", "false", "0", "1", "1.0", "10", "5", "-1", "1e999", "1700000000",
      "1700010000", "1700000000000", #""""#, #""passive""#, #""10""#, #""\u0070assive""#, "{}",
      "[]",
      #"["a"]"#, #"["a",1]"#, #"{"title":"T"}"#, #"{"title":{}}"#, #"{"alert":"A"}"#, deep,
      #"{"name":"x","volume":80}"#, #"{"critical":1}"#, #"{"token":"x"}"#, #"{"title":" "}"#,
      #"" \n""#, #""\u0020""#, #"{"{{a}}":1}"#, #"{"event":"end"}"#,
    ].map(RowValue.json) + [.missing, .bytes([0xFF])]
    // Often empty, so that rows where two values are empty come up.
    + Array(repeating: .text(""), count: 12)

  @Test("is the same for each of thousands of rows", arguments: templates)
  func exact(_ row: (type: String, text: String)) throws {
    let template = try #require(Template(row.text, type: row.type))
    var renderer = try template.renderer()
    var forced = try template.renderer(force: true)
    var random = SeededRandom(seed: 23)
    for _ in 0..<150 {
      let values = Dictionary(
        uniqueKeysWithValues: renderer.names.map {
          ($0, Self.values.randomElement(using: &random) ?? .missing)
        })
      // What cannot be filled has no bytes to look at.
      guard let text = try? forced.text(values) else {
        #expect(throws: BrokenRules.self) { try renderer.text(values) }
        continue
      }
      let expected = Self.errors(in: text, of: row)
      let found = Result { () throws(BrokenRules) in try renderer.text(values) }
      #expect(found == (expected.isEmpty ? .success(text) : .failure(BrokenRules(expected))))
    }
  }

  /// What all the rules say of a payload, each problem at the place of its placeholder.
  private static func errors(
    in payload: String, of row: (type: String, text: String)
  ) -> [Problem] {
    let suffix = PushType(rawValue: row.type)?.info?.suffix ?? ""
    let topic = row.type == "mdm" ? "com.apple.mgmt.External.1" : "com.example.shop" + suffix
    let draft = Draft.sample(topic: topic, type: row.type, text: payload)
    let problems = RuleTable.problems(in: draft, RuleContext(now: Template.now))
    let template = try? JSONReader().read(row.text)
    return problems.contains { $0.severity == .error }
      ? problems.map { $0.moved(to: template) } : []
  }

  @Test("is found anew when many have been forgotten")
  func bounded() throws {
    var renderer = try #require(try Template(#"{"aps":{"badge":"{{n}}"}}"#)?.renderer())
    for number in 0..<(3 * TemplateRenderer.verdictLimit) {
      #expect(try renderer.text(["n": .json("\(number)")]) == #"{"aps":{"badge":\#(number)}}"#)
      #expect(throws: BrokenRules.self) { try renderer.text(["n": .json("-\(number + 1)")]) }
    }
  }

  @Test("says where the placeholder is, whatever was put before it")
  func place() throws {
    let text = "{\"aps\": {\"alert\": \"{{a}}\",\n   \"badge\": \"{{n}}\"}}"
    var renderer = try #require(try Template(text)?.renderer())
    for alert in ["x", "a\nmuch longer text"] {
      let row: [String: RowValue] = ["a": .text(alert), "n": .json("-1")]
      let error = #expect(throws: BrokenRules.self) { try renderer.text(row) }
      #expect(error?.problems.map(\.line) == [2])
      #expect(error?.problems.map(\.column) == [13])
      #expect(error?.problems.map(\.message) == ["aps.badge is -1, not a whole number from 0."])
    }
  }
}

extension Problem {
  /// The problem at the place in the template of what it is about: the value at its path, or the
  /// placeholder that this came out of. Problems about keys stand at the key.
  fileprivate func moved(to template: JSON?) -> Problem {
    guard case .payload(let path) = self.place, origin?.position != nil else { return self }
    var value = template
    var position = template?.position
    for (index, step) in path.steps.enumerated() {
      guard let here = value, here.string == nil else { break }
      let isLast = index == path.steps.count - 1
      switch step {
      case .index(let index): value = here.array.flatMap { $0.indices ~= index ? $0[index] : nil }
      case .key(let key):
        let member = here.object?.members.first { $0.key == key }
        if isLast, isAboutKey { position = member?.keyPosition ?? here.position }
        value = member?.value
      }
      if value == nil { break }
      if !(isLast && isAboutKey) { position = value?.position }
    }
    return Problem(
      severity, rule: rule, at: self.place, from: .file(file, at: position), message: message,
      fix: fix, reason: reason, isForceable: isForceable)
  }

  private var isAboutKey: Bool {
    ["key-unknown", "key-misplaced", "header-in-payload"].contains(rule)
  }
}
