public import PushModel
internal import SQLHistory

/// A run in the queue that a worker could take up.
public struct QueuedRun: Sendable, Hashable {
  /// The run.
  public var run: RunNumber
  /// The stored properties of the run.
  public var record: RunRecord
  /// The credentials it needs: `key TEAMID/KEYID` or `certificate NAME`.
  public var credentials: String
  /// True if its chunks are claimed before those of other runs.
  public var isUrgent = false
  /// The number of workers on it.
  public var workers = 0
}

/// The progress of a run in the queue.
public struct QueueProgress: Sendable, Hashable {
  /// `enqueuing`, `enqueued` or `finished`.
  public var state: RunState
  /// True if workers take it up only if it is named.
  public var isStopped = false
  /// The cause of the stop; nil if it was requested.
  public var stopCause: String?
  /// The credentials it needs.
  public var credentials: String
  /// The number of chunks that can be claimed now, or once the session of their dead worker is
  /// ended.
  public var free = 0
  /// The number of chunks held by live workers.
  public var held = 0
  /// The number of chunks that are free, but not due yet.
  public var deferred = 0
  /// The time at which the first of those is due, in milliseconds since 1970 UTC.
  public var nextDue: Int64?
  /// True if a process is reading the lists into the queue.
  public var isSenderAlive = false
}

/// The runs in a queue. It belongs to one thread at a time.
public final class WorkQueue {
  private let database: Database

  /// Opens the queue of a history.
  ///
  /// - Parameters:
  ///   - location: the history's address.
  ///   - isOver: returns true once no call may wait for the database any longer; by default each may.
  /// - Throws: `HistoryError`: among others `noQueue` for the path of a file.
  public init(
    at location: String, isOver: @escaping @Sendable () -> Bool = { false }
  ) throws(HistoryError) {
    database = try Database.openQueue(location)
    database.driver.giveUp(when: isOver)
  }

  /// An SQL condition for a row of `chunks`: it is due by the server's clock.
  static let isDue = "(due IS NULL OR due <= server_time())"

  /// An SQL condition over `runs`: the run has chunks to claim.
  static let hasClaimable = """
    (EXISTS (SELECT FROM chunks WHERE id BETWEEN \(RunNumber.rowsOfRun)
        AND worker IS NULL AND \(isDue))
      OR EXISTS (SELECT FROM workers JOIN chunks ON worker = workers.id
        WHERE run = runs.id AND \(Dialect.hasOverdueLease)))
    """

  /// An SQL expression over `runs`: the number of workers on the run.
  static let liveWorkers = """
    (SELECT count(*) FROM workers WHERE run = runs.id AND \(Dialect.hasLiveLease))
    """

  /// The runs that are not stopped and have chunks to claim, oldest first.
  public func candidates() throws(HistoryError) -> [QueuedRun] {
    try runs("\(Dialect.isOpenInQueue) AND \(Self.hasClaimable)")
  }

  /// The runs that are neither stopped nor finished, oldest first.
  public func unfinished() throws(HistoryError) -> [QueuedRun] { try runs(Dialect.isOpenInQueue) }

  /// The runs that are stopped, oldest first.
  public func stopped() throws(HistoryError) -> [QueuedRun] {
    try runs("stopped IS NOT NULL AND state <> 'finished'")
  }

  private func runs(_ condition: String) throws(HistoryError) -> [QueuedRun] {
    try database.driver.reconnect()
    let rows = try Statement(
      """
      SELECT runs.id, credentials, is_urgent, \(Self.liveWorkers) FROM runs JOIN queued_runs ON run = runs.id
        WHERE \(condition) ORDER BY runs.id
      """, on: database)
    var found: [QueuedRun] = []
    while try rows.step() {
      let run = try RunNumber(row: rows)
      guard let record = try RunRecord.read(run, from: database) else { continue }
      found.append(
        QueuedRun(
          run: run, record: record, credentials: rows.text(1) ?? "",
          isUrgent: rows.int64(2) != 0, workers: try rows.count(3)))
    }
    return found
  }

  /// The progress of a run; nil if it is not in the queue.
  public func standing(of run: RunNumber) throws(HistoryError) -> QueueProgress? {
    try database.driver.reconnect()
    let row = try Statement(
      """
      SELECT state, stopped, stop_cause, credentials FROM queued_runs JOIN runs ON id = run
        WHERE run = ?
      """, on: database)
    row.bind(run.rawValue, at: 1)
    guard try row.step() else { return nil }
    guard let state = RunState(rawValue: row.text(0) ?? "") else { throw row.corrupt }
    var standing = QueueProgress(
      state: state, isStopped: !row.isNull(1), stopCause: row.text(2),
      credentials: row.text(3) ?? "")
    try readChunks(of: run, &standing)
    standing.isSenderAlive = try database.driver.isLeased(run)
    return standing
  }

  private func readChunks(
    of run: RunNumber, _ standing: inout QueueProgress
  ) throws(HistoryError) {
    let row = try Statement(
      """
      SELECT count(*) FILTER (WHERE NOT is_live AND \(Self.isDue)), count(*) FILTER (WHERE is_live),
        count(*) FILTER (WHERE NOT is_live AND NOT \(Self.isDue)),
        min(due) FILTER (WHERE NOT is_live AND NOT \(Self.isDue))
        FROM (SELECT due, worker IS NOT NULL AND worker IN (SELECT id FROM workers
              WHERE run = ?3 AND \(Dialect.hasLiveLease)) AS is_live
            FROM chunks WHERE id BETWEEN ?1 AND ?2) AS found
      """, on: database)
    row.bind(run.rows)
    row.bind(run.rawValue, at: 3)
    guard try row.step() else { return }
    defer { row.reset() }
    standing.free = try row.count(0)
    standing.held = try row.count(1)
    standing.deferred = try row.count(2)
    standing.nextDue = try row.optionalTime(3)
  }

  /// Stops a run: its workers notice within a second, and no other worker takes it up.
  ///
  /// - Parameter cause: the cause; nil if it was requested.
  /// - Returns: false if it is already stopped or finished, or not in the queue.
  @discardableResult
  public func stop(_ run: RunNumber, cause: String? = nil) throws(HistoryError) -> Bool {
    try database.driver.reconnect()
    return try database.stopQueuedRun(run, cause: cause)
  }

  /// Lets workers take up a stopped run again.
  public func reopen(_ run: RunNumber) throws(HistoryError) {
    try database.driver.reconnect()
    try database.execute(
      "UPDATE queued_runs SET stopped = NULL, stop_cause = NULL WHERE run = \(run)")
  }
}

extension WorkerSession {
  /// Stops the run for all workers, because its breaker has tripped.
  @discardableResult
  public func stopRun(cause: String) throws(HistoryError) -> Bool {
    try onLine { line throws(HistoryError) in
      try line.database.stopQueuedRun(run, cause: cause)
    }
  }
}

extension Database {
  /// Opens a history for workers.
  ///
  /// - Parameter isNew: creates the history if there is none.
  /// - Throws: `HistoryError`: among others `noQueue` for the path of a file.
  static func openQueue(
    _ location: String, isNew: Bool = false
  ) throws(HistoryError) -> Database {
    guard HistoryLocation(location).hasQueue else {
      throw HistoryError.noQueue(path: location)
    }
    return isNew ? try open(location) : try openExisting(location)
  }

  /// Stops a run, unless it is stopped: the first cause counts.
  fileprivate func stopQueuedRun(_ run: RunNumber, cause: String?) throws(HistoryError) -> Bool {
    let statement = try Statement(
      """
      UPDATE queued_runs SET stopped = server_time(), stop_cause = ?1 WHERE run = ?2
        AND stopped IS NULL AND (SELECT state FROM runs WHERE id = run) <> 'finished'
      """, on: self)
    statement.bind(cause, at: 1)
    statement.bind(run.rawValue, at: 2)
    try statement.run()
    return changes > 0
  }

  /// Finishes a run if all its pushes were enqueued, and none is left in the queue.
  ///
  /// The caller's transaction must have changed the run's row of `progress`: workers that finish a
  /// run's last chunks at the same time then see each other's changes.
  ///
  /// - Returns: true if this transaction ends the run. Its device tokens have no index yet.
  func endIfDone(_ run: RunNumber) throws(HistoryError) -> Bool {
    let statement = try Statement(
      """
      UPDATE runs SET state = '\(RunState.finished.rawValue)', finished = server_time()
        WHERE id = ?1 AND state = '\(RunState.enqueued.rawValue)'
          AND NOT EXISTS (SELECT 1 FROM chunks WHERE id BETWEEN ?2 AND ?3)
      """, on: self)
    statement.bind(run.rawValue, at: 1)
    statement.bind(run.rows.lowerBound, at: 2)
    statement.bind(run.rows.upperBound, at: 3)
    try statement.run()
    return changes > 0
  }
}
