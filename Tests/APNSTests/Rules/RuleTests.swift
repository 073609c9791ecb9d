import JSONText
import RuleSamples
import Testing

@testable import APNS

/// A draft, and the rules it breaks.
struct RuleCase: Sendable, CustomTestStringConvertible {
  var name: String
  var draft: Draft
  var broken: [String]
  var authentication: Authentication? = nil
  var audience = RuleContext.Audience.device

  var testDescription: String { name }

  var problems: [Problem] {
    let context = RuleContext(
      now: 1_700_000_000, authentication: authentication, audience: audience)
    return RuleTable.problems(in: draft, context)
  }
}

@Suite struct RuleTests {
  @Test("A draft breaks exactly the rules it should", arguments: RuleCase.all)
  func broken(example: RuleCase) {
    #expect(example.problems.map(\.rule) == example.broken)
  }

  @Test(
    "A sample breaks its own rule alone, and the one beside it breaks none", arguments: RulePair.all
  )
  func pair(pair: RulePair) {
    #expect(pair.broken.problems.map(\.rule) == [pair.rule])
    #expect(pair.kept.problems.map(\.message) == [])
  }

  @Test("Every rule has such a pair")
  func coverage() {
    #expect(Set(RulePair.all.map(\.rule)) == Set(RuleTable.all.map(\.identifier)))
  }

  @Test("Every draft with no error becomes a notification, and no other", arguments: RuleCase.all)
  func notification(example: RuleCase) {
    guard example.audience == .device else { return }
    let context = RuleContext(now: 1_700_000_000, authentication: example.authentication)
    let made = try? Notification(example.draft, in: context)
    #expect((made != nil) == !example.problems.contains { $0.severity == .error })
  }

  @Test(
    "Every broken rule is told in whole sentences that are safe to print", arguments: RuleCase.all)
  func sentences(example: RuleCase) {
    for problem in example.problems {
      #expect(problem.message.hasSuffix("."), "\(problem.message)")
      #expect(problem.fix.hasSuffix(".") || problem.fix.hasSuffix("?"), "\(problem.fix)")
      #expect(!(problem.message + problem.fix).unicodeScalars.contains { $0.isControl })
    }
  }

  @Test("A problem says where it is")
  func place() throws {
    let text = "{\n  \"aps\": {\"content-available\": 1,\n    \"badge\": 3}\n}"
    let problem = try #require(
      RuleCase(name: "", draft: .sample(type: "background", text: text), broken: []).problems.first)
    #expect(problem.place.description == "aps.badge")
    #expect(problem.file == "order.json")
    #expect(problem.line == 3)
    #expect(problem.column == 14)
  }

  @Test("A problem of an option names the option")
  func option() throws {
    let field = DraftField(.priority, "7", from: .setting("--priority"))
    let problem = try #require(
      RuleCase(name: "", draft: .sample(fields: [field]), broken: []).problems.first)
    #expect(problem.origin?.setting == "--priority")
    #expect(problem.place.description == "header apns-priority")
    #expect(problem.message == "\"7\" is not a priority.")
    #expect(problem.file == nil)
  }

  @Test("A payload that is too long says by how much")
  func excess() {
    let payload: JSON = ["aps": ["alert": JSON(.string(String(repeating: "a", count: 4097 - 20)))]]
    let problems = RuleCase(name: "", draft: .sample(payload: payload), broken: []).problems
    #expect(problems.map(\.message) == ["The payload is 4097 bytes long; the limit is 4096."])
    #expect(problems.first?.fix.contains("by 1 byte,") == true)
  }

  @Test(
    "A push type with a slip of the pen is recognized",
    arguments: [
      ("Alert", "alert"), ("live-activity", "liveactivity"), ("Liveactivity", "liveactivity"),
      ("push_to_talk", "pushtotalk"), ("widget", "widgets"), ("backgroud", "background"),
    ])
  func suggestion(text: String, meant: String) {
    let problems = RuleCase(name: "", draft: .sample(type: text), broken: []).problems
    #expect(problems.map(\.fix) == ["Did you mean \(meant)?"])
  }

  @Test("A value from outside is quoted, cut and made harmless")
  func quoting() {
    #expect(quoted("a\u{1B}[2Jb\u{202E}") == #""a\u{1b}[2Jb\u{202e}""#)
    #expect(quoted(String(repeating: "x", count: 61)).hasSuffix("x…\""))
    #expect(printable("é" + String(repeating: "\u{301}", count: 500)).unicodeScalars.count <= 241)
  }
}
