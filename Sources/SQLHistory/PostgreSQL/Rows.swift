internal import CPQ

/// What a statement gave, in PostgreSQL's binary form. Rows and columns are numbered from 0.
final class Rows {
  let handle: OpaquePointer
  private let server: String

  /// Takes a result over.
  init(owning handle: OpaquePointer, server: String) {
    self.handle = handle
    self.server = server
  }

  deinit { PQclear(handle) }

  var count: Int32 { PQntuples(handle) }

  /// How many rows the statement put in, changed or took out.
  var changes: Int { PQcmdTuples(handle).flatMap { Int(String(cString: $0)) } ?? 0 }

  /// Which command was carried out, such as `COMMIT` or `INSERT 0 1`.
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

  /// What is to be said of a column that no version of this tool gave such values.
  func unexpected(_ column: Int32) -> DatabaseError {
    let name = PQfname(handle, column).map { String(cString: $0) }
    return .unexpectedValue(server: server, column: name ?? "")
  }
}
