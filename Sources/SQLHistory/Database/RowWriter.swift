internal import PushModel

/// Puts rows into a table. SQLite takes each at once. In PostgreSQL, where each would cost a round trip,
/// they wait and go by COPY.
struct RowWriter: ~Copyable {
  private let insertion: Statement
  /// Nil in SQLite.
  private let waiting: WaitingRows?

  /// - Parameter columns: all of the table's; the first is `id`.
  init(
    _ table: StaticString, _ columns: [String], on database: borrowing Database
  ) throws(HistoryError) {
    let target = "\(table) (\(columns.joined(separator: ", ")))"
    let values = columns.map { _ in "?" }.joined(separator: ", ")
    let insertion = try Statement(
      "INSERT OR REPLACE INTO \(target) VALUES (\(values))", on: database)
    let waiting = try WaitingRows(table, target, columns: columns.count, on: database)
    self.insertion = insertion
    self.waiting = waiting
  }

  /// Adds a row, within the caller's transaction.
  ///
  /// - Parameters:
  ///   - id: the first of the values.
  ///   - values: those of all columns, of exactly their types.
  ///   - replacing: whether there may be a row with this number, which it replaces.
  func add(_ id: Int64, _ values: [Parameter], replacing: Bool) throws(HistoryError) {
    if let waiting { return try waiting.add(id, values, replacing: replacing) }
    for (index, value) in values.enumerated() { insertion.bind(value, at: Int32(index + 1)) }
    try insertion.run()
  }

  /// Writes the rows that wait, within the caller's transaction.
  func write() throws(HistoryError) { try waiting?.write() }

  /// Forgets the rows that wait: the transaction was rolled back.
  func clear() { waiting?.clear() }
}

/// Rows on their way into a table in PostgreSQL.
private final class WaitingRows {
  /// So many go before the transaction ends.
  private static let mostRows = 1 << 13

  private let session: PostgreSQLSession
  private let removal: Statement
  private let target: String
  private let columns: Int
  private var rows: CopiedRows
  private var ids: Set<Int64> = []
  private var replaced: [Int64] = []

  /// - Parameter target: the table and its columns.
  init?(
    _ table: StaticString, _ target: String, columns: Int, on database: borrowing Database
  ) throws(HistoryError) {
    guard let session = database.session else { return nil }
    removal = try Statement("DELETE FROM \(table) WHERE \(database.idIsAmong)", on: database)
    rows = CopiedRows(columns: columns)
    self.session = session
    self.target = target
    self.columns = columns
  }

  func add(_ id: Int64, _ values: [Parameter], replacing: Bool) throws(HistoryError) {
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
      removal.bind(replaced, at: 1)
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
