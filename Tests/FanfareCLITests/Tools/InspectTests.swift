import APNS
import CommandLineKit
import JSONText
import PlainText
import TestSupport
import Testing

@testable import FanfareCLI
@testable import Reporting
@testable import Runs
@testable import Tools

@Suite("What is told of a payload")
struct InspectTests {
  @Test("is as recorded, as text and as JSON")
  func recorded() throws {
    let text = """
      {"Simulator Target Bundle": "com.example.shop", "order": 7, "\\u001b[1m": {}, "domain": "x",
       "aps": {"alert": {"title": "Ready", "loc-key": "BODY", "loc-args": ["Ada"]},
               "sound": {"critical": 1}, "custom": {"title": 1}}}
      """
    let printed = try inspected(text)
    try expectSnapshot(printed.text, "inspect.txt")
    try expectSnapshot(printed.json, "inspect.json")
  }

  @Test("says what is over a limit")
  func limits() throws {
    let body = String(repeating: "x", count: 5000)
    let text = try inspected(#"{"aps": {"alert": "\#(body)"}}"#).text
    #expect(
      text.contains(
        "5,020 bytes as sent (APNs 4,096: 924 too many, voip 5,120: fits, simulator 4,096: 924"))
  }

  static let silent: [(text: String, type: PushType?, says: String)] = [
    (#"{"aps": {"content-available": 1}}"#, nil, "background"),
    (#"{"aps": {"event": "end", "timestamp": 1, "alert": "Hi"}}"#, nil, "Live Activity"),
    (#"{"aps": {"badge": 1}}"#, nil, "no text"), (#"{"aps": {"alert": ""}}"#, nil, "no text"),
    (#"{"caller": "Ada"}"#, .voip, "voip"),
  ]

  @Test("says why nothing is shown", arguments: silent)
  func silence(_ row: (text: String, type: PushType?, says: String)) throws {
    let facts = try facts(row.text, type: row.type)
    #expect(facts.banner == nil)
    #expect(facts.silence?.contains(row.says) == true)
  }

  @Test("comes with exit code 2 when a file holds no payload", arguments: ["", "[]", "{", "{}"])
  func exitCode(_ text: String) throws {
    try withFile("p.json", text) { path in
      let code = try InspectCommand.parse([path]).run(context()).exitCode
      #expect(code == (text == "{}" ? .success : .usage))
    }
  }

  /// What is told of a payload in `p.apns`.
  private func inspected(_ text: String) throws -> (text: String, json: String) {
    try withFile("p.apns", text) { path in
      let inspect = Inspect(
        files: [path], key: nil, keyPasswordFile: nil, certificatePasswordFile: nil, asJSON: false,
        context: context())
      let report = try inspect.report().report
      let json = String(decoding: ReportJSON.bytes(report), as: UTF8.self)
      return (
        ReportText().text(of: report).replacing(path, with: "p.apns"),
        json.replacing(path, with: "p.apns")
      )
    }
  }

  private func facts(_ text: String, type: PushType? = nil) throws -> PayloadReport {
    try withFile("p.apns", text) { path in
      let options = try SendCommand.parse(["--payload", path]).options
      var assembly = DraftAssembly(options, context())
      assembly.presumedType = type
      let draft = try assembly.draft()
      return PayloadReport(
        draft: draft, json: try #require(draft.payload?.json), variables: [],
        isTypeInferred: type == nil, target: assembly.simulatorTarget)
    }
  }
}

@Suite("A banner")
struct BannerTests {
  static let long = "The quick brown fox jumps over the lazy dog and runs away"
  static let wide = String(repeating: "長", count: 25)

  static let alerts: [(alert: JSON, title: String?, body: [String])] = [
    ("Hi", nil, ["Hi"]), (["title": "Hi"], "Hi", []),
    (["title": "a\nb", "body": "a\n\nb"], "a b", ["a", "", "b"]),
    (["title": .init(.string(long))], "The quick brown fox jumps over the lazy…", []),
    (
      JSON(.string(long)), nil,
      ["The quick brown fox jumps over the lazy", "dog and runs away"]
    ),
    (JSON(.string(wide)), nil, [String(wide.prefix(20)), String(wide.prefix(5))]),
    ("1\n2\n3\n4", nil, ["1", "2", "3", "4"]), ("1\n2\n3\n4\n5", nil, ["1", "2", "3", "4…"]),
    (["title-loc-key": "T", "loc-key": "B", "loc-args": ["x", 1]], "[T]", ["[B: x, 1]"]),
    (["title": ["loc-key": "T", "loc-args": ["x"]], "body": "b"], "[T: x]", ["b"]),
    ("a\u{1b}[1m\u{202e}b", nil, [#"a\u{1b}[1m\u{202e}b"#]),
  ]

  @Test("is cut where the lock screen cuts it, and safe to print", arguments: alerts)
  func lines(_ row: (alert: JSON, title: String?, body: [String])) throws {
    let banner = try #require(Banner(["aps": ["alert": row.alert]]))
    #expect(banner.title == row.title)
    #expect(banner.body == row.body)
  }
}
