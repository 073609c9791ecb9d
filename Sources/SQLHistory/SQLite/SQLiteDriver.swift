internal import CSQLite
internal import POSIX
internal import PushModel

/// A connection to a history in a file.
final class SQLiteDriver: DatabaseDriver {
  /// True if the file is read as one that nobody writes to.
  let isAtRest: Bool

  let handle: OpaquePointer
  let busyMilliseconds: Int

  init(_ handle: OpaquePointer, busyMilliseconds: Int, isAtRest: Bool) {
    self.handle = handle
    self.busyMilliseconds = busyMilliseconds
    self.isAtRest = isAtRest
  }

  // A statement may outlive its connection, which SQLite then closes with the last statement. One
  // that queries `pushes` has to prepare queries of other tables, which SQLite refuses by then.
  deinit { sqlite3_close_v2(handle) }

  static let dialect = Dialect.sqlite

  /// SQLite's own path, which is the same for every link that leads to the file: so are the files
  /// beside it.
  var place: String { historyPath(of: handle) }

  var file: String? { place }

  var changes: Int { Int(sqlite3_changes(handle)) }

  func prepare(_ sql: String) throws(HistoryError) -> any DatabaseStatement { try statement(sql) }

  private func statement(_ sql: String) throws(HistoryError) -> SQLiteStatement {
    try SQLiteStatement(sql, on: handle, busyMilliseconds: busyMilliseconds)
  }

  func rowWriter(
    into table: StaticString, _ columns: [String]
  ) throws(HistoryError) -> any RowWriter {
    let values = columns.map { _ in "?" }.joined(separator: ", ")
    let names = columns.joined(separator: ", ")
    return InsertedRows(
      try statement("INSERT OR REPLACE INTO \(table) (\(names)) VALUES (\(values))"))
  }

  func execute(_ sql: String) throws(HistoryError) {
    errno = 0
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    if code != SQLITE_OK { throw error(code) }
  }

  func commit() throws(HistoryError) { try execute("COMMIT") }

  /// Rolls back the transaction. SQLite does so by itself after some errors, such as a full disk.
  func rollBack() {
    if sqlite3_get_autocommit(handle) == 0 { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
  }

  func takeLease(of run: RunNumber) throws(HistoryError) -> any RunLease {
    try FileLease.take(run, of: place)
  }

  func isLeased(_ run: RunNumber) -> Bool { FileLease.isTaken(run, of: place) }

  /// Leaves the write-ahead log to the next process that opens the file, since a checkpoint waits
  /// for the disk several times. The log is short.
  func expectLittle() throws(HistoryError) {
    fanfare_sqlite_switch(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    try execute("PRAGMA wal_autocheckpoint = 200")
  }

  /// Rebuilds the file without its free pages. The new file is in the log, where other readers keep
  /// it.
  func giveSpaceBack() throws(HistoryError) -> Bool {
    if try number("PRAGMA freelist_count") > 0 { try execute("VACUUM") }
    return try number("PRAGMA wal_checkpoint(TRUNCATE)") == 0
  }

  /// Translates the failure of a call.
  private func error(_ code: Int32) -> HistoryError {
    // SQLite keeps no errno if COMMIT fails.
    let (last, kept) = (errno, sqlite3_system_errno(handle))
    return HistoryError(
      code: code, systemErrno: kept == 0 ? last : kept, busyMilliseconds: busyMilliseconds,
      path: place)
  }
}

extension Dialect {
  /// The SQL of SQLite. The write lock is taken first, so that nothing inside a transaction can
  /// fail because another process writes.
  static let sqlite = Dialect(
    begin: "BEGIN IMMEDIATE", beginReading: "BEGIN", version: "PRAGMA data_version",
    versionOfResults: "PRAGMA data_version",
    idIsAmong: "id IN (SELECT value FROM json_each(?))", newWord: "VALUES (?1)", lockWords: nil,
    lastDigits: { "lower(substr(hex(token), -\($0)))" }, hasQueue: false)
}

/// Facts about the SQLite library that this process has loaded.
public enum SQLiteFacts {
  /// The version in use and that of the headers this program was built with; for example `3.45.1`.
  public static var versions: (loaded: String, built: String) {
    (String(cString: sqlite3_libversion()), SQLITE_VERSION)
  }

  /// True if each thread may have its own connection.
  public static var isThreadSafe: Bool { sqlite3_threadsafe() != 0 }
}
