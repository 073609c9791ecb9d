public import PushModel
internal import SQLHistory

/// A period in which only one worker sends, at the rate of the run.
public struct RateSlot: Sendable, Hashable {
  /// The start, in nanoseconds of the worker's monotonic clock.
  public var start: UInt64

  /// The length in nanoseconds.
  public var length: UInt64
}

extension WorkerSession {
  /// The time by which slots are leased ahead, in milliseconds. The slots of a worker that dies are
  /// lost.
  private static let horizon = 1000
  /// The furthest plausible start of the next slot, in milliseconds from now. One beyond it means
  /// that the server's clock was set back, and is ignored.
  private static let longestHorizon = 60_000

  /// Leases the next slot that no worker of the run has. The lock on the run's row serializes these
  /// requests.
  ///
  /// - Returns: nil if the next one begins more than a second from now.
  public func leaseSlot(milliseconds: Int) throws(HistoryError) -> RateSlot? {
    let delay = try onLine { line throws(HistoryError) in
      let statement = try Statement(
        """
        UPDATE queued_runs
          SET paid_until = CASE WHEN paid_until BETWEEN server_time() AND server_time() + ?3
            THEN paid_until ELSE server_time() END + ?1
          WHERE run = ?2 AND paid_until NOT BETWEEN server_time() + ?3 AND server_time() + ?4
          RETURNING paid_until - ?1 - server_time()
        """, on: line.database)
      statement.bind(milliseconds, at: 1)
      statement.bind(run.rawValue, at: 2)
      statement.bind(Self.horizon, at: 3)
      statement.bind(Self.longestHorizon, at: 4)
      return try statement.step() ? min(max(0, statement.int64(0)), Int64(Self.horizon)) : nil
    }
    // Read after the answer, so that the wait for the lock does not count.
    return delay.map {
      RateSlot(
        start: clock.monotonic() + UInt64($0) * 1_000_000,
        length: UInt64(milliseconds) * 1_000_000)
    }
  }
}
