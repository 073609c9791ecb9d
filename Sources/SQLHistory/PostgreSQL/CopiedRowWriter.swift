internal import PushModel

/// Puts rows into a table in PostgreSQL, where each would cost a round trip: they wait, and go by COPY.
final class CopiedRowWriter: RowWriter {
  /// So many go before the transaction ends.
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
    // A row that replaces one that waits needs that one in the table.
    if ids.count == Self.mostRows || ids.contains(id) { try write() }
    ids.insert(id)
    if replacing { replaced.append(id) }
    rows.beginRow()
    for value in values { rows.add(value) }
  }

  /// Deleting first takes half the time of a staging table and `ON CONFLICT`, and needs no right to
  /// create one.
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
