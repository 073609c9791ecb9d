package import PushModel

/// Finds the state of each push of a resumed run, in the order of the lists.
final class PushStateCursor: PushStandings {
  private var rows: ResultCursor
  private let claimed: UInt64
  private let answers: [UInt64: AnswerNote]
  private let atMostOnce: Bool
  private var current: ResultCursor.Row?
  private var isStarted = false

  init(_ stored: StoredPlan) throws(HistoryError) {
    rows = try ResultCursor(stored)
    claimed = stored.plan.claimed
    answers = stored.answers
    atMostOnce = stored.plan.record.atMostOnce
  }

  /// The state of a push. Callers must ask in ascending order.
  func standing(of sequence: UInt64) throws(HistoryError) -> PushState {
    if !isStarted { current = try rows.next() }
    isStarted = true
    while let row = current, row.sequence < sequence { current = try rows.next() }
    if let answer = answers[sequence] { return .answered(answer) }
    guard let row = current, row.sequence == sequence else {
      return sequence <= claimed ? .claimed : .unclaimed
    }
    return PushState(row.outcome, due: row.due, atMostOnce: atMostOnce)
  }
}

extension PushState {
  /// Creates the state that follows from a result.
  ///
  /// - Parameter due: the time at which it is due if it was deferred, in milliseconds since 1970
  ///   UTC.
  package init(_ outcome: Outcome, due: Int64, atMostOnce: Bool) {
    switch outcome {
    case .accepted, .rejected, .skipped: self = .done(outcome)
    case .deferred: self = .deferred(due: due)
    case .unknown: self = atMostOnce ? .done(.unknown) : .unknown
    case .notAttempted: self = .notAttempted
    }
  }
}

/// The results of a run in order, read a block at a time: a long read transaction would keep the
/// write-ahead log from being emptied.
struct ResultCursor: ~Copyable {
  struct Row {
    var sequence: UInt64
    var outcome: Outcome
    /// The time at which a deferred push is due, in milliseconds since 1970 UTC.
    var due: Int64
    /// True if a killed pass may have sent it again.
    var wasClaimedAgain: Bool
  }

  private let database: Database
  private let statement: Statement
  private var blocks: RowBlocks
  private let started: Int64
  private var page: [Row] = []
  private var index = 0
  private var lastRow: Int64

  init(_ stored: StoredPlan) throws(HistoryError) {
    let database = try Database.open(stored.path, busyMilliseconds: stored.busyMilliseconds)
    let statement = try Statement(
      "SELECT id, outcome, due, claimed_again FROM \(stored.claimedAgain.results) ORDER BY id",
      on: database)
    let blocks = try RowBlocks(of: stored.plan.run, size: 4096, on: database)
    self.statement = statement
    self.blocks = blocks
    self.database = database
    started = stored.plan.record.started
    lastRow = stored.plan.run.rows.lowerBound
  }

  /// Returns the next result; nil at the end.
  mutating func next() throws(HistoryError) -> Row? {
    while index == page.count {
      guard let block = try blocks.next() else { return nil }
      try readPage(block)
    }
    defer { index += 1 }
    return page[index]
  }

  private mutating func readPage(_ block: ClosedRange<Int64>) throws(HistoryError) {
    page.removeAll(keepingCapacity: true)
    index = 0
    statement.bind(block)
    while try statement.step() {
      lastRow = try statement.row(after: lastRow)
      page.append(
        Row(
          sequence: RunNumber.sequence(ofRow: lastRow), outcome: Outcome(code: statement.int64(1)),
          due: started + (try statement.time(2)), wasClaimedAgain: statement.int64(3) != 0))
    }
  }
}
