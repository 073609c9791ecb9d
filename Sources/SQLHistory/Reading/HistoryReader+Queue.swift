internal import APNS
public import History
public import PushModel

// Queries about the queue. Times are compared with the server's clock only.
extension HistoryReader {
  /// The state of a run that workers send or have sent; nil for any other.
  public func queueStanding(of run: RunNumber) throws(HistoryError) -> QueueState? {
    guard database.dialect.hasQueue else { return nil }
    return try database.reading { () throws(HistoryError) in
      let count = "SELECT count(*) FROM queued_runs WHERE run = \(run)"
      guard try database.number(count) > 0, let record = try self.run(run)?.record else {
        return nil
      }
      return try QueueState(of: run, record, in: database)
    }
  }

  /// The results of a run's pushes besides those that count, in order.
  ///
  /// - Parameter sequence: the push; nil for all.
  public func otherResults(
    of run: RunNumber, sequence: UInt64?
  ) throws(HistoryError) -> [OtherResult] {
    guard database.dialect.hasQueue else { return [] }
    let statement = try Statement(
      """
      SELECT other_results.id, name, outcome, status, word, attempts, runs.started + at
        FROM other_results JOIN runs ON runs.id = other_results.id >> \(RunNumber.sequenceBits)
          LEFT JOIN workers ON workers.id = worker
          LEFT JOIN reasons ON reasons.id = reason
        WHERE other_results.id BETWEEN ?1 AND ?2 ORDER BY other_results.id, worker, at
      """, on: database)
    statement.bind(sequence.map { run.row(of: $0)...run.row(of: $0) } ?? run.rows)
    var results: [OtherResult] = []
    while try statement.step() { results.append(try OtherResult(row: statement)) }
    return results
  }

  /// The pushes that were sent again while an earlier attempt was in doubt. They are never packed.
  public func resentInDoubt(of run: RunNumber) throws(HistoryError) -> PushRanges {
    let statement = try Statement(
      "SELECT id FROM results WHERE id BETWEEN ?1 AND ?2 AND resent = 1 ORDER BY id", on: database)
    statement.bind(run.rows)
    var pushes = PushRanges()
    while try statement.step() { pushes.add(RunNumber.sequence(ofRow: statement.int64(0))) }
    return pushes
  }

  /// Returns true if a worker may have sent a push that is still in the queue.
  public func isMarked(_ sequence: UInt64, of run: RunNumber) throws(HistoryError) -> Bool {
    guard database.dialect.hasQueue else { return false }
    let row = run.row(of: sequence)
    return try database.number(
      """
      SELECT count(*) FROM (SELECT * FROM chunks WHERE id BETWEEN \(run.rows.lowerBound) AND \(row)
          ORDER BY id DESC LIMIT 1) AS chunk
        WHERE id + count > \(row) AND mark >= \(sequence)
      """) > 0
  }
}

extension OtherResult {
  fileprivate init(row: borrowing Statement) throws(HistoryError) {
    self.init(
      sequence: RunNumber.sequence(ofRow: row.int64(0)), worker: row.text(1),
      outcome: Outcome(code: row.int64(2)),
      status: row.optionalInt64(3).map { Status(rawValue: Int($0)) },
      reason: row.text(4).flatMap { Reason(rawValue: $0) }, attempts: try row.count(5),
      at: try row.time(6))
  }
}

extension QueueState {
  /// Reads the state, within the caller's transaction.
  fileprivate init(
    of run: RunNumber, _ record: RunRecord, in database: borrowing Database
  ) throws(HistoryError) {
    let open = record.openOutcomes(at: try database.number("SELECT server_time()"))
    let statement = try Statement(
      Self.selection(open.map { "\($0.code)" }.joined(separator: ", ")), on: database)
    statement.bind(run.rows)
    guard try statement.step() else { throw statement.corrupt }
    defer { statement.reset() }
    self.init(
      now: try statement.time(0), free: try statement.count(1), claimed: try statement.count(2),
      deferred: try statement.count(3), nextDue: try statement.optionalTime(4),
      underway: try statement.count(5), inDoubt: try statement.count(6),
      workers: try WorkerEntry.all(of: run, in: database))
  }

  /// The query for the state of a run. It looks for results only in chunks that have a mark: others
  /// have none.
  ///
  /// - Parameter open: the codes of the outcomes that are sent again.
  private static func selection(_ open: String) -> String {
    """
    WITH clock AS MATERIALIZED (SELECT server_time() AS now),
      held AS (SELECT workers.id FROM workers, clock WHERE ended IS NULL AND lease > now),
      parts AS (SELECT count - done AS rest, due, held.id IS NOT NULL AS is_held,
          due IS NOT NULL AND due > now AS is_early,
          greatest(0, mark - (chunks.id & \(RunNumber.lastSequence)) + 1) - known AS doubt
        FROM clock CROSS JOIN chunks LEFT JOIN held ON held.id = worker CROSS JOIN LATERAL (
          SELECT count(*) FILTER (WHERE outcome NOT IN (\(open))) AS done,
              count(*) FILTER (WHERE (id & \(RunNumber.lastSequence)) <= mark
                AND (pass = 0 OR outcome NOT IN (3, 5))) AS known
            FROM pushes(chunks.id, chunks.id + chunks.count - 1) WHERE mark > 0) AS found
        WHERE chunks.id BETWEEN ?1 AND ?2)
    SELECT (SELECT now FROM clock),
      CAST(coalesce(sum(rest) FILTER (WHERE NOT is_held AND NOT is_early), 0) AS BIGINT),
      CAST(coalesce(sum(rest) FILTER (WHERE is_held), 0) AS BIGINT),
      CAST(coalesce(sum(rest) FILTER (WHERE NOT is_held AND is_early), 0) AS BIGINT),
      min(due) FILTER (WHERE NOT is_held AND is_early),
      CAST(coalesce(sum(doubt) FILTER (WHERE is_held), 0) AS BIGINT),
      CAST(coalesce(sum(doubt) FILTER (WHERE NOT is_held), 0) AS BIGINT)
      FROM parts
    """
  }
}

extension WorkerEntry {
  private static let selection = """
    SELECT id, name, version, started, ended, was_lost, heard, lease <= server_time(), accepted,
      rejected, skipped, deferred, unknown, not_attempted
      FROM workers WHERE run = ? ORDER BY id
    """

  /// The workers of a run, in order.
  static func all(
    of run: RunNumber, in database: borrowing Database
  ) throws(HistoryError) -> [WorkerEntry] {
    let statement = try Statement(selection, on: database)
    statement.bind(run.rawValue, at: 1)
    var workers: [WorkerEntry] = []
    while try statement.step() { workers.append(try WorkerEntry(row: statement, of: run)) }
    return workers
  }

  private init(row: borrowing Statement, of run: RunNumber) throws(HistoryError) {
    let (started, ended) = (try row.time(3), try row.optionalTime(4))
    let isLost = row.int64(5) != 0 || ended == nil && row.int64(7) != 0
    let heard = try row.time(6)
    self.init(
      number: row.int64(0), run: run, name: row.text(1) ?? "", version: row.text(2) ?? "",
      state: isLost ? .lost : ended == nil ? .working : .ended, started: started, ended: ended,
      heard: isLost ? heard : ended ?? heard, tally: try row.tally(from: 8))
  }
}

extension Database {
  /// Returns true if a process sends, resumes or enqueues a run, or a worker works on it.
  func isBeingSent(_ run: RunNumber) throws(HistoryError) -> Bool {
    if try driver.isLeased(run) { return true }
    if !dialect.hasQueue { return false }
    return try number("SELECT count(*) FROM runs WHERE id = \(run) AND \(Dialect.hasWorker)") > 0
  }
}
