public import History
public import PushModel

/// Holds a run by its lease.
final class LeaseHold: RunHold {
  private var lease: (any RunLease)?

  init(_ lease: any RunLease) { self.lease = lease }

  func release() { lease = nil }
}

extension HistoryReader {
  /// Holds a run that no process is sending.
  ///
  /// - Throws: `HistoryError.owned` when a process is sending it, and `inQueue` while it is in the
  ///   queue.
  public func hold(_ run: RunNumber) throws(HistoryError) -> any RunHold {
    try database.refuseQueued(run)
    return LeaseHold(try database.driver.takeLease(of: run, at: path))
  }
}
