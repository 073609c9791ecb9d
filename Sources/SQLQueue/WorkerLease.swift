public import PushModel
internal import SQLHistory
internal import Synchronization

/// The lease of a worker's session: renewed while it works, and ended at once when it turns out to be
/// lost.
public final class WorkerLease: SendingLease {
  private let deadline: Atomic<UInt64>

  /// - Parameter deadline: in nanoseconds of the run's monotonic clock.
  public init(until deadline: UInt64) { self.deadline = Atomic(deadline) }

  /// Whether no stream may be opened any more.
  public func hasEnded(now: UInt64) -> Bool { deadline.load(ordering: .acquiring) <= now }

  /// Moves the deadline; one that has been ended stays so.
  public func renew(until deadline: UInt64) {
    let before = self.deadline.load(ordering: .acquiring)
    if before > 0 {
      _ = self.deadline.compareExchange(
        expected: before, desired: deadline, ordering: .acquiringAndReleasing)
    }
  }

  /// Ends it for good.
  public func end() { deadline.store(0, ordering: .releasing) }
}

/// How long a lease is.
struct LeaseTerms: Sendable {
  /// By the server's clock.
  let milliseconds: Int
  private let timeout: Int

  init(milliseconds: Int, timeout: Int) {
    self.timeout = max(0, timeout)
    self.milliseconds = max(milliseconds, 3 * self.timeout)
  }

  /// How often the lease is renewed, in nanoseconds: several times before it runs out, and before
  /// streams may no longer be opened.
  var renewal: UInt64 { UInt64(min(20_000, milliseconds / 4)) * 1_000_000 }

  /// Until when streams may be opened under a lease that was asked for at a time: an attempt has to be
  /// over when the lease is.
  func deadline(from start: UInt64) -> UInt64 { start + UInt64(milliseconds - timeout) * 1_000_000 }
}

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
