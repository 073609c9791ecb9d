package import PushModel

/// The work left of a run, with the values needed to read its results.
struct StoredPlan {
  let plan: ResumePlan
  /// The pushes that the last pass may have sent again before it was killed.
  let claimedAgain: ReclaimedPushes
  /// The answers that the last pass noted without a committed result, by push.
  let answers: [UInt64: AnswerNote]
  let path: String
  let busyMilliseconds: Int

  /// Passes the pushes in doubt, as ranges of sequence numbers in order. Memory does not grow with
  /// their number.
  ///
  /// Results recorded since the plan was made are taken into account.
  func forEachInDoubt(
    _ body: (ClosedRange<UInt64>) -> Void
  ) throws(HistoryError) {
    var rows = try ResultCursor(self)
    var answered = answers.keys.sorted()[...]
    let end = min(plan.claimed, plan.last ?? plan.claimed)
    var next: UInt64 = 1
    var settled = try nextSettled(&rows)
    while next <= end {
      let found = min(settled ?? end + 1, answered.first ?? end + 1)
      if found > next { body(next...min(found - 1, end)) }
      if found == answered.first { answered.removeFirst() }
      if found == settled { settled = try nextSettled(&rows) }
      next = found + 1
    }
  }

  private func nextSettled(_ rows: inout ResultCursor) throws(HistoryError) -> UInt64? {
    while let row = try rows.next() {
      let isInDoubt = row.outcome == .unknown && plan.resendsUnknown || row.wasClaimedAgain
      if !isInDoubt { return row.sequence }
    }
    return nil
  }
}

// Results above the end of lists that have become shorter.
extension StoredPlan {
  /// The recipients no longer in the lists, given the last push; nil if all are still there.
  func gone(
    after last: UInt64, in database: borrowing Database
  ) throws(HistoryError) -> GoneRecipients? {
    let results = try results(after: last, in: database)
    let withoutResult = { (end: Int) in max(0, end - Int(last) - results.total) }
    let read = plan.recipients.pushes
    let gone = GoneRecipients(
      results: results, withoutResult: withoutResult(read),
      claimed: withoutResult(min(read, Int(plan.claimed))), resendsUnknown: plan.resendsUnknown)
    return gone.results.total + gone.withoutResult > 0 ? gone : nil
  }

  private func results(
    after last: UInt64, in database: borrowing Database
  ) throws(HistoryError) -> OutcomeTally {
    let statement = try Statement(
      "SELECT outcome, count(*) FROM pushes(?1, ?2) GROUP BY outcome", on: database)
    statement.bind(plan.run.row(of: last) + 1, at: 1)
    statement.bind(plan.run.rows.upperBound, at: 2)
    var tally = OutcomeTally()
    while try statement.step() {
      tally.add(try statement.count(1), to: Outcome(code: statement.int64(0)))
    }
    return tally
  }

  /// Records that nothing more is sent to these recipients, within the caller's transaction.
  func settle(
    _ gone: GoneRecipients, after last: UInt64, in database: borrowing Database
  ) throws(HistoryError) {
    let open = gone.open.map { "\($0.code)" }.joined(separator: ", ")
    try database.execute(
      """
      UPDATE results SET outcome = \(Outcome.skipped.code), status = NULL, reason = NULL,
          latency = NULL, timestamp = NULL
        WHERE id > \(plan.run.row(of: last)) AND id <= \(plan.run.rows.upperBound)
          AND outcome IN (\(open))
      """)
  }
}

/// Determines the work left of a run whose lease was taken. It changes nothing.
struct PlanReader {
  var run: RunNumber
  var path: String
  var now: Int64
  var horizon: Int64
  var pace: SQLLedger.Pace

  /// The results by outcome, and other counts.
  private struct Found {
    var tally = OutcomeTally()
    var claimed = 0
    var claimedAgain = 0
    var due = 0
    var nextDue: Int64?
    var firstDue: Int64?
  }

  func plan(from database: borrowing Database) throws(HistoryError) -> StoredPlan {
    guard let record = try RunRecord.read(run, from: database) else {
      throw HistoryError.noSuchRun(run)
    }
    let progress = try StoredProgress(of: run, record, in: database)
    let again = progress.claimedAgain
    let found = try readResults(progress, again, record, database)
    let answers = try answers(in: progress, again, database)
    return StoredPlan(
      plan: plan(record, progress, found, answered: answers.count), claimedAgain: again,
      answers: answers, path: path, busyMilliseconds: pace.busyMilliseconds)
  }

  /// The noted answers to pushes that are in doubt without them.
  private func answers(
    in progress: StoredProgress, _ again: ReclaimedPushes, _ database: borrowing Database
  ) throws(HistoryError) -> [UInt64: AnswerNote] {
    var answers = (progress.notes?.answers ?? [:]).filter { $0.key <= progress.end }
    guard let first = answers.keys.min(), let last = answers.keys.max() else { return [:] }
    let rows = try Statement("SELECT id, outcome FROM \(again.results)", on: database)
    rows.bind(run.row(of: first)...run.row(of: last))
    while try rows.step() {
      let isInDoubt = Outcome(code: rows.int64(1)) == .unknown
      if !isInDoubt { answers[RunNumber.sequence(ofRow: rows.int64(0))] = nil }
    }
    return answers
  }

  private func plan(
    _ record: RunRecord, _ progress: StoredProgress, _ found: Found, answered: Int
  ) -> ResumePlan {
    return ResumePlan(
      run: run, record: record, tally: found.tally, recipients: progress.recipients,
      claimed: UInt64(progress.claimed), last: progress.last.map { UInt64($0) },
      claimedWithoutResult: max(0, progress.end - found.claimed), answered: answered,
      hasNotes: progress.notes != nil, deferredDue: found.due,
      nextDue: found.nextDue, firstDue: found.firstDue,
      resendsUnknown: record.resendsUnknown(at: now), claimedAgain: found.claimedAgain,
      wasFinished: progress.wasFinished, horizon: horizon)
  }

  private func readResults(
    _ progress: StoredProgress, _ again: ReclaimedPushes, _ record: RunRecord,
    _ database: borrowing Database
  ) throws(HistoryError) -> Found {
    let statement = try Statement(Self.counting(again.results), on: database)
    statement.bind(run.rows)
    statement.bind(run.row(of: UInt64(progress.end)), at: 3)
    statement.bind(horizon.subtractingKeepingMaximum(record.started), at: 4)
    guard try statement.step() else { return Found() }
    defer { statement.reset() }
    var found = Found()
    found.tally = try statement.tally(from: 0)
    found.claimed = try statement.count(6)
    found.claimedAgain = try statement.count(7)
    found.due = try statement.count(8)
    found.nextDue = try statement.optionalTime(9).map { $0 + record.started }
    found.firstDue = try statement.optionalTime(10).map { $0 + record.started }
    // Read here so that damage is found before anything is sent.
    _ = (try statement.optionalTime(11), try statement.optionalTime(12))
    return found
  }

  /// A query that counts all results in one pass. The first columns are in the order of the
  /// outcomes' numbers.
  private static func counting(_ results: String) -> String {
    """
    SELECT count(*) FILTER (WHERE outcome = 0), count(*) FILTER (WHERE outcome = 1),
      count(*) FILTER (WHERE outcome = 2), count(*) FILTER (WHERE outcome = 3),
      count(*) FILTER (WHERE outcome = 4), count(*) FILTER (WHERE outcome = 5),
      count(*) FILTER (WHERE id <= ?3), count(*) FILTER (WHERE claimed_again = 1),
      count(*) FILTER (WHERE outcome = 3 AND due <= ?4),
      min(due) FILTER (WHERE outcome = 3 AND due > ?4), min(due) FILTER (WHERE outcome = 3),
      min(due), max(due)
      FROM \(results)
    """
  }
}

extension RecipientCounts {
  /// - Parameter column: the first of five; NULL means that a value was never stored.
  package init(row: borrowing Statement, from column: Int32) throws(HistoryError) {
    self.init()
    lines = try row.count(column)
    badLines = try row.count(column + 1)
    duplicates = try row.count(column + 2)
    suppressed = try row.count(column + 3)
    otherShards = try row.count(column + 4)
    if pushes < 0 { throw row.corrupt }
  }
}

extension Int64 {
  /// The difference of two times; "at any time" stays unchanged.
  func subtractingKeepingMaximum(_ other: Int64) -> Int64 {
    self == .max ? .max : self - other
  }
}
