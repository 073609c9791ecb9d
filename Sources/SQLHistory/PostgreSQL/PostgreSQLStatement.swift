internal import CPQ
internal import PushModel

/// A statement in SQLite's form for a PostgreSQL server: the values that are bound to it, and the rows
/// that it gave. It is carried out at its first step, and all its rows are kept: large tables are to be
/// read a page at a time.
///
/// Values read as SQLite gives them: NULL is 0 as a number, a truth value 0 or 1.
final class PostgreSQLStatement: DatabaseStatement {
  private let session: PostgreSQLSession
  private let sql: String
  private var parameters: [StatementParameter]
  private var rows: QueryResult?
  private var row: Int32 = 0

  init(_ text: String, on session: PostgreSQLSession) {
    let (sql, count) = text.withNumberedParameters
    self.session = session
    self.sql = sql
    parameters = Array(repeating: .null, count: count)
  }

  var place: String { session.place }

  /// Goes to the next row; false at the end, where the statement is ready for its next use.
  func step() throws(HistoryError) -> Bool {
    if let rows {
      row += 1
      if row == rows.count { self.rows = nil }
    } else {
      let rows = try session.query(sql, parameters)
      row = 0
      self.rows = rows.count == 0 ? nil : rows
    }
    return rows != nil
  }

  /// Runs it without looking at its rows.
  func run() throws(HistoryError) {
    rows = nil
    try session.query(sql, parameters)
  }

  /// Lets go of its rows; the next step starts anew.
  func reset() { rows = nil }

  /// - Parameter number: from 1. One that the text does not have is left out.
  func bind(_ value: StatementParameter, at number: Int32) {
    if parameters.indices.contains(Int(number) - 1) { parameters[Int(number) - 1] = value }
  }

  func isNull(_ column: Int32) -> Bool {
    rows.map { PQgetisnull($0.handle, row, column) == 1 } ?? true
  }

  func int64(_ column: Int32) -> Int64 {
    rows?.wholeNumber(row, column) ?? (rows?.truth(row, column) == true ? 1 : 0)
  }

  func text(_ column: Int32) -> String? {
    guard let rows, !isNull(column) else { return nil }
    if let number = rows.wholeNumber(row, column) { return String(number) }
    return rows.text(row, column)
  }

  /// The bytes of a `bytea` or a text, valid until the next step.
  func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
    rows?.bytes(row, column) ?? UnsafeRawBufferPointer(start: nil, count: 0)
  }
}

extension QueryResult {
  /// `boolean`, `bytea`, `bigint`, `smallint`, `integer`, `text`; and what a function gives without
  /// anything to say.
  private static let types: [Oid] = [16, 17, 20, 21, 23, 25, 2278]

  /// - Throws: `unexpectedValue` for a column whose values a ``PostgreSQLStatement`` cannot read.
  func checkTypes() throws(DatabaseError) {
    for column in 0..<PQnfields(handle) where !Self.types.contains(PQftype(handle, column)) {
      throw unexpected(column)
    }
  }

  /// Nil unless the column is a boolean.
  fileprivate func truth(_ row: Int32, _ column: Int32) -> Bool? {
    PQftype(handle, column) == 16 ? bytes(row, column).first.map { $0 != 0 } : nil
  }
}

extension String {
  /// The text of a statement with `$1` for SQLite's `?1`, and the next number for each `?`; and how many
  /// values it takes. What is quoted stays as it is.
  var withNumberedParameters: (sql: String, count: Int) {
    var (sql, count, quote, rest) = ([UInt8](), 0, UInt8?.none, utf8[...])
    while let byte = rest.popFirst() {
      sql.append(byte)
      if quote != nil || byte != UInt8(ascii: "?") {
        if quote == byte { quote = nil } else if quote == nil, byte.isQuote { quote = byte }
        continue
      }
      let digits = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
      rest = rest.dropFirst(digits.count)
      let number = Int(String(digits) ?? "") ?? count + 1
      count = max(count, number)
      sql[sql.count - 1] = UInt8(ascii: "$")
      sql += "\(number)".utf8
    }
    return (String(decoding: sql, as: UTF8.self), count)
  }
}

extension UInt8 {
  fileprivate var isQuote: Bool { self == UInt8(ascii: "'") || self == UInt8(ascii: "\"") }
}

/// The result of a statement, in PostgreSQL's binary form. Rows and columns are numbered from 0.
final class QueryResult {
  let handle: OpaquePointer
  private let server: String

  /// Takes a result over.
  init(owning handle: OpaquePointer, server: String) {
    self.handle = handle
    self.server = server
  }

  deinit { PQclear(handle) }

  var count: Int32 { PQntuples(handle) }

  /// The number of rows that the statement inserted, changed or deleted.
  var changes: Int { PQcmdTuples(handle).flatMap { Int(String(cString: $0)) } ?? 0 }

  /// The tag of the executed command, such as `COMMIT` or `INSERT 0 1`.
  var tag: String { PQcmdStatus(handle).map { String(cString: $0) } ?? "" }

  /// The bytes of a value, for as long as the rows are there.
  func bytes(_ row: Int32, _ column: Int32) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: PQgetvalue(handle, row, column), count: Int(PQgetlength(handle, row, column)))
  }

  /// A text, also as the bytes of a `bytea`.
  func text(_ row: Int32, _ column: Int32) -> String {
    String(decoding: bytes(row, column), as: UTF8.self)
  }

  /// A whole number of any size; nil for NULL, and for what is none.
  func wholeNumber(_ row: Int32, _ column: Int32) -> Int64? {
    let bytes = bytes(row, column)
    return switch (PQftype(handle, column), bytes.count) {
    case (20, 8): Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
    case (23, 4): Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
    case (21, 2): Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
    default: nil
    }
  }

  /// The error for a column with a value that no version of this tool writes.
  func unexpected(_ column: Int32) -> DatabaseError {
    let name = PQfname(handle, column).map { String(cString: $0) }
    return .unexpectedValue(server: server, column: name ?? "")
  }
}
