public import PushModel
internal import SQLHistory
internal import Synchronization

/// The lease of a worker's session. It is renewed while the session works, and ended at once if the
/// session turns out to be lost.
public final class WorkerLease: SendingLease {
  private let deadline: Atomic<UInt64>

  /// - Parameter deadline: the end of the lease, in nanoseconds of the run's monotonic clock.
  public init(until deadline: UInt64) { self.deadline = Atomic(deadline) }

  /// Returns true if no more streams may be opened.
  public func hasEnded(now: UInt64) -> Bool { deadline.load(ordering: .acquiring) <= now }

  /// Moves the deadline, unless the lease has been ended.
  public func renew(until deadline: UInt64) {
    let before = self.deadline.load(ordering: .acquiring)
    if before > 0 {
      _ = self.deadline.compareExchange(
        expected: before, desired: deadline, ordering: .acquiringAndReleasing)
    }
  }

  /// Ends the lease for good.
  public func end() { deadline.store(0, ordering: .releasing) }
}

/// The durations of a lease.
struct LeaseTerms: Sendable {
  /// The length of the lease by the server's clock.
  let milliseconds: Int
  private let timeout: Int

  init(milliseconds: Int, timeout: Int) {
    self.timeout = max(0, timeout)
    self.milliseconds = max(milliseconds, 3 * self.timeout)
  }

  /// The interval between renewals, in nanoseconds: short enough for several before the lease
  /// expires, or streams may no longer be opened.
  var renewal: UInt64 { UInt64(min(20_000, milliseconds / 4)) * 1_000_000 }

  /// Returns the deadline for opening streams under a lease requested at `start`: an attempt must
  /// be over when the lease is.
  func deadline(from start: UInt64) -> UInt64 { start + UInt64(milliseconds - timeout) * 1_000_000 }
}

extension Database {
  /// Ends the sessions of a run whose lease has expired, and frees their chunks.
  ///
  /// The lock on a session's row prevents renewal, claims and commits until its chunks are free. A
  /// process that waited for the lock then sees that the session has ended. Earlier commits of the
  /// session are visible here, because the second statement begins after the lock was granted. A
  /// session whose row is locked is at work, or being ended by another worker, and is skipped.
  ///
  /// - Returns: the number of sessions ended.
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
