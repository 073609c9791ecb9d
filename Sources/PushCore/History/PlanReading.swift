/// Finds out what is left to do of a run whose lease was taken.
struct PlanReading {
  var run: RunNumber
  var path: String
  var horizon: Int64
  var pace: Ledger.Pace

  /// How far the run came.
  private struct Progress {
    var claimed: Int64
    var pass: Int64
    var passClaimed: Int64
    var passDue: Int64
    var last: Int64?
    var state: String?
  }

  /// What the results are.
  private struct Found {
    var tally = OutcomeTally()
    var claimed = 0
    var due = 0
    var nextDue: Int64?
  }

  func plan(from database: borrowing Database) throws(HistoryError) -> ResumePlan {
    guard let record = try RunRecord.read(run, from: database) else {
      throw HistoryError.noSuchRun(run)
    }
    let progress = try readProgress(database)
    try settleResent(progress, record, database)
    let found = try readResults(progress, record, database)
    return plan(record, progress, found)
  }

  private func plan(_ record: RunRecord, _ progress: Progress, _ found: Found) -> ResumePlan {
    let end = min(progress.claimed, progress.last ?? progress.claimed)
    return ResumePlan(
      run: run, record: record, tally: found.tally, claimed: UInt64(progress.claimed),
      last: progress.last.map { UInt64($0) },
      claimedWithoutResult: max(0, Int(end) - found.claimed), deferredDue: found.due,
      nextDue: found.nextDue,
      wasFinished: progress.state == RunState.finished.rawValue, horizon: horizon, path: path,
      busyMilliseconds: pace.busyMilliseconds)
  }

  private func readProgress(_ database: borrowing Database) throws(HistoryError) -> Progress {
    let statement = try Statement(
      """
      SELECT claimed, pass, pass_claimed, pass_due, last, state FROM progress
        JOIN runs ON runs.id = run WHERE run = ?
      """, on: database)
    statement.bind(run.rawValue, at: 1)
    guard try statement.step() else { throw HistoryError.corrupt }
    return Progress(
      claimed: statement.int64(0), pass: statement.int64(1), passClaimed: statement.int64(2),
      passDue: statement.int64(3), last: statement.optionalInt64(4),
      state: statement.text(5))
  }

  /// A pass that was killed had claimed some pushes again that had a result already. What has no
  /// newer result may have been sent in that pass, and becomes `unknown`.
  private func settleResent(
    _ progress: Progress, _ record: RunRecord, _ database: borrowing Database
  ) throws(HistoryError) {
    guard progress.pass > 0, progress.passClaimed > 0 else { return }
    let statement = try Statement(
      """
      UPDATE results SET outcome = 4, status = NULL, reason = NULL, latency = NULL, timestamp = NULL
        WHERE id BETWEEN ?1 AND ?2 AND pass < ?3
          AND (outcome = 5 OR outcome = 3 AND \(Deferral.due) <= ?4)
      """, on: database)
    statement.bind(run.rows.lowerBound, at: 1)
    statement.bind(run.row(of: UInt64(progress.passClaimed)), at: 2)
    statement.bind(progress.pass, at: 3)
    statement.bind(progress.passDue.subtractingKeepingMaximum(record.started), at: 4)
    try database.transaction { () throws(HistoryError) in try statement.run() }
  }

  private func readResults(
    _ progress: Progress, _ record: RunRecord, _ database: borrowing Database
  ) throws(HistoryError) -> Found {
    let statement = try Statement(Self.counting, on: database)
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
    found.due = statement.int(7)
    found.nextDue = statement.optionalInt64(8).map { $0 + record.started }
    return found
  }

  /// One walk over the results, however many there are. The first columns stand in the order of the
  /// outcomes' numbers.
  private static let counting = """
    SELECT count(*) FILTER (WHERE outcome = 0), count(*) FILTER (WHERE outcome = 1),
      count(*) FILTER (WHERE outcome = 2), count(*) FILTER (WHERE outcome = 3),
      count(*) FILTER (WHERE outcome = 4), count(*) FILTER (WHERE outcome = 5),
      count(*) FILTER (WHERE id <= ?3),
      count(*) FILTER (WHERE outcome = 3 AND \(Deferral.due) <= ?4),
      min(\(Deferral.due)) FILTER (WHERE outcome = 3 AND \(Deferral.due) > ?4)
      FROM results WHERE id BETWEEN ?1 AND ?2
    """

  /// Writes down that the run is sent again.
  ///
  /// - Returns: the number of the pass, from 1.
  func beginPass(
    _ plan: ResumePlan, in database: borrowing Database
  ) throws(HistoryError) -> Int64 {
    try database.transaction { () throws(HistoryError) in
      let state = try Statement(
        "UPDATE runs SET state = 'running', finished = NULL WHERE id = ?", on: database)
      state.bind(run.rawValue, at: 1)
      try state.run()
      try RunOwner.sign(run, in: database)
      return try raisePass(database)
    }
  }

  private func raisePass(_ database: borrowing Database) throws(HistoryError) -> Int64 {
    let statement = try Statement(
      """
      UPDATE progress SET pass = pass + 1, pass_claimed = 0, pass_due = ?, is_indexed = 0
        WHERE run = ? RETURNING pass
      """, on: database)
    statement.bind(horizon, at: 1)
    statement.bind(run.rawValue, at: 2)
    guard try statement.step() else { throw HistoryError.corrupt }
    defer { statement.reset() }
    return statement.int64(0)
  }
}

extension Int64 {
  /// A difference of times, in which "at any time" stays what it is.
  fileprivate func subtractingKeepingMaximum(_ other: Int64) -> Int64 {
    self == .max ? .max : self - other
  }
}
