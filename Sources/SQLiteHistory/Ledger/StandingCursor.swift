internal import PushModel

/// Tells where each push of a resumed run stands, in the order of the lists.
final class StandingCursor: PushStandings {
  private var rows: ResultCursor
  private let claimed: UInt64
  private let atMostOnce: Bool
  private var current: ResultCursor.Row?
  private var isStarted = false

  init(_ stored: StoredPlan) throws(HistoryError) {
    rows = try ResultCursor(stored)
    claimed = stored.plan.claimed
    atMostOnce = stored.plan.record.atMostOnce
  }

  /// Where a push stands. The numbers asked for must ascend.
  func standing(of sequence: UInt64) throws(HistoryError) -> Standing {
    if !isStarted { current = try rows.next() }
    isStarted = true
    while let row = current, row.sequence < sequence { current = try rows.next() }
    guard let row = current, row.sequence == sequence else {
      return sequence <= claimed ? .claimed : .unclaimed
    }
    return standing(row)
  }

  private func standing(_ row: ResultCursor.Row) -> Standing {
    switch row.outcome {
    case .accepted, .rejected, .skipped: .done(row.outcome)
    case .deferred: .deferred(due: row.due)
    case .unknown: atMostOnce ? .done(.unknown) : .unknown
    case .notAttempted: .notAttempted
    }
  }
}

/// The results of a run in order, a page at a time: a reader that stays in the database for long
/// would keep the write-ahead log from being emptied.
struct ResultCursor: ~Copyable {
  struct Row {
    var sequence: UInt64
    var outcome: Outcome
    /// For a deferred push, in milliseconds since 1970 UTC.
    var due: Int64
    /// Whether a pass that was killed may have sent it again.
    var wasClaimedAgain: Bool
  }

  private static let pageSize = 4096

  private let statement: Statement
  private let run: RunNumber
  private let started: Int64
  private var page: [Row] = []
  private var index = 0
  private var lastRow: Int64
  private var isAtEnd = false

  init(_ stored: StoredPlan) throws(HistoryError) {
    let database = try Database.open(stored.path, busyMilliseconds: stored.busyMilliseconds)
    // The statement keeps the connection open.
    statement = try Statement(
      """
      SELECT id, outcome, due, claimed_again FROM \(stored.claimedAgain.results)
        WHERE id > ? AND id <= ? ORDER BY id LIMIT \(Self.pageSize)
      """, on: database)
    run = stored.plan.run
    started = stored.plan.record.started
    lastRow = run.rows.lowerBound
  }

  /// The next result; nil at the end.
  mutating func next() throws(HistoryError) -> Row? {
    if index == page.count, !isAtEnd { try readPage() }
    guard index < page.count else { return nil }
    defer { index += 1 }
    return page[index]
  }

  private mutating func readPage() throws(HistoryError) {
    page.removeAll(keepingCapacity: true)
    index = 0
    statement.bind(lastRow, at: 1)
    statement.bind(run.rows.upperBound, at: 2)
    while try statement.step() {
      lastRow = try statement.row(after: lastRow)
      page.append(
        Row(
          sequence: RunNumber.sequence(ofRow: lastRow), outcome: Outcome(code: statement.int64(1)),
          due: started + (try statement.time(2)), wasClaimedAgain: statement.int64(3) != 0))
    }
    isAtEnd = page.count < Self.pageSize
  }
}
