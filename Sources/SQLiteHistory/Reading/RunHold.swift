public import PushModel

/// Keeps a run as it is: while this lives, no process can go on with sending it.
public final class RunHold {
  private var lease: RunLease?

  init(_ lease: RunLease) { self.lease = lease }

  /// Lets go of it before its time.
  public func release() { lease = nil }
}

extension HistoryReader {
  /// Takes hold of a run that nobody sends.
  ///
  /// - Throws: `HistoryError.owned` when a process is sending it.
  public func hold(_ run: RunNumber) throws(HistoryError) -> RunHold {
    RunHold(try RunOwner.take(run, of: path, in: database))
  }
}
