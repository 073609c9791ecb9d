import APNS
import Foundation
import JSONText
import SendingSupport
import TestSupport
import Testing

@testable import Delivery
@testable import HistoryCommands
@testable import PushModel
@testable import Reporting
@testable import Runs
@testable import Scenarios
@testable import Tools

@Suite("The schema of an output")
struct OutputSchemaTests {
  /// The outputs of other tests, which compare them with what is printed.
  static let snapshots: [(format: DescribedFormat, file: String)] = [
    (.check, "check.json"), (.doctor, "doctor.json"), (.inspect, "inspect.json"),
  ]

  @Test("allows what is recorded", arguments: snapshots)
  func recorded(_ row: (format: DescribedFormat, file: String)) throws {
    let snapshots = projectFolder.appending(path: "Tests/FanfareCLITests/Snapshots")
    let text = try Data(contentsOf: snapshots.appending(path: row.file))
    try expect(try JSONReader().read([UInt8](text)), fits: row.format)
  }

  @Test("of steps allows each of them")
  func steps() throws {
    for step in ScenarioReportTests.reports.flatMap(\.steps) { try expect(step.json, fits: .step) }
  }

  @Test("of explanations allows every one of them")
  func explanations() throws {
    let report = Report(parts: [.list(nil, ExplainedTopic.all.map(\.parts))], form: .array)
    try expect(report.json, fits: .explain)
  }

  @Test("of results allows every outcome")
  func resultLines() throws {
    let run = report(results([(.accepted, .good), (.rejected, .dead), (.notAttempted, nil)]))
    for result in results([(.accepted, .good), (.rejected, .dead), (.notAttempted, nil)]) {
      let line = ResultLine(result: result, apnsID: run.apnsID(of: result.push))
      try expect(ResultLine.fields().object(of: line), fits: .results)
    }
  }

  @Test("of summaries names the keys in their order", arguments: [0, 1, 3])
  func summaries(_ count: Int) throws {
    let rows: [(Outcome, Response?)] = [(.rejected, .dead), (.deferred, nil), (.accepted, .good)]
    var report = report(results(Array(rows.prefix(count))), badLines: 2)
    if count > 0 { report.summary.connections = ConnectionFigures(most: count, limit: .noGain) }
    let summary = SummaryReport(
      report: report, environment: "sandbox", run: 7, facts: .init(service: .sandbox),
      resumeHint: ResumeHint(run: 7, due: nil))
    let json = Report(parts: summary.parts).json
    try expect(json, fits: .summary)
    let keys = Outputs.summary.map(\.name)
    #expect(json.object?.keys == keys.filter { json[$0] != nil })
  }

  @Test("names no key twice, and says what each is", arguments: DescribedFormat.allCases)
  func names(_ format: DescribedFormat) { check(format.output?.shape ?? .anything) }

  private func check(_ shape: JSONShape) {
    switch shape {
    case .object(let keys):
      #expect(Set(keys.map(\.name)).count == keys.count)
      #expect(keys.allSatisfy { $0.meaning.hasSuffix(".") })
      keys.map(\.shape).forEach(check)
    case .array(let shape), .map(let shape), .orNull(let shape): check(shape)
    case .either(let shapes): shapes.forEach(check)
    case .text, .word, .integer, .number, .truth, .anything: break
    }
  }

  static let bad: [(text: String, fault: String)] = [
    (#"{"token":"0a","reason":null,"timestamp":1.5,"list":"a","line":1}"#, "$.timestamp is"),
    (#"{"token":"0a","reason":null,"timestamp":1,"list":"a"}"#, "$.line is missing"),
    (
      #"{"token":"0a","reason":null,"timestamp":1,"list":"a","line":1,"x":1}"#,
      "$.x is not in the schema"
    ), ("[]", "$ is an array, not object"),
  ]

  @Test("finds what is wrong, or this test would prove nothing", arguments: bad)
  func faults(_ row: (text: String, fault: String)) throws {
    let faults = try schema(.deadTokens).faults(in: JSONReader().read(Array(row.text.utf8)))
    #expect(faults.count == 1 && faults[0].hasPrefix(row.fault), "\(faults)")
  }

  private func schema(_ format: DescribedFormat) throws -> JSONSchema {
    JSONSchema(try JSONReader().read(format.schema))
  }

  private func expect(_ json: JSON, fits format: DescribedFormat) throws {
    let faults = try schema(format).faults(in: json)
    #expect(faults == [], "\(format.rawValue): \(json.encodedString())")
  }
}
