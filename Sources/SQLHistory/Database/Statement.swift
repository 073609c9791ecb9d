internal import CSQLite
internal import PushModel

/// One prepared statement, in SQLite's form. Values reach it as bound parameters only.
///
/// Parameters are numbered from 1, columns from 0, as in SQLite.
struct Statement: ~Copyable {
  fileprivate enum Driver {
    case sqlite(OpaquePointer)
    case postgreSQL(PostgreSQLStatement)
  }

  fileprivate let driver: Driver
  private let busyMilliseconds: Int

  /// Prepares a statement that will be used often.
  init(_ sql: String, on database: borrowing Database) throws(HistoryError) {
    switch database.driver {
    case .sqlite(let handle):
      try self.init(sql, on: handle, busyMilliseconds: database.busyMilliseconds)
    case .postgreSQL(let session):
      self.init(.postgreSQL(PostgreSQLStatement(sql, on: session)), database.busyMilliseconds)
    }
  }

  private init(_ driver: Driver, _ busyMilliseconds: Int) {
    (self.driver, self.busyMilliseconds) = (driver, busyMilliseconds)
  }

  /// Prepares a statement on a connection to a file that somebody else owns.
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
    driver = .sqlite(handle)
    self.busyMilliseconds = busyMilliseconds
  }

  deinit {
    if case .sqlite(let handle) = driver { sqlite3_finalize(handle) }
  }

  /// Goes to the next row; false at the end, where the statement is ready for its next use.
  func step() throws(HistoryError) -> Bool {
    switch driver {
    case .sqlite(let handle): try step(handle)
    case .postgreSQL(let statement): try statement.step()
    }
  }

  private func step(_ handle: OpaquePointer) throws(HistoryError) -> Bool {
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    let systemErrno = code == SQLITE_DONE ? 0 : sqlite3_system_errno(sqlite3_db_handle(handle))
    sqlite3_reset(handle)
    if code == SQLITE_DONE { return false }
    throw HistoryError(
      code: code, systemErrno: systemErrno, busyMilliseconds: busyMilliseconds,
      path: path)
  }

  /// What is to be said of a row that no version of this tool wrote. The statement lets go of it.
  var corrupt: HistoryError {
    defer { reset() }
    return .corrupt(path: path)
  }

  /// The file of its database, empty when it has none; or the server.
  var path: String {
    switch driver {
    case .sqlite(let handle): historyPath(of: sqlite3_db_handle(handle))
    case .postgreSQL(let statement): statement.server
    }
  }

  /// Runs a statement whose rows, if any, do not matter.
  func run() throws(HistoryError) {
    switch driver {
    case .sqlite(let handle): while try step(handle) {}
    case .postgreSQL(let statement): try statement.run()
    }
  }

  /// Lets go of the row it stands on; the next step starts anew.
  func reset() {
    switch driver {
    case .sqlite(let handle): sqlite3_reset(handle)
    case .postgreSQL(let statement): statement.reset()
    }
  }
}

// Binding. A parameter that is out of range is a mistake in this folder, and its value stays NULL.
extension Statement {
  func bind(_ value: Int64?, at parameter: Int32) {
    switch driver {
    case .sqlite(let handle):
      guard let value else { return _ = sqlite3_bind_null(handle, parameter) }
      sqlite3_bind_int64(handle, parameter, value)
    case .postgreSQL(let statement): statement.bind(.int64(value), at: parameter)
    }
  }

  func bind(_ value: Int?, at parameter: Int32) { bind(value.map { Int64($0) }, at: parameter) }

  func bindNull(at parameter: Int32) {
    switch driver {
    case .sqlite(let handle): sqlite3_bind_null(handle, parameter)
    case .postgreSQL(let statement): statement.bind(.null, at: parameter)
    }
  }

  func bind(_ text: String?, at parameter: Int32) {
    switch driver {
    case .sqlite(let handle):
      guard var text else { return _ = sqlite3_bind_null(handle, parameter) }
      text.withUTF8 { utf8 in
        let raw = UnsafeRawPointer(utf8.baseAddress)
        let start = raw?.assumingMemoryBound(to: CChar.self)
        sqlite3_bind_text(handle, parameter, start, Int32(utf8.count), transient)
      }
    case .postgreSQL(let statement): statement.bind(.text(text), at: parameter)
    }
  }

  /// Binds numbers for ``Database/idIsAmong``.
  func bind(_ numbers: [Int64], at parameter: Int32) {
    switch driver {
    case .sqlite: bind("\(numbers)", at: parameter)
    case .postgreSQL(let statement): statement.bind(.numbers(numbers), at: parameter)
    }
  }

  func bind(_ value: Parameter, at parameter: Int32) {
    switch value {
    case .null: bindNull(at: parameter)
    case .int64(let number): bind(number, at: parameter)
    case .text(let text): bind(text, at: parameter)
    case .bytes(let bytes): bind(bytes, at: parameter)
    case .numbers(let numbers): bind(numbers, at: parameter)
    }
  }

  /// Binds bytes that are copied.
  func bind(_ bytes: [UInt8]?, at parameter: Int32) {
    switch driver {
    case .sqlite(let handle):
      guard let bytes else { return _ = sqlite3_bind_null(handle, parameter) }
      // No bytes may have no address, which would be NULL.
      guard !bytes.isEmpty else { return _ = sqlite3_bind_zeroblob(handle, parameter, 0) }
      bytes.withUnsafeBytes {
        _ = sqlite3_bind_blob(handle, parameter, $0.baseAddress, Int32($0.count), transient)
      }
    case .postgreSQL(let statement): statement.bind(.bytes(bytes), at: parameter)
    }
  }
}

// The columns of the row it stands on.
extension Statement {
  func isNull(_ column: Int32) -> Bool {
    switch driver {
    case .sqlite(let handle): sqlite3_column_type(handle, column) == SQLITE_NULL
    case .postgreSQL(let statement): statement.isNull(column)
    }
  }

  func int64(_ column: Int32) -> Int64 {
    switch driver {
    case .sqlite(let handle): sqlite3_column_int64(handle, column)
    case .postgreSQL(let statement): statement.int64(column)
    }
  }

  func optionalInt64(_ column: Int32) -> Int64? { isNull(column) ? nil : int64(column) }

  func text(_ column: Int32) -> String? {
    switch driver {
    case .sqlite(let handle): sqlite3_column_text(handle, column).map { String(cString: $0) }
    case .postgreSQL(let statement): statement.text(column)
    }
  }

  /// The bytes of a blob or a text, valid until the next step.
  func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
    switch driver {
    case .sqlite(let handle):
      let start = sqlite3_column_blob(handle, column)
      return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    case .postgreSQL(let statement): return statement.bytes(column)
    }
  }

  /// Gives SQLite what a column has, as the result of a virtual table.
  func give(_ column: Int32, to context: OpaquePointer?) {
    if case .sqlite(let handle) = driver {
      sqlite3_result_value(context, sqlite3_column_value(handle, column))
    }
  }
}

// Numbers that are computed with. A value that no version of this tool writes is damage, and is refused
// here: behind this border no sum overflows.
extension Statement {
  /// - Throws: `HistoryError.corrupt` for a number outside of the range.
  func int64(_ column: Int32, in range: ClosedRange<Int64>) throws(HistoryError) -> Int64 {
    let number = int64(column)
    guard range.contains(number) else { throw corrupt }
    return number
  }

  /// How many; none when it is NULL.
  func count(_ column: Int32) throws(HistoryError) -> Int { Int(try int64(column, in: .counts)) }

  func optionalCount(_ column: Int32) throws(HistoryError) -> Int? {
    isNull(column) ? nil : try count(column)
  }

  /// A time in milliseconds, or a difference of two.
  func time(_ column: Int32) throws(HistoryError) -> Int64 { try int64(column, in: .times) }

  func optionalTime(_ column: Int32) throws(HistoryError) -> Int64? {
    isNull(column) ? nil : try time(column)
  }

  /// The number of a row that has to be within bounds, neither of them included: the rows of a damaged
  /// table need not be in order, and reading them page by page might never end.
  func row(
    _ column: Int32 = 0, after low: Int64, before high: Int64 = .max
  ) throws(HistoryError) -> Int64 {
    let row = int64(column)
    guard low < row, row < high else { throw corrupt }
    return row
  }
}

extension ClosedRange<Int64> {
  /// As many as a run can have pushes.
  static var counts: Self { 0...Int64(RunNumber.lastSequence) }

  /// 35,000 years to both sides.
  static var times: Self { -1 << 50...1 << 50 }
}

/// Tells SQLite to copy what is bound.
var transient: sqlite3_destructor_type {
  unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}

/// The file of a connection's database; empty when it has none.
func historyPath(of connection: OpaquePointer?) -> String {
  sqlite3_db_filename(connection, "main").map { String(cString: $0) } ?? ""
}
