internal import PushModel

/// The right to send a run's pushes. It ends with the object, and with the process that holds it.
protocol RunLease: AnyObject {
  /// Takes the lease again when it was lost with the connection.
  ///
  /// - Throws: `HistoryError.owned` when another process has it by now.
  func renew() throws(HistoryError)
}

extension Database {
  /// Takes the lease of a run.
  ///
  /// - Parameter location: the history's, as it was opened.
  /// - Throws: `HistoryError.owned` when another process has it, with what is known of that.
  func takeLease(
    of run: RunNumber, at location: String
  ) throws(HistoryError) -> any RunLease {
    switch driver {
    case .sqlite: try FileLease.take(run, of: location)
    case .postgreSQL(let session): try SessionLease(run, in: session)
    }
  }

  /// Whether a process has the lease of a run.
  func isLeased(_ run: RunNumber, at location: String) throws(HistoryError) -> Bool {
    switch driver {
    case .sqlite: FileLease.isTaken(run, of: location)
    case .postgreSQL(let session): try SessionLease.isTaken(run, in: session)
    }
  }
}
