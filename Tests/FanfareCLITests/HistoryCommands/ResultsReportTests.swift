import APNS
import Foundation
import History
import JSONText
import PushModel
import Recipients
import SendingSupport
import TestSupport
import Testing

@testable import Delivery
@testable import HistoryCommands
@testable import Reporting
@testable import Runs
@testable import Tools

@Suite("A report of results")
struct ResultsReportTests {
  private static func id(_ number: Int) -> String {
    "681dc321-a1aa-4110-bb8b-\(100_000_000_000 + number)"
  }

  /// A line of results that came so many seconds after the first.
  private static func line(
    _ number: Int, _ outcome: Outcome = .accepted,
    _ answer: String = #""status":200,"reason":null"#,
    latency: Double? = 1.5, second: Int? = 0
  ) -> String {
    let time = second.map { String((Int(presentSecond) + $0) * 1000) } ?? "null"
    return """
      {"sequence":\(number),"list":"a.txt","line":\(number),"token":"\(tokenText(number))",\
      "apnsID":"\(id(number))","outcome":"\(outcome.rawValue)",\(answer),"timestamp":null,\
      "uniqueID":null,"attempts":1,"latencyMilliseconds":\(latency.map { "\($0)" } ?? "null"),\
      "answeredAt":\(time)}
      """
  }

  private static let gone = #""status":410,"reason":"Unregistered""#
  private static let none = #""status":null,"reason":null"#

  /// What a report of files says, and what was said of broken lines.
  private func report(
    _ files: [(name: String, text: String)]
  ) throws -> (report: ResultsReport, broken: [String]) {
    try withTemporaryFolder { folder in
      var broken: [String] = []
      let paths = try files.map { try folder.write($0.name, $0.text) }
      let figures = try ResultFiles(
        files: paths.map { ListTable($0, scratchFolder: folder.path) }
      ) { broken.append("\($0.split(separator: "/").last ?? ""):\($1): \($2)") }
      .read(now: presentSecond * 1000)
      return (ResultsReport(files: files.map(\.name), figures: figures), broken)
    }
  }

  private func json(_ lines: [String], name: String = "r.jsonl") throws -> JSON {
    try report([(name, lines.joined(separator: "\n") + "\n")]).report.report.json
  }

  @Test("counts outcomes and reasons, and measures speed and latencies")
  func figures() throws {
    let json = try json([
      Self.line(1, latency: 2), Self.line(2, .rejected, Self.gone, latency: 3, second: 1),
      Self.line(3, .unknown, Self.none, latency: nil, second: nil),
      Self.line(4, latency: 12, second: 2),
    ])
    #expect(json["total"] == 4 && json["accepted"] == 2 && json["rejected"] == 1)
    #expect(json["unknown"] == 1 && json["acceptance"] == 0.5.json)
    #expect(json["reasons"] == ["Unregistered": 1])
    #expect(json["began"]?.number?.int == Int(presentSecond) * 1000 - 2)
    #expect(json["seconds"]?.number?.double == 2.002)
    #expect(json["pushesPerSecond"]?.number.map { Int($0.double * 100) } == 149)
    #expect(
      json["latencies"] == [
        ["from": 2, "below": 5, "count": 2], ["from": 5, "below": 10, "count": 0],
        ["from": 10, "below": 20, "count": 1],
      ])
    try expect(json, fits: .report)
  }

  @Test("takes of several lines of a push the last, over all files")
  func replaced() throws {
    let first = [Self.line(1, .deferred, Self.none), Self.line(2)].joined(separator: "\n")
    let (report, broken) = try report([
      ("a.jsonl", first + "\n"), ("b.jsonl", Self.line(1, second: 900) + "\n"),
    ])
    #expect(broken.isEmpty && report.report.exitCode == .success)
    let json = report.report.json
    #expect(json["total"] == 2 && json["accepted"] == 2 && json["deferred"] == 0)
    #expect(json["replaced"] == 1 && json["lines"] == 3)
    #expect(json["files"] == ["a.jsonl", "b.jsonl"])
    // The pause before a run was resumed makes no speed.
    #expect(json["seconds"]?.number != nil && json["pushesPerSecond"]?.content == .null)
    let text = ReportText().text(of: report.report)
    #expect(text.contains("not known: nothing was sent for over a minute"), "\(text)")
  }

  static let pauses: [(latency: Double, isPause: Bool)] = [(1000, false), (999, true)]

  @Test("has no speed if nothing was sent for over a minute, in either order", arguments: pauses)
  func pause(_ row: (latency: Double, isPause: Bool)) throws {
    // The later push was sent as long before its answer as it took.
    let lines = [Self.line(1), Self.line(2, latency: row.latency, second: 61)]
    for lines in [lines, lines.reversed()] {
      #expect((try json(lines)["pushesPerSecond"]?.number == nil) == row.isPause)
    }
  }

  @Test("names broken lines, leaves them out, and says so by its exit code")
  func broken() throws {
    let text = [
      Self.line(1), "{", "", #"{"token":"0a"}"#,
      Self.line(1, .deferred).replacing("deferred", with: "late"),
      Self.line(2).prefix(40) + "",
    ].joined(separator: "\n")
    let (report, broken) = try report([("r.jsonl", text)])
    #expect(report.report.exitCode == .failure)
    #expect(report.report.json["brokenLines"] == 4 && report.report.json["total"] == 1)
    #expect(
      broken.map { $0.prefix(12) } == [
        "r.jsonl:2: i", "r.jsonl:4: i", "r.jsonl:5: i", "r.jsonl:6: i",
      ])
    #expect(broken[1] == "r.jsonl:4: it has no apnsID")
    #expect(broken[2].hasPrefix("r.jsonl:5: its outcome is not accepted, rejected, "))
  }

  static let useless: [(name: String, text: String)] = [
    ("r.jsonl", "{}\n"), ("r.csv", "token\n0a1b\n"), ("r.csv", "name\nAda\n"), ("r", "0a1b\n"),
  ]

  @Test("of a file without results is refused", arguments: useless)
  func refuses(_ row: (name: String, text: String)) throws {
    let failure = #expect(throws: Failure.self) { try report([row]) }
    #expect(failure?.exitCode == .usage)
    #expect(failure?.fix.hasPrefix("Give a file that --results or 'history export' wrote") == true)
  }

  @Test("of an empty file has no figures, and no fault")
  func empty() throws {
    let (report, broken) = try report([("r.jsonl", "")])
    #expect(broken.isEmpty && report.report.exitCode == .success)
    let json = report.report.json
    #expect(json["total"] == 0 && json["acceptance"] == nil as JSON && json["latencies"] == [])
    try expect(json, fits: .report)
  }

  @Test("is the same of JSON Lines, CSV, and a file whose name does not tell")
  func forms() throws {
    let batch = FanfareCLITests.results([
      (.accepted, .good), (.rejected, .dead), (.notAttempted, nil),
    ])
    let id = FanfareCLITests.report(batch).apnsID
    let texts = [("r.jsonl", RecordFormat.jsonLines), ("r.csv", .csv)].map { name, format in
      let encoder = format.encoder()
      encoder.encodeHeader(Outputs.result.map(\.name))
      for result in batch {
        encoder.encode(ResultLine(result: result, apnsID: id(result.push)), ResultLine.fields())
      }
      return (name, String(decoding: encoder.drained(), as: UTF8.self))
    }
    let all = try (texts + [("r", texts[0].1), ("r.out", texts[1].1)]).map {
      try report([(name: $0.0, text: $0.1)]).report.report.json
    }
    for json in all {
      #expect(json["total"] == 3 && json["accepted"] == 1 && json["notAttempted"] == 1)
      #expect(json["reasons"] == all[0]["reasons"] && json["latency"] == all[0]["latency"])
    }
  }

  @Test("shows bars that fill their width, and of little at least a block")
  func bars() throws {
    let lines = (1...9).map { Self.line($0, latency: $0 == 9 ? 15 : 1.5) }
    var (report, _) = try report([("r.jsonl", lines.joined(separator: "\n"))])
    report.bar = (8, "#")
    let text = ReportText().text(of: report.report)
    #expect(text.contains("1 ms to 2 ms          8  ########\n"), "\(text)")
    #expect(text.contains("10 ms to 20 ms        1  #\n"), "\(text)")
    #expect(text.hasPrefix("file "))
  }

  @Test("has a page of the newest pushes, those that were not accepted first")
  func page() throws {
    let lines = [
      Self.line(1, .rejected, Self.gone), Self.line(2), Self.line(3, .rejected, Self.gone),
    ]
    let (report, _) = try report([("r.jsonl", lines.joined(separator: "\n"))])
    #expect(report.figures.page.rows.map(\.push.sequence) == [3, 1, 2])
    let page = HistoryPage(figures: report.figures.page, showsTokens: false, context()).text
    #expect(page.contains("\"410 Unregistered\"") && !page.contains("\"Runs\""))
  }

  @Test("has a page that keeps the newest pushes of many, the newest first")
  func manyRows() throws {
    let lines = (1...2003).map { Self.line($0, .rejected, Self.gone) }
    let (report, _) = try report([("r.jsonl", lines.joined(separator: "\n"))])
    #expect(report.figures.page.rows.map(\.push.sequence) == (4...2003).reversed())
  }

  private func expect(_ json: JSON, fits format: DescribedFormat) throws {
    let schema = JSONSchema(try JSONReader().read(format.schema))
    #expect(schema.faults(in: json) == [])
  }
}

extension Double {
  fileprivate var json: JSON { .decimal(self) }
}
