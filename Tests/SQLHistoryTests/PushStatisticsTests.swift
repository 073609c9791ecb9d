import APNS
import History
import PushModel
import SendingSupport
import Testing

@testable import SQLHistory

@Suite("The figures of a history", .overAllHistories)
struct PushStatisticsTests {
  private static let day: Int64 = 86_400_000
  private static let run: Int64 = 1 << 40
  private let place: HistoryReference
  private var path: String { place.path }

  init() throws { place = try HistoryReference() }

  /// Run 1 goes over midnight, run 2 is another app's.
  private func fill() throws {
    let pushes = try Push.samples(6)
    let midnight = (dawn / Self.day + 1) * Self.day
    var record = RunRecord.sample()
    (record.topic, record.environment) = ("com.example.one", "sandbox")
    try run(
      record,
      [
        pushes[0].result(.accepted, .yes, latency: 2000, at: midnight - 1),
        pushes[1].result(.rejected, .gone, latency: 4000, at: midnight),
        pushes[2].result(.deferred, .busy, latency: 6000, at: midnight + 1),
      ])
    (record.topic, record.environment, record.started) = (nil, "production", midnight)
    try run(
      record,
      [
        pushes[3].result(.accepted, .yes, latency: 8000, at: midnight),
        pushes[4].result(.rejected, .gone, latency: 10_000, at: midnight),
        pushes[5].result(.notAttempted, attempts: 0, at: midnight),
      ])
  }

  private func run(_ record: RunRecord, _ results: [PushResult]) throws {
    let ledger = try SQLLedger.begin(record, at: path)
    try ledger.record(results, now: record.started)
    try ledger.finishAll(results.count)
  }

  /// Each group in short: its name, its pushes and how many were accepted.
  private func groups(_ grouping: PushGrouping, _ filter: HistoryFilter = .init()) throws
    -> [String]
  {
    let statistics = try HistoryReader(path).statistics(filter, by: grouping)
    #expect(
      statistics.total.tally.total == statistics.groups.reduce(0) { $0 + $1.figures.tally.total })
    return statistics.groups.map { group in
      let tally = group.figures.tally
      return switch group.key {
      case .run(let run): "\(run) \(tally.total) \(tally.accepted)"
      case .day(let day): "\(day - dawn / Self.day) \(tally.total) \(tally.accepted)"
      case .word(let word): "\(word ?? "-") \(tally.total) \(tally.accepted)"
      }
    }
  }

  static let groupings: [(PushGrouping, [String])] = [
    (.run, ["1 3 1", "2 3 1"]),
    (.day, ["0 1 1", "1 5 1"]),
    (.reason, ["- 3 2", "Unregistered 2 0", "ServiceUnavailable 1 0"]),
    (.topic, ["- 3 1", "com.example.one 3 1"]),
    (.environment, ["production 3 1", "sandbox 3 1"]),
  ]

  @Test("put pushes together", arguments: groupings)
  func groups(_ row: (grouping: PushGrouping, groups: [String])) throws {
    try fill()
    #expect(try groups(row.grouping) == row.groups)
  }

  @Test("tell the share that was accepted, and what answers took")
  func figures() throws {
    try fill()
    let total = try HistoryReader(path).statistics(.init(), by: .run).total
    #expect(total.acceptance == 2.0 / 6.0 && total.latency.total == 5)
    let median = try #require(total.latency.percentile(0.5))
    #expect((6...6.2).contains(median))
    #expect(try #require(total.latency.percentile(1)) >= 10)
  }

  @Test("are of the pushes that are wanted")
  func filters() throws {
    try fill()
    var filter = HistoryFilter()
    filter.outcomes = [.rejected]
    #expect(try groups(.environment, filter) == ["production 1 0", "sandbox 1 0"])
    filter.environment = "sandbox"
    #expect(try groups(.run, filter) == ["1 1 0"])
    filter = HistoryFilter()
    filter.reasons = ["unregistered"]
    #expect(try groups(.reason, filter) == ["Unregistered 2 0"])
    filter = HistoryFilter()
    filter.token = TokenPattern("00000004")
    #expect(try groups(.reason, filter) == ["Unregistered 1 0"])
    filter.runs = [try #require(RunNumber(rawValue: 1))]
    #expect(try groups(.reason, filter) == [])
  }

  @Test("of nothing are nothing")
  func empty() throws {
    _ = try Database.open(path)
    let statistics = try HistoryReader(path).statistics(.init(), by: .day)
    #expect(statistics.groups.isEmpty && statistics.total.acceptance == nil)
    #expect(statistics.total.latency.percentile(0.5) == nil)
  }

  @Test("of more rows than are read at once are all there")
  func pages() throws {
    let ledger = try SQLLedger.begin(.sample(), at: path)
    try Database.open(path).execute(
      """
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 131072)
      INSERT INTO results
        (id, token, list, line, outcome, attempts, deferrals, pass, latency, at, resent)
        SELECT \(Self.run) + i, \(place.blob("00")), 1, i, 0, 1, 0, 0, i, 0, 0 FROM n;
      UPDATE progress SET accepted = 131072
      """)
    #expect(try groups(.run) == ["1 131072 131072"])
    withExtendedLifetime(ledger) {}
  }
}
