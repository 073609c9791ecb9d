internal import PushModel
internal import SQLHistory

extension Database {
  /// Ends the sessions of a run whose lease has run out, and frees their chunks.
  ///
  /// The lock on a session's row keeps it from being renewed, from claiming and from committing results
  /// until its chunks are free. Who waited for that lock sees that it has ended; and what it committed
  /// before is seen here, because the second statement begins after the lock was granted. A session
  /// whose row is locked is at work, or buried by another worker: it is passed over.
  ///
  /// - Returns: how many there were.
  @discardableResult
  func buryLostWorkers(of run: RunNumber) throws(HistoryError) -> Int {
    try transaction { () throws(HistoryError) in
      let lost = try Statement(
        """
        UPDATE workers SET ended = server_time(), was_lost = 1 WHERE id IN (
          SELECT id FROM workers WHERE run = ?1 AND \(Dialect.hasOverdueLease)
            FOR UPDATE SKIP LOCKED)
          RETURNING id
        """, on: self)
      lost.bind(run.rawValue, at: 1)
      var count = 0
      while try lost.step() {
        try execute("UPDATE chunks SET worker = NULL WHERE worker = \(lost.int64(0))")
        count += 1
      }
      return count
    }
  }
}
