package import TestSupport

/// Rows of the queue, as those who enqueue and workers write them, for tests of what reads them.
package struct QueueRows {
  private let database: PostgresDatabase
  private let run: Int64

  /// Makes a run one that is in the queue.
  ///
  /// - Parameter count: how many pushes it has.
  package init(
    of run: Int64 = 1, in database: PostgresDatabase, count: Int, state: String = "enqueued"
  ) throws {
    (self.database, self.run) = (database, run)
    try execute(
      """
      UPDATE runs SET state = '\(state)', finished = NULL WHERE id = \(run);
      UPDATE progress SET claimed = 0, pass_claimed = 0, last = \(count), lines = \(count),
        bad_lines = 0, duplicates = 0, suppressed = 0, other_shards = 0 WHERE run = \(run);
      INSERT INTO queued_runs (run, credentials) VALUES (\(run), '')
      """)
  }

  package func execute(_ sql: String) throws {
    try database.execute("SET search_path TO fanfare; \(sql)")
  }

  /// Puts a worker in.
  ///
  /// - Parameter lease: for how many milliseconds it still lasts.
  package func addWorker(
    _ number: Int, _ name: String = "build-1", lease: Int = 90_000, accepted: Int = 0,
    rejected: Int = 0
  ) throws {
    try execute(
      """
      INSERT INTO workers (id, run, name, version, started, heard, lease, accepted, rejected)
        VALUES (\(number), \(run), '\(name)', '1.0', server_time() - 600000,
          server_time() + \(lease) - 90000, server_time() + \(lease), \(accepted), \(rejected))
      """)
  }

  /// Ends what a worker does, or buries it.
  package func endWorker(_ number: Int, isLost: Bool = false) throws {
    try execute(
      """
      UPDATE workers SET ended = server_time(), was_lost = \(isLost ? 1 : 0) WHERE id = \(number);
      UPDATE chunks SET worker = NULL WHERE worker = \(number)
      """)
  }

  /// Puts a chunk of a hundred pushes in.
  ///
  /// - Parameter due: in how many milliseconds.
  package func addChunk(
    from first: Int, worker: Int? = nil, mark: Int = 0, due: Int? = nil
  ) throws {
    try execute(
      """
      INSERT INTO chunks VALUES ((\(run)::bigint << 40) | \(first), 100, '',
        \(worker.map(String.init) ?? "NULL"), \(mark),
        \(due.map { "server_time() + \($0)" } ?? "NULL"))
      """)
  }

  /// Puts a result in that a worker brought beside the one that counts.
  package func addOther(_ sequence: Int, worker: Int, reason: String? = nil) throws {
    let word = reason.map { "(SELECT id FROM reasons WHERE word = '\($0)')" } ?? "NULL"
    try execute(
      """
      INSERT INTO other_results VALUES ((\(run)::bigint << 40) | \(sequence), \(worker),
        \(reason == nil ? "0, 200" : "1, 410"), \(word), 1, 5000)
      """)
  }

  /// Stops the run.
  package func stop(because cause: String) throws {
    try execute(
      "UPDATE queued_runs SET stopped = 1700000009000, stop_cause = '\(cause)' WHERE run = \(run)")
  }

  /// Lets the last chunk be done.
  package func finish() throws {
    try execute(
      """
      DELETE FROM chunks;
      UPDATE runs SET state = 'finished', finished = 1700000010000 WHERE id = \(run)
      """)
  }
}

extension PostgresDatabase {
  /// Waits until so many pushes of a run have been put into the queue. There need be no history before.
  package func waitForQueued(_ count: Int) throws {
    try wait(
      until: "(SELECT coalesce(max(written), 0) FROM fanfare.queued_runs) >= \(count)",
      once: "to_regclass('fanfare.queued_runs') IS NOT NULL")
  }
}
