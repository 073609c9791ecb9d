import APNS
import Delivery
import JSONText
import PushModel
import Reporting
import Testing

@testable import Runs

@Suite("The summary in JSON")
struct SummaryJSONTests {
  static let keys = [
    "run", "environment", "lines", "total", "accepted", "rejected", "skipped", "deferred",
    "unknown", "notAttempted", "badLines", "duplicates", "suppressed", "otherShards", "unread",
    "pass", "reasons", "resentInDoubt", "seconds", "pushesPerSecond", "latency", "connections",
    "connectionsLimit",
  ]

  static let rows: [(Outcome, Response?)] = [
    (.accepted, .good), (.accepted, .good), (.rejected, .dead), (.deferred, nil), (.unknown, nil),
    (.notAttempted, nil), (.skipped, nil), (.rejected, Response(status: .notFound)),
  ]

  @Test("has the documented keys and no others")
  func keys() throws {
    #expect(try summary(Self.rows).keys == Self.keys)
    #expect(try summary([]).keys == Self.keys)
    #expect(try summary([(.accepted, .good)]).keys == Self.keys + ["push"])
  }

  @Test("accounts for every line")
  func sum() throws {
    let json = try summary(Self.rows, badLines: 3, duplicates: 2, suppressed: 4, otherShards: 5)
    let parts =
      Outcome.allCases.map(\.rawValue) + [
        "badLines", "duplicates", "suppressed", "otherShards",
      ]
    let counts = parts.map { json[$0]?.number.flatMap { Int($0.text) } ?? -1000 }
    #expect(counts == [2, 2, 1, 1, 1, 1, 3, 2, 4, 5])
    #expect(json["lines"] == JSON(integerLiteral: counts.reduce(0, +)))
    #expect(json["total"] == 8)
  }

  @Test("counts refusals by reason, or by status where there is none")
  func reasons() throws {
    #expect(try summary(Self.rows)["reasons"] == ["Unregistered": 1, "status 404": 1])
  }

  @Test("has no latency when nothing was answered")
  func latency() throws {
    let latency = try summary([(.notAttempted, nil)])["latency"]
    #expect(latency == ["p50": nil, "p95": nil, "p99": nil])
    #expect(try summary(Self.rows)["latency"]?["p50"]?.number != nil)
  }

  @Test("says what kept a run from more connections", arguments: ConnectionFigures.Limit.allCases)
  func connections(_ limit: ConnectionFigures.Limit) throws {
    let none = try summary([(.notAttempted, nil)])
    #expect(none["connections"]?.content == .null && none["connectionsLimit"]?.content == .null)
    let some = try summary(Self.rows, connections: ConnectionFigures(most: 8, limit: limit))
    #expect(some["connections"] == 8 && some["connectionsLimit"]?.string == limit.rawValue)
  }

  private func summary(
    _ rows: [(Outcome, Response?)], badLines: Int = 0, duplicates: Int = 0, suppressed: Int = 0,
    otherShards: Int = 0, connections: ConnectionFigures? = nil
  ) throws -> JSONObject {
    var report = report(
      results(rows), badLines: badLines, duplicates: duplicates, suppressed: suppressed,
      otherShards: otherShards)
    report.summary.connections = connections
    let summary = SummaryReport(
      report: report, environment: "sandbox", run: nil, facts: .init(service: .sandbox),
      resumeHint: ResumeHint(run: nil, due: nil))
    let bytes = ReportJSON.bytes(Report(parts: summary.parts))
    #expect(bytes.last == 0x0A && !bytes.dropLast().contains(0x0A))
    return try #require(try JSONReader().read(bytes).object)
  }
}
