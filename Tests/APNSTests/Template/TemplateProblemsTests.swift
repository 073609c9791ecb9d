import APNS
import JSONText
import Testing

@Suite("What is wrong with a template")
struct TemplateProblemsTests {
  @Test("is told before any row, every fault with its place")
  func form() throws {
    let text = """
      {"aps": {"alert": "Hi {{name",
        "badge": "{{unread|nubmer}}"},
       "{{key}}": ["{{a b}} {{c|default(d)}}"]}
      """
    let template = try #require(Template(text))
    let problems = template.problems
    #expect(problems.map(\.rule).filter { $0 == "placeholder-form" }.count == 4)
    #expect(
      problems.map { "\($0.line ?? 0):\($0.column ?? 0) \($0.place)" } == [
        "1:19 aps.alert", "2:12 aps.badge", "3:2 \"{{key}}\"", "3:14 \"{{key}}\"[0]",
        "3:14 \"{{key}}\"[0]",
      ])
    #expect(problems[1].fix == "Did you mean number?")
    #expect(problems[0].fix == "Close it with }}, or write {{{{ for two braces.")
    #expect(throws: BrokenRules(problems)) { try template.renderer(force: true) }
    #expect(throws: BrokenRules(problems)) { try template.filled() }
  }

  @Test("is told together with the headers")
  func headers() throws {
    let draft = Draft.sample(topic: "a b", text: #"{"aps":{"alert":"{{x"}}"#)
    let template = try #require(Template(draft, in: RuleContext(now: 0)))
    #expect(template.problems.map(\.rule) == ["topic-form", "placeholder-form"])
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var text: String
    var type = "alert"
    var variables: [String: JSON] = [:]
    var rules: [String] = []
    var testDescription: String { "\(type) \(text)" }
  }

  static let cases = [
    Case(text: #"{"aps":{"alert":"Hi {{name}}","badge":"{{unread}}"}}"#),
    Case(text: #"{"aps":{"alert":"{{a}}","sound":"{{s}}","interruption-level":"{{l}}"}}"#),
    Case(
      text: #"{"aps":{"alert":"A","interruption-level":"{{l}}-sensitive"}}"#, rules: ["key-word"]),
    Case(text: #"{"aps":{"alert":"A","relevance-score":"{{r}}","mutable-content":"{{m}}"}}"#),
    Case(text: #"{"aps":{"badge":"{{n|number}}"}}"#),
    Case(text: #"{"aps":{"badge":"{{n}} left"}}"#, rules: ["key-kind"]),
    Case(text: #"{"aps":{"alert":"A","category":"{{n|number}}"}}"#, rules: ["key-kind"]),
    Case(text: #"{"aps":{"badge":"3","alert":"{{a}}"}}"#, rules: ["key-kind"]),
    Case(text: #"{"aps":{"alret":"{{a}}"}}"#, rules: ["alert-content", "key-unknown"]),
    Case(text: #"{"aps":{"alert":{"title":"{{t}}","titel":1}}}"#, rules: ["key-unknown"]),
    Case(text: #"{"aps":"{{aps}}"}"#, rules: ["alert-content"]),
    Case(text: #"{"aps":{"content-available":"{{c}}"}}"#, type: "background"),
    Case(
      text: #"{"aps":{"content-available":1,"alert":"{{a}}"}}"#, type: "background",
      rules: ["background-silent"]),
    Case(text: #"{"aps":{"content-changed":"{{c}}"}}"#, type: "widgets"),
    Case(text: #"{"mdm":"{{magic}}"}"#, type: "mdm"),
    // An event that is not known yet asks for what every event needs.
    Case(text: #"{"aps":{"event":"{{e}}"}}"#, type: "liveactivity", rules: ["activity-needs"]),
    Case(
      text: #"{"aps":{"event":"end","timestamp":"{{t}}","dismissal-date":"{{d}}"}}"#,
      type: "liveactivity"),
    Case(
      text: #"{"aps":{"event":"end","timestamp":"{{now}}","dismissal-date":"{{now+5h}}"}}"#,
      type: "liveactivity", rules: ["activity-dismissal-date"]),
    Case(
      text:
        #"{"aps":{"event":"update","timestamp":"{{t}}","stale-date":"{{s}}","content-state":{}}}"#,
      type: "liveactivity"),
    Case(text: #"{"aps":{"alert":"A"},"priority":"{{p}}"}"#),
    // What a row may still make good is not told.
    Case(text: #"{"aps":{"alert":"A","interruption-level":"critical","sound":"{{s}}"}}"#),
    Case(
      text:
        #"{"aps":{"alert":"A","interruption-level":"critical","sound":{"name":"A","critical":"{{c}}"}}}"#
    ),
    Case(text: #"{"aps":{"alert":"A","interruption-level":"critical","sound":{"name":"{{n}}"}}}"#),
    Case(
      text:
        #"{"aps":{"alert":"A","interruption-level":"active","sound":{"name":"{{n}}","critical":1}}}"#,
      rules: ["critical-level"]),
    Case(text: #"{"aps":{"alert":{"title":"{{t}}","body":"{{b}}"},"sound":"{{s}}.caf"}}"#),
    Case(text: #"{"aps":{"alert":"A","sound":"{{s}}.mp3"}}"#, rules: ["sound-format"]),
    Case(
      text: #"{"aps":{"event":"update","timestamp":"{{now-2h}}","content-state":{}}}"#,
      type: "liveactivity",
      rules: ["activity-timestamp"]),
    // Values for all rows are known.
    Case(text: #"{"aps":{"badge":"{{n}}"}}"#, variables: ["n": "3"], rules: ["key-kind"]),
    Case(text: #"{"aps":{"badge":"{{n}}"}}"#, variables: ["n": 3]),
    Case(
      text: #"{"aps":{"badge":"{{n}}"}}"#, variables: ["n": nil], rules: ["placeholder-value"]),
    Case(text: #"{"aps":{"badge":"{{n|number}}"}}"#, variables: ["n": "3"]),
    Case(
      text: #"{"aps":{"badge":"{{n|number}}"}}"#, variables: ["n": "few"],
      rules: ["placeholder-value"]),
  ]

  @Test("is what breaks a rule whatever the rows say", arguments: cases)
  func common(_ example: Case) throws {
    let template = try #require(
      Template(example.text, type: example.type, variables: example.variables))
    #expect(template.problems.map(\.rule) == example.rules)
  }

  @Test("counts the bytes that all rows share", arguments: [4096, 4097])
  func size(_ count: Int) throws {
    let frame = #"{"aps":{"alert":""}}"#
    let text = String(repeating: "a", count: count - frame.count)
    let template = try #require(Template(#"{"aps":{"alert":"\#(text){{name}}"}}"#))
    let messages = count > 4096 ? ["The payload is 4097 bytes long; the limit is 4096."] : []
    #expect(template.problems.map(\.message) == messages)
    var renderer = try template.renderer()
    let row = ["name": RowValue.text("b")]
    let error = #expect(throws: BrokenRules.self) { try renderer.text(row) }
    #expect(error?.problems.map(\.rule) == ["payload-size"])
    #expect(throws: Never.self) { try template.renderer(force: true) }
    var forced = try template.renderer(force: true)
    #expect(try forced.text(row).utf8.count == count + 1)
  }

  @Test("of a voip push counts to the limit of its type")
  func sizeOfType() throws {
    let template = try #require(Template(#"{"own":"{{a}}"}"#, type: "voip"))
    var renderer = try template.renderer()
    let frame = #"{"own":""}"#.utf8.count
    let fits = String(repeating: "a", count: 5120 - frame)
    #expect(try renderer.text(["a": .text(fits)]).utf8.count == 5120)
    let broken = #expect(throws: BrokenRules.self) { try renderer.text(["a": .text(fits + "a")]) }
    #expect(broken?.problems.map(\.rule) == ["payload-size"])
    #expect(try renderer.text(["a": .text(fits)]).utf8.count == 5120)
  }
}
