public import PushModel

extension SQLLedger {
  /// Resumes a run: takes its lease and determines what is left. The run stays unchanged until its
  /// next pass begins, with ``beginPass()`` or the first commit.
  ///
  /// - Parameters:
  ///   - run: the run.
  ///   - path: the history's file.
  ///   - now: the time in milliseconds since 1970 UTC.
  ///   - sendsEarly: true to send deferred pushes before they are due.
  ///   - rescued: the results that the run's last pass could not write, which are written first.
  ///   - pace: how often to commit.
  /// - Returns: the ledger, which has the plan.
  /// - Throws: `HistoryError`: among others `owned`, `inQueue`, `noSuchRun`, `nothingToResume` and
  ///   `notDue`.
  public static func resume(
    _ run: RunNumber, at path: String, now: Int64, sendsEarly: Bool = false,
    taking rescued: RescuedResults? = nil, pace: Pace = Pace()
  ) throws(HistoryError) -> SQLLedger {
    let database = try Database.openExisting(path, busyMilliseconds: pace.busyMilliseconds)
    try database.refuseQueued(run)
    let lease = try database.driver.takeLease(of: run)
    if let rescued { try database.take(rescued, of: run, now: now) }
    try database.refuseEnded(run, at: now)
    let horizon = sendsEarly ? Int64.max : now
    let reading = PlanReader(run: run, path: path, now: now, horizon: horizon, pace: pace)
    let stored = try reading.plan(from: database)
    try check(stored.plan)
    let start = Start(
      run: run, record: stored.plan.record, lease: lease, watch: try HistoryWatch(database),
      plan: stored, pace: stored.plan.record.atMostOnce ? .atMostOnce : pace)
    return try open(start, database)
  }

  /// The runs with something left to resume, newest first.
  ///
  /// - Parameters:
  ///   - path: the history's file.
  ///   - now: the time in milliseconds since 1970 UTC.
  public static func unfinished(
    at path: String, now: Int64
  ) throws(HistoryError) -> [RunNumber] {
    let database = try Database.openExisting(path, busyMilliseconds: Pace().busyMilliseconds)
    let rows = try Statement(
      """
      SELECT runs.id FROM runs JOIN progress ON progress.run = runs.id
        WHERE \(UnfinishedRuns.resumable(at: now, in: database)) ORDER BY runs.id DESC
      """, on: database)
    var runs: [RunNumber] = []
    while try rows.step() { runs.append(try RunNumber(row: rows)) }
    return runs
  }

  private static func check(_ plan: ResumePlan) throws(HistoryError) {
    if plan.ready > 0 || !plan.wasFinished { return }
    if let next = plan.nextDue { throw HistoryError.notDue(plan.run, next: next) }
    throw HistoryError.nothingToResume(plan.run)
  }
}

extension StoredPlan {
  /// The number of the pass that follows it, from 1.
  var pass: Int64 { claimedAgain.pass + 1 }

  /// Writes down that the run is sent again, within the caller's transaction.
  ///
  /// - Parameter last: the row of the run's last commit.
  func beginPass(
    after last: inout Int64, in database: borrowing Database
  ) throws(HistoryError) {
    try claimedAgain.settle(plan.run, after: &last, in: database)
    try database.execute(
      """
      UPDATE runs SET state = 'running', finished = NULL WHERE id = \(plan.run);
      UPDATE progress SET pass = \(pass), pass_claimed = 0, pass_due = \(plan.horizon), is_indexed = 0
        WHERE run = \(plan.run)
      """)
  }

  /// The time at which the first deferred push of the run is currently due, in milliseconds since
  /// 1970 UTC; nil when there is none.
  func firstDue(in database: borrowing Database) throws(HistoryError) -> Int64? {
    let statement = try Statement(
      "SELECT min(\(Deferral.due)) FROM results WHERE outcome = 3 AND id BETWEEN ? AND ?",
      on: database)
    statement.bind(plan.run.rows.lowerBound, at: 1)
    statement.bind(plan.run.rows.upperBound, at: 2)
    guard try statement.step() else { return nil }
    defer { statement.reset() }
    return try statement.optionalTime(0).map { $0 + plan.record.started }
  }
}

extension RunLedger {
  /// The ledger of a run in a database.
  public init(_ ledger: SQLLedger) { self.init(ledger, claims: ledger, resuming: ledger.resuming) }
}

extension SQLLedger {
  /// The work of earlier passes of a run that is resumed; nil for a new run.
  public var resuming: (any ResumeLedger)? {
    stored.map { ResumedLedger(ledger: self, stored: $0) }
  }
}

/// A ledger of a resumed run, with the work of earlier passes.
private final class ResumedLedger: ResumeLedger {
  private let ledger: SQLLedger
  private let stored: StoredPlan

  init(ledger: SQLLedger, stored: StoredPlan) { (self.ledger, self.stored) = (ledger, stored) }

  var plan: ResumePlan { stored.plan }

  func beginPass() throws(HistoryError) { try ledger.beginPass() }

  /// The states of its pushes, read over a separate connection.
  func standings() throws(HistoryError) -> sending any PushStandings { try PushStateCursor(stored) }

  func forEachInDoubt(_ body: (ClosedRange<UInt64>) -> Void) throws(HistoryError) {
    try stored.forEachInDoubt(body)
  }

  func gone(after sequence: UInt64) throws(HistoryError) -> GoneRecipients? {
    try stored.gone(after: sequence, in: ledger.database)
  }
}
