extension Ledger {
  /// Resumes a run: takes its lease and begins another pass of it.
  ///
  /// - Parameters:
  ///   - run: which; nil for the newest that is unfinished.
  ///   - path: the history's file.
  ///   - now: the time in milliseconds since 1970 UTC.
  ///   - sendsEarly: whether deferred pushes go before they are due.
  ///   - pace: how often to commit.
  /// - Returns: the ledger, which holds the plan.
  /// - Throws: `HistoryError`: among others `owned`, `noSuchRun`, `nothingToResume`,
  ///   `nothingUnfinished` and `notDue`.
  public static func resume(
    _ run: RunNumber?, at path: String, now: Int64, sendsEarly: Bool = false, pace: Pace = Pace()
  ) throws(HistoryError) -> Ledger {
    let database = try Database.open(path, busyMilliseconds: pace.busyMilliseconds)
    let run = try chosen(run, in: database)
    let lease = try RunOwner.take(run, of: path, in: database)
    let horizon = sendsEarly ? Int64.max : now
    let reading = PlanReading(run: run, path: path, horizon: horizon, pace: pace)
    let plan = try reading.plan(from: database)
    try check(plan)
    let pass = try reading.beginPass(plan, in: database)
    let start = Start(
      run: run, record: plan.record, lease: lease, plan: plan, pass: pass, tally: plan.tally,
      claimedBefore: plan.claimed, pace: plan.record.atMostOnce ? .atMostOnce : pace)
    return try open(start, database)
  }

  private static func chosen(
    _ run: RunNumber?, in database: borrowing Database
  ) throws(HistoryError) -> RunNumber {
    if let run { return run }
    guard let newest = RunNumber(rawValue: try database.number(newestUnfinished)) else {
      throw HistoryError.nothingUnfinished
    }
    return newest
  }

  private static let newestUnfinished = """
    SELECT max(id) FROM runs JOIN progress ON progress.run = runs.id
      WHERE state <> 'finished' OR deferred > 0 OR not_attempted > 0
        OR unknown > 0 AND NOT at_most_once
    """

  private static func check(_ plan: ResumePlan) throws(HistoryError) {
    if plan.ready > 0 || !plan.wasFinished { return }
    if let next = plan.nextDue { throw HistoryError.notDue(plan.run, next: next) }
    throw HistoryError.nothingToResume(plan.run)
  }
}
