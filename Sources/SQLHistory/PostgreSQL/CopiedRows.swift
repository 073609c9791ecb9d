internal import CPQ
internal import PushModel

/// Rows in the binary form of COPY. Each value must have exactly its column's type.
struct CopiedRows {
  /// The signature, followed by no flags and an empty extension.
  private static let header =
    Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + [0, 0, 0, 0, 0, 0, 0, 0]

  fileprivate private(set) var bytes = header
  private let columns: Int16

  /// - Parameter columns: the number of values in each row.
  init(columns: Int) { self.columns = Int16(columns) }

  /// Begins a row; its values follow.
  mutating func beginRow() { bytes.append(bigEndian: columns) }

  mutating func add(_ value: StatementParameter) {
    let start = bytes.count
    bytes.append(bigEndian: Int32(-1))
    guard value.encode(into: &bytes) else { return }
    let size = Int32(bytes.count - start - 4)
    withUnsafeBytes(of: size.bigEndian) { bytes.replaceSubrange(start..<start + 4, with: $0) }
  }
}

extension DatabaseConnection {
  /// Inserts rows into a table, faster than any statement.
  ///
  /// - Parameter target: the table and its columns, such as `results (run, sequence)`.
  /// - Returns: the number of rows.
  func copy(_ rows: CopiedRows, into target: String) throws(DatabaseError) -> Int {
    try execute("COPY \(target) FROM STDIN (FORMAT binary)")
    var bytes = rows.bytes
    // A row of -1 columns is the end.
    bytes.append(bigEndian: Int16(-1))
    // When the server stops listening, its reason is the result.
    if put(bytes) { PQputCopyEnd(handle, nil) }
    return try answer(1).changes
  }

  /// Sends the bytes in pieces, so that libpq does not copy them as a whole.
  private func put(_ bytes: [UInt8]) -> Bool {
    let piece = 1 << 20
    return bytes.withUnsafeBytes { buffer in
      stride(from: 0, to: buffer.count, by: piece).allSatisfy { start in
        let part = UnsafeRawBufferPointer(
          rebasing: buffer[start..<min(start + piece, buffer.count)])
        let first = part.baseAddress?.assumingMemoryBound(to: CChar.self)
        return PQputCopyData(handle, first, Int32(part.count)) == 1
      }
    }
  }
}

/// Inserts rows into a table in PostgreSQL. Since each statement costs a round trip, rows are
/// collected and sent by COPY.
final class CopiedRowWriter: RowWriter {
  /// The number of rows that are sent even before the transaction ends.
  private static let mostRows = 1 << 13

  private let session: PostgreSQLSession
  private let removal: PostgreSQLStatement
  private let target: String
  private let columns: Int
  private var rows: CopiedRows
  private var ids: Set<Int64> = []
  private var replaced: [Int64] = []

  init(into table: StaticString, _ columns: [String], over session: PostgreSQLSession) {
    removal = PostgreSQLStatement(
      "DELETE FROM \(table) WHERE \(Dialect.postgreSQL.idIsAmong)", on: session)
    rows = CopiedRows(columns: columns.count)
    target = "\(table) (\(columns.joined(separator: ", ")))"
    self.session = session
    self.columns = columns.count
  }

  func add(_ id: Int64, _ values: [StatementParameter], replacing: Bool) throws(HistoryError) {
    // A row can replace a pending one only once that is in the table.
    if ids.count == Self.mostRows || ids.contains(id) { try write() }
    ids.insert(id)
    if replacing { replaced.append(id) }
    rows.beginRow()
    for value in values { rows.add(value) }
  }

  /// Writes the pending rows. Deleting the old ones first takes half the time of a staging table
  /// with `ON CONFLICT`, and needs no right to create one.
  func write() throws(HistoryError) {
    if ids.isEmpty { return }
    if !replaced.isEmpty {
      removal.bind(.numbers(replaced), at: 1)
      try removal.run()
    }
    try session.copy(rows, into: target)
    clear()
  }

  func clear() {
    rows = CopiedRows(columns: columns)
    ids.removeAll(keepingCapacity: true)
    replaced.removeAll(keepingCapacity: true)
  }
}
