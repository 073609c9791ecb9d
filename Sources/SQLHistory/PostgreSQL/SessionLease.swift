internal import PushModel

/// A lease as an advisory lock of the session that writes the run: each commit proves that its session
/// still has the lease, which the server frees when the session ends.
final class SessionLease: RunLease {
  /// The first half of the lock's key; the second half is the run.
  private static let space = Database.applicationID

  private let run: RunNumber
  private let session: PostgreSQLSession
  /// The number of the session's connection that holds the lock; 0 if none does.
  private var connection = 0

  init(_ run: RunNumber, in session: PostgreSQLSession) throws(HistoryError) {
    self.run = run
    self.session = session
    try renew()
  }

  deinit {
    if session.connectionNumber == connection {
      _ = try? session.query("SELECT pg_advisory_unlock(\(Self.space), \(run))", [])
    }
  }

  func renew() throws(HistoryError) {
    if session.connectionNumber == connection { return }
    let attempt = PostgreSQLStatement(
      "SELECT pg_try_advisory_lock(\(Self.space), \(run))", on: session)
    guard try attempt.step(), attempt.int64(0) != 0 else { throw try owned }
    connection = session.connectionNumber
  }

  /// Returns true if a session holds the lease.
  static func isTaken(
    _ run: RunNumber, in session: PostgreSQLSession
  ) throws(HistoryError) -> Bool {
    try holder(of: run, in: session).step()
  }

  /// The error if another session holds the lease. The server tells the holder's address, unless it
  /// is on the server's machine.
  private var owned: HistoryError {
    get throws(HistoryError) {
      let holder = Self.holder(of: run, in: session)
      return .owned(run: run, pid: nil, host: try holder.step() ? holder.text(0) : nil)
    }
  }

  private static func holder(
    of run: RunNumber, in session: PostgreSQLSession
  ) -> PostgreSQLStatement {
    PostgreSQLStatement(
      """
      SELECT host(client_addr) FROM pg_locks JOIN pg_stat_activity USING (pid)
        WHERE locktype = 'advisory' AND classid = \(space) AND objid = \(run) AND objsubid = 2
          AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      """, on: session)
  }
}
