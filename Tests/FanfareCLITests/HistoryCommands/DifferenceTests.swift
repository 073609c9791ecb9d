import APNS
import History
import JSONText
import PushModel
import Testing

@testable import HistoryCommands
@testable import Reporting
@testable import Runs
@testable import Settings

@Suite("What differs between two places of the history")
struct DifferenceTests {
  static let payloads: [(old: String, new: String, lines: [String])] = [
    (#"{"aps":{"alert":"a"}}"#, #"{ "aps": {"alert": "a"} }"#, []),
    (
      #"{"aps":{"badge":1}}"#, #"{"aps":{"badge":"1"}}"#,
      ["- aps.badge: 1", #"+ aps.badge: "1""#]
    ),
    (
      #"{"aps":{"alert":"a"}}"#, #"{"aps":{"alert":{"title":"a"}}}"#,
      [#"- aps.alert: "a""#, #"+ aps.alert.title: "a""#]
    ),
    (
      #"{"a b":{"":[1,2]}}"#, #"{"a b":{"":[1,3,{}]}}"#,
      [#"- ["a b"][""][1]: 2"#, #"+ ["a b"][""][1]: 3"#, #"+ ["a b"][""][2]: {}"#]
    ),
    (
      #"{"a":"\u001b[2J"}"#, #"{"a":null}"#,
      [#"- a: "\u001b[2J""#, "+ a: null"]
    ),
  ]

  @Test("is told of payloads member by member", arguments: payloads)
  func payload(_ row: (old: String, new: String, lines: [String])) {
    let difference = Difference(
      ComparedSide(run(payload: row.old)), ComparedSide(run(2, payload: row.new)))
    let text = ReportText().text(of: difference.report)
    let wanted = ["--- run 1", "+++ run 2", "@ payload"] + row.lines
    #expect(text == (row.lines.isEmpty ? "" : wanted.joined(separator: "\n") + "\n"))
    #expect(difference.isSame == row.lines.isEmpty)
  }

  @Test("is told of requests and answers of two pushes")
  func pushes() {
    let other = run(
      2, environment: "production", server: nil, headers: #"{"apns-topic":"b\u001b"}"#)
    let text = ReportText().text(
      of: Difference(
        side(entry(), run()), side(entry(.rejected, .dead, run: 2, latency: 9000), other)
      ).report)
    let lines = text.split(separator: "\n").dropFirst(2)
    #expect(
      lines == [
        "@ request", "- environment: sandbox", "+ environment: production",
        "- server: https://127.0.0.1:2197", "- apns-push-type: alert",
        "- apns-topic: com.example.shop", #"+ apns-topic: b\u{1b}"#, "@ answer",
        "- outcome: accepted", "+ outcome: rejected", "- status: 200", "+ status: 410",
        "+ reason: Unregistered", "@ latency", "- latency: 1.3 ms", "+ latency: 9.0 ms",
      ])
    #expect(text.hasPrefix("--- run 1, push 1: ") && text.contains(" to …0a1b2c3d, 2023-11-14T"))
  }

  @Test("does not count latencies")
  func latency() {
    let difference = Difference(side(entry(), run()), side(entry(latency: 9000), run()))
    #expect(difference.isSame && difference.lines.count == 1)
    #expect(ReportText().text(of: difference.report) == "")
  }

  @Test("is told of what the pushes of two runs came to")
  func runs() {
    var (old, new) = (OutcomeTally(), OutcomeTally())
    (old.accepted, new.accepted, new.rejected) = (40_002, 40_001, 1)
    let text = ReportText().text(
      of: Difference(
        ComparedSide(run(tally: old)),
        ComparedSide(run(2, tally: new), reasons: [ReasonCount("BadTopic", 1)])
      ).report)
    #expect(
      text.split(separator: "\n").dropFirst(2) == [
        "@ counts", "- accepted: 40,002", "+ accepted: 40,001", "- rejected: 0", "+ rejected: 1",
        "+ BadTopic: 1",
      ])
  }

  @Test("of a run and a push is about the requests alone")
  func mixed() {
    #expect(Difference(ComparedSide(run()), side(entry(.rejected, .dead), run())).lines.isEmpty)
  }

  @Test("cannot be told of a payload that is lost, on either side or on both")
  func lost() throws {
    let push = entry()
    let (here, gone) = (side(push, run()), ComparedSide(push, run(), lostRequest(push, run())))
    for (old, new) in [(gone, here), (here, gone), (gone, gone)] {
      let difference = Difference(old, new)
      #expect(difference.lost != nil && difference.lines.isEmpty)
      #expect(difference.report.exitCode == .usage)
      let json = try JSONReader().read(ReportJSON.bytes(difference.report))
      #expect(json["same"] == false && json["payloadsCompared"] == false)
    }
    #expect(Difference(here, here).report.exitCode == .success)
  }

  @Test("tells who signed in by a certificate, and who by a token")
  func signing() {
    var settings = Settings()
    settings.certificate = Setting(.file("shop.p12"), .storedRun)
    let sides = (ComparedSide(run()), ComparedSide(run(2, settings: settings)))
    let text = ReportText().text(of: Difference(sides.0, sides.1).report)
    #expect(
      text.split(separator: "\n").dropFirst(2) == [
        "@ request", "- signed in by: token", "+ signed in by: certificate",
      ])
  }

  @Test("is an object for programs")
  func json() throws {
    let new = run(2, payload: #"{"aps":{"alert":"It's time","badge":2}}"#)
    let difference = Difference(side(entry(), run()), side(entry(run: 2), new))
    let json = try JSONReader().read(ReportJSON.bytes(difference.report))
    #expect(json.object?.keys == ["old", "new", "same", "payloadsCompared", "differences"])
    #expect(json["old"]?["sequence"] == 1 && json["new"]?["run"] == 2)
    #expect(json["differences"] == [["part": "payload", "name": "aps.badge", "new": 2]])
    #expect(
      !String(decoding: ReportJSON.bytes(difference.report), as: UTF8.self).contains(sampleToken))
  }

  private func side(_ push: PushEntry, _ run: StoredRun) -> ComparedSide {
    ComparedSide(push, run, request(push, run))
  }
}
