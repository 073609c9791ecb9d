import APNS
import History
import PushModel
import SendingSupport
import TestSupport
import Testing

@testable import SQLHistory

@Suite("A page of a history that begins far down", .overAllHistories)
struct SkippedPushesTests {
  private let place: HistoryReference
  private var path: String { place.path }
  /// Of a whole run, over several blocks of packed pushes.
  private static let count = 5000

  init() throws { place = try HistoryReference() }

  /// Three runs: one of few pushes, one of many, and one that was killed and has gaps.
  private func writeRuns() throws {
    try write(try Push.samples(3).map { $0.result(.rejected, .gone) }, in: [0..<3], ends: true)
    let many = try Push.samples(Self.count).map {
      $0.sequence % 7 == 0 ? $0.result(.rejected, .gone) : $0.accepted
    }
    try write(many, in: [0..<1000, 1000..<Self.count], ends: true)
    try write(try Push.samples(4500).map(\.accepted), in: [0..<40, 4100..<4500], ends: false)
  }

  private func write(_ results: [PushResult], in batches: [Range<Int>], ends: Bool) throws {
    let ledger = try SQLLedger.begin(.sample(), at: path)
    for batch in batches {
      try ledger.record(Array(results[batch]), now: dawn)
      try ledger.commit()
    }
    if ends { try ledger.finishAll(results.count) }
  }

  private func found(
    _ filter: HistoryFilter, newestFirst: Bool, skipping count: Int = 0
  ) throws -> (pushes: [String], skipped: Int) {
    var pushes: [String] = []
    let skipped = try HistoryReader(path).forEachPush(
      filter, newestFirst: newestFirst, skipping: count
    ) { push in
      pushes.append("\(push.run):\(push.sequence)")
      return true
    }
    return (pushes, skipped)
  }

  static let filters: [(name: String, change: @Sendable (inout HistoryFilter) -> Void)] = [
    ("all", { _ in }), ("accepted", { $0.outcomes = [.accepted] }),
    ("rejected", { $0.outcomes = [.rejected] }), ("a reason", { $0.reasons = ["Unregistered"] }),
    ("none", { $0.outcomes = [.deferred] }), ("a token", { $0.token = TokenPattern(tokenText(2)) }),
  ]

  @Test("has what follows the skipped pushes, in either order", arguments: filters.map(\.name))
  func pages(_ name: String) throws {
    try writeRuns()
    var filter = HistoryFilter()
    for other in Self.filters where other.name == name { other.change(&filter) }
    for isNewestFirst in [true, false] {
      let all = try found(filter, newestFirst: isNewestFirst).pushes
      let places = [1, 2, 3, 4, 39, 40, 439, 440, 441, 700, 2047, 2048, 2049, 3000, 5439, 5440]
      for count in places + [5443, 9000, max(1, all.count - 1), max(1, all.count)] {
        let page = try found(filter, newestFirst: isNewestFirst, skipping: count)
        let isSame = page.pushes == Array(all.dropFirst(count))
        #expect(isSame && page.skipped == min(count, all.count), "\(name), \(count)")
      }
    }
  }

  @Test("does not unpack what it skips", arguments: [true, false])
  func unread(hasGaps: Bool) throws {
    let pushes = try Push.samples(3 * 2048)
    let batches = stride(from: 0, to: pushes.count, by: 1024).map { $0..<$0 + 1024 }
    try write(pushes.map(\.accepted), in: batches, ends: !hasGaps)
    try damage("WHERE id >= \(RunNumber.first.row(of: 4096))")
    let page = try found(HistoryFilter(), newestFirst: true, skipping: 2100)
    #expect(page.pushes.first == "1:4044" && page.skipped == 2100)
    var filter = HistoryFilter()
    filter.outcomes = [.accepted]
    #expect(try found(filter, newestFirst: true, skipping: 2100).pushes.count == 4044)
  }

  /// Makes packed pushes unreadable.
  private func damage(_ rows: String) throws {
    try Database.open(path).execute("UPDATE accepted SET pushes = \(place.blob("00")) \(rows)")
  }

  @Test("counts by the indexes", .only(.sqlite))
  func plan() throws {
    try writeRuns()
    let database = try Database.open(path)
    var filter = HistoryFilter()
    filter.outcomes = [.rejected]
    for reasons in [[], ["Unregistered"]] {
      filter.reasons = reasons
      #expect(try !plan(of: filter, in: database).contains { $0.hasPrefix("SCAN results") })
    }
    for line in try plan(of: HistoryFilter(), in: database) where line.contains("accepted") {
      #expect(line.contains("SEARCH accepted USING INTEGER PRIMARY KEY"))
    }
  }

  private func plan(
    of filter: HistoryFilter, in database: borrowing Database
  ) throws -> [String] {
    let rows = try Statement(
      "EXPLAIN QUERY PLAN \(filter.counting(in: database))", on: database)
    var lines: [String] = []
    while try rows.step() { lines.append(rows.text(3) ?? "") }
    return lines
  }

  @Test("a run with nothing left is known without its results")
  func nothingLeft() throws {
    try write(try Push.samples(2048).map(\.accepted), in: [0..<2048], ends: true)
    try damage("")
    #expect(throws: HistoryError.nothingToResume(.first)) {
      try SQLLedger.resume(.first, at: path, now: dawn)
    }
  }
}
