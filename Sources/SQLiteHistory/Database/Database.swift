internal import CSQLite
internal import POSIX
internal import PushModel

/// The one owner of a connection to the history's database. It belongs to one thread at a time.
struct Database: ~Copyable {
  /// How long a connection waits for another process, in milliseconds.
  static let usualBusyMilliseconds = 5000

  let handle: OpaquePointer
  let busyMilliseconds: Int

  /// Whether the file is read as one that is never written to.
  let isAtRest: Bool

  /// Takes a handle over.
  init(owning handle: OpaquePointer, busyMilliseconds: Int, isAtRest: Bool = false) {
    self.handle = handle
    self.isAtRest = isAtRest
    self.busyMilliseconds = busyMilliseconds
  }

  // A statement may outlive its connection; then SQLite closes with the last statement.
  deinit { sqlite3_close_v2(handle) }

  /// Leaves what is in the write-ahead log there when the connection closes: whoever opens the file
  /// next reads it. Moving it into the file costs several waits for the disk.
  func leaveLogOnClose() {
    fanfare_sqlite_switch(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
  }

  /// Runs statements that take no values.
  func execute(_ sql: String) throws(HistoryError) {
    errno = 0
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    if code != SQLITE_OK { throw error(code) }
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

  /// The rowid of the last row put in.
  var lastRow: Int64 { sqlite3_last_insert_rowid(handle) }

  /// How many rows the last statement took out, put in or changed.
  var changes: Int { Int(sqlite3_changes(handle)) }

  /// What SQLite says of a call that failed.
  func error(_ code: Int32) -> HistoryError {
    // SQLite keeps no errno when it is COMMIT that fails.
    let (last, kept) = (errno, sqlite3_system_errno(handle))
    return HistoryError(
      code: code, systemErrno: kept == 0 ? last : kept, busyMilliseconds: busyMilliseconds,
      path: historyPath(of: handle))
  }

  /// Does everything or nothing. The lock to write is taken first, so that nothing inside can fail
  /// because another process writes.
  func transaction<Result>(
    _ body: () throws(HistoryError) -> Result
  ) throws(HistoryError) -> Result {
    try execute("BEGIN IMMEDIATE")
    do throws(HistoryError) {
      let result = try body()
      try execute("COMMIT")
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
    try execute("BEGIN")
    defer { rollBack() }
    return try body()
  }

  /// SQLite has rolled back by itself after some errors, such as a full disk.
  private func rollBack() {
    if sqlite3_get_autocommit(handle) == 0 { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
  }
}
