internal import CSQLite
internal import POSIX
internal import PushModel

/// The one owner of a connection to the history's database, in SQLite or in PostgreSQL. It belongs to
/// one thread at a time.
struct Database: ~Copyable {
  /// How long a connection waits for another process, in milliseconds.
  static let usualBusyMilliseconds = 5000

  /// What carries out the statements.
  enum Driver {
    /// A connection to a file.
    case sqlite(OpaquePointer)
    /// A session with a server. Statements hold on to it.
    case postgreSQL(PostgreSQLSession)
  }

  let driver: Driver
  let busyMilliseconds: Int

  /// Whether the file is read as one that is never written to.
  let isAtRest: Bool

  /// Takes a connection over.
  init(_ driver: Driver, busyMilliseconds: Int, isAtRest: Bool = false) {
    self.driver = driver
    self.isAtRest = isAtRest
    self.busyMilliseconds = busyMilliseconds
  }

  // A statement may outlive its connection; then SQLite closes with the last statement. One that asks
  // `pushes` has to be prepared to ask other tables, which SQLite refuses by then.
  deinit { sqlite3_close_v2(handle) }

  /// Whether SQL has to be PostgreSQL's where the two differ.
  var isPostgreSQL: Bool { session != nil }

  /// The connection to a file; nil in PostgreSQL.
  var handle: OpaquePointer? {
    if case .sqlite(let handle) = driver { handle } else { nil }
  }

  /// The session with a server; nil in SQLite.
  var session: PostgreSQLSession? {
    if case .postgreSQL(let session) = driver { session } else { nil }
  }

  /// What messages call the server; empty in SQLite.
  var server: String { session?.server ?? "" }

  /// For a run of a few pushes, whose time is its own: the write-ahead log is left to whoever opens the
  /// file next, since moving it into the file costs several waits for the disk, and is kept short.
  func expectLittle() throws(HistoryError) {
    guard let handle else { return }
    fanfare_sqlite_switch(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    try execute("PRAGMA wal_autocheckpoint = 200")
  }

  /// Runs statements that take no values.
  func execute(_ sql: String) throws(HistoryError) {
    switch driver {
    case .sqlite(let handle):
      errno = 0
      let code = sqlite3_exec(handle, sql, nil, nil, nil)
      if code != SQLITE_OK { throw error(code, of: handle) }
    case .postgreSQL(let session): try session.execute(sql)
    }
  }

  /// The whole number that a statement without values gives, such as a PRAGMA.
  func number(_ sql: String) throws(HistoryError) -> Int64 {
    let statement = try Statement(sql, on: self)
    return try statement.step() ? statement.int64(0) : 0
  }

  /// The text that a statement without values gives.
  func text(_ sql: String) throws(HistoryError) -> String? {
    let statement = try Statement(sql, on: self)
    return try statement.step() ? statement.text(0) : nil
  }

  /// How many rows the last statement took out, put in or changed.
  var changes: Int {
    switch driver {
    case .sqlite(let handle): Int(sqlite3_changes(handle))
    case .postgreSQL(let session): session.changes
    }
  }

  /// What SQLite says of a call that failed.
  private func error(_ code: Int32, of handle: OpaquePointer) -> HistoryError {
    // SQLite keeps no errno when it is COMMIT that fails.
    let (last, kept) = (errno, sqlite3_system_errno(handle))
    return HistoryError(
      code: code, systemErrno: kept == 0 ? last : kept, busyMilliseconds: busyMilliseconds,
      path: historyPath(of: handle))
  }
}

// Transactions.
extension Database {
  /// Does everything or nothing. In SQLite the lock to write is taken first, so that nothing inside can
  /// fail because another process writes. PostgreSQL ends one whose process is frozen, and holds others
  /// up by its locks.
  ///
  /// - Throws: what the body throws, and `connectionLost` when no answer to COMMIT has come: then it may
  ///   or may not have taken effect.
  func transaction<Result>(
    _ body: () throws(HistoryError) -> Result
  ) throws(HistoryError) -> Result {
    try execute(
      isPostgreSQL
        ? "BEGIN; SET LOCAL idle_in_transaction_session_timeout = '30s'" : "BEGIN IMMEDIATE")
    do throws(HistoryError) {
      let result = try body()
      try commit()
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  /// Reads what belongs together: nothing that others commit meanwhile is seen.
  func reading<Result>(
    _ body: () throws(HistoryError) -> Result
  ) throws(HistoryError) -> Result {
    try execute(isPostgreSQL ? "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY" : "BEGIN")
    defer { rollBack() }
    return try body()
  }

  private func commit() throws(HistoryError) {
    switch driver {
    case .sqlite: try execute("COMMIT")
    case .postgreSQL(let session): try session.commit()
    }
  }

  private func rollBack() {
    switch driver {
    case .sqlite(let handle):
      // SQLite has rolled back by itself after some errors, such as a full disk.
      if sqlite3_get_autocommit(handle) == 0 { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
    case .postgreSQL(let session): session.rollBack()
    }
  }
}
