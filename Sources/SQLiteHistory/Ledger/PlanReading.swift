internal import PushModel

/// Finds out what is left to do of a run whose lease was taken. It changes nothing.
struct PlanReading {
  var run: RunNumber
  var path: String
  var now: Int64
  var horizon: Int64
  var pace: SQLiteLedger.Pace

  /// How far the run came.
  private struct Progress {
    var claimed: Int64
    var pass: Int64
    var passClaimed: Int64
    var passDue: Int64
    var last: Int64?
    var state: String?
    var recipients: RecipientCounts
  }

  /// What the results are.
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
    let progress = try readProgress(database)
    let again = ClaimedAgain(
      pass: progress.pass, lastRow: run.row(of: UInt64(progress.passClaimed)),
      due: progress.passDue.subtractingKeepingMaximum(record.started))
    let found = try readResults(progress, again, record, database)
    return StoredPlan(
      plan: plan(record, progress, found), claimedAgain: again, path: path,
      busyMilliseconds: pace.busyMilliseconds)
  }

  private func plan(
    _ record: RunRecord, _ progress: Progress, _ found: Found
  ) -> ResumePlan {
    let end = min(progress.claimed, progress.last ?? progress.claimed)
    return ResumePlan(
      run: run, record: record, tally: found.tally, recipients: progress.recipients,
      claimed: UInt64(progress.claimed), last: progress.last.map { UInt64($0) },
      claimedWithoutResult: max(0, Int(end) - found.claimed), deferredDue: found.due,
      nextDue: found.nextDue, firstDue: found.firstDue,
      resendsUnknown: record.resendsUnknown(at: now), claimedAgain: found.claimedAgain,
      wasFinished: progress.state == RunState.finished.rawValue, horizon: horizon)
  }

  private func readProgress(_ database: borrowing Database) throws(HistoryError) -> Progress {
    let statement = try Statement(
      """
      SELECT claimed, pass, pass_claimed, pass_due, last, state, lines, bad_lines, duplicates,
        suppressed, other_shards FROM progress JOIN runs ON runs.id = run WHERE run = ?
      """, on: database)
    statement.bind(run.rawValue, at: 1)
    guard try statement.step() else { throw statement.corrupt }
    defer { statement.reset() }
    return Progress(
      claimed: statement.int64(0), pass: statement.int64(1), passClaimed: statement.int64(2),
      passDue: statement.int64(3), last: statement.optionalInt64(4),
      state: statement.text(5), recipients: RecipientCounts(row: statement, from: 6))
  }

  private func readResults(
    _ progress: Progress, _ again: ClaimedAgain, _ record: RunRecord,
    _ database: borrowing Database
  ) throws(HistoryError) -> Found {
    let statement = try Statement(Self.counting(again.results), on: database)
    statement.bind(run.rows.lowerBound, at: 1)
    statement.bind(run.rows.upperBound, at: 2)
    statement.bind(run.row(of: UInt64(progress.claimed)), at: 3)
    statement.bind(horizon.subtractingKeepingMaximum(record.started), at: 4)
    guard try statement.step() else { return Found() }
    defer { statement.reset() }
    var found = Found()
    for outcome in Outcome.allCases {
      found.tally.add(statement.int(Int32(outcome.code)), to: outcome)
    }
    found.claimed = statement.int(6)
    found.claimedAgain = statement.int(7)
    found.due = statement.int(8)
    found.nextDue = statement.optionalInt64(9).map { $0 + record.started }
    found.firstDue = statement.optionalInt64(10).map { $0 + record.started }
    return found
  }

  /// One walk over the results, however many there are. The first columns stand in the order of the
  /// outcomes' numbers.
  private static func counting(_ results: String) -> String {
    """
    SELECT count(*) FILTER (WHERE outcome = 0), count(*) FILTER (WHERE outcome = 1),
      count(*) FILTER (WHERE outcome = 2), count(*) FILTER (WHERE outcome = 3),
      count(*) FILTER (WHERE outcome = 4), count(*) FILTER (WHERE outcome = 5),
      count(*) FILTER (WHERE id <= ?3), count(*) FILTER (WHERE claimed_again),
      count(*) FILTER (WHERE outcome = 3 AND due <= ?4),
      min(due) FILTER (WHERE outcome = 3 AND due > ?4), min(due) FILTER (WHERE outcome = 3)
      FROM \(results) WHERE id BETWEEN ?1 AND ?2
    """
  }
}

extension RecipientCounts {
  /// - Parameter column: the first of five; what is NULL was never written down.
  init(row: borrowing Statement, from column: Int32) {
    self.init()
    lines = row.int(column)
    badLines = row.int(column + 1)
    duplicates = row.int(column + 2)
    suppressed = row.int(column + 3)
    otherShards = row.int(column + 4)
  }
}

extension Int64 {
  /// A difference of times, in which "at any time" stays what it is.
  fileprivate func subtractingKeepingMaximum(_ other: Int64) -> Int64 {
    self == .max ? .max : self - other
  }
}
