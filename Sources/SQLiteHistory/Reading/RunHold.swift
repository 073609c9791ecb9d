public import History
public import PushModel

/// Holds a run by its lease.
final class LeaseHold: RunHold {
  private var lease: RunLease?

  init(_ lease: RunLease) { self.lease = lease }

  func release() { lease = nil }
}

extension HistoryReader {
  /// Holds a run that no process is sending.
  ///
  /// - Throws: `HistoryError.owned` when a process is sending it.
  public func hold(_ run: RunNumber) throws(HistoryError) -> any RunHold {
    LeaseHold(try RunLease.take(run, of: path))
  }
}
