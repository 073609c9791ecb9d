internal import CSQLite
internal import PushModel

/// A prepared statement in SQLite. It may outlive its connection, which then closes with the last of
/// its statements.
final class SQLiteStatement: DatabaseStatement {
  private let handle: OpaquePointer
  private let busyMilliseconds: Int

  /// Prepares a statement.
  init(
    _ sql: String, on connection: OpaquePointer, busyMilliseconds: Int
  ) throws(HistoryError) {
    var handle: OpaquePointer?
    let code = sqlite3_prepare_v3(
      connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
    guard code == SQLITE_OK, let handle else {
      throw HistoryError(
        code: code, systemErrno: sqlite3_system_errno(connection),
        busyMilliseconds: busyMilliseconds, path: historyPath(of: connection))
    }
    self.handle = handle
    self.busyMilliseconds = busyMilliseconds
  }

  deinit { sqlite3_finalize(handle) }

  /// The file of its database; empty if there is none.
  var place: String { historyPath(of: sqlite3_db_handle(handle)) }

  func step() throws(HistoryError) -> Bool {
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    let systemErrno = code == SQLITE_DONE ? 0 : sqlite3_system_errno(sqlite3_db_handle(handle))
    sqlite3_reset(handle)
    if code == SQLITE_DONE { return false }
    throw HistoryError(
      code: code, systemErrno: systemErrno, busyMilliseconds: busyMilliseconds, path: place)
  }

  func run() throws(HistoryError) { while try step() {} }

  func reset() { sqlite3_reset(handle) }
}

// Binding. A parameter out of range is a bug in this folder, and its value stays NULL.
extension SQLiteStatement {
  func bind(_ value: StatementParameter, at parameter: Int32) {
    switch value {
    case .int64(let number?): sqlite3_bind_int64(handle, parameter, number)
    case .text(let text?): bind(text, at: parameter)
    case .bytes(let bytes?): bind(bytes, at: parameter)
    case .numbers(let numbers): bind("\(numbers)", at: parameter)
    case .null, .int64(nil), .text(nil), .bytes(nil): sqlite3_bind_null(handle, parameter)
    }
  }

  private func bind(_ text: String, at parameter: Int32) {
    var text = text
    text.withUTF8 { utf8 in
      let raw = UnsafeRawPointer(utf8.baseAddress)
      let start = raw?.assumingMemoryBound(to: CChar.self)
      sqlite3_bind_text(handle, parameter, start, Int32(utf8.count), transient)
    }
  }

  /// Binds bytes that are copied.
  private func bind(_ bytes: [UInt8], at parameter: Int32) {
    // An empty array may have no address, which would bind NULL.
    guard !bytes.isEmpty else { return _ = sqlite3_bind_zeroblob(handle, parameter, 0) }
    bytes.withUnsafeBytes {
      _ = sqlite3_bind_blob(handle, parameter, $0.baseAddress, Int32($0.count), transient)
    }
  }
}

// The columns of the current row.
extension SQLiteStatement {
  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  func int64(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  func text(_ column: Int32) -> String? {
    sqlite3_column_text(handle, column).map { String(cString: $0) }
  }

  func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
    let start = sqlite3_column_blob(handle, column)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
  }

  /// Passes SQLite the value of a column, as the result of a virtual table.
  func give(_ column: Int32, to context: OpaquePointer?) {
    sqlite3_result_value(context, sqlite3_column_value(handle, column))
  }
}

/// Inserts each row at once.
final class InsertedRows: RowWriter {
  private let insertion: SQLiteStatement

  init(_ insertion: SQLiteStatement) { self.insertion = insertion }

  func add(_ id: Int64, _ values: [StatementParameter], replacing: Bool) throws(HistoryError) {
    for (index, value) in values.enumerated() { insertion.bind(value, at: Int32(index + 1)) }
    try insertion.run()
  }

  func write() {}

  func clear() {}
}

/// The destructor that has SQLite copy bound values.
var transient: sqlite3_destructor_type {
  unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}

/// The file of a connection's database; empty if there is none.
func historyPath(of connection: OpaquePointer?) -> String {
  sqlite3_db_filename(connection, "main").map { String(cString: $0) } ?? ""
}
