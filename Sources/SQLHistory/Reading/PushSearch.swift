internal import History
internal import PushModel

/// A statement that selects columns of the results that fit a filter.
struct PushSearch: ~Copyable {
  let statement: Statement

  /// - Parameters:
  ///   - columns: what is selected.
  ///   - order: `ASC` or `DESC`, by the rows' numbers; nil for any.
  init(
    _ filter: HistoryFilter, columns: String = PushEntry.columns, order: String? = "ASC",
    on database: borrowing Database
  ) throws(HistoryError) {
    // The bounds have the first two parameters.
    let table = filter.source == .pushes ? "pushes(?1, ?2)" : "results"
    var terms = [filter.source == .pushes ? "true" : "id BETWEEN ?1 AND ?2"]
    if !filter.outcomes.isEmpty {
      // Literals, so that the database sees that its index has them all.
      let codes = filter.outcomes.map { "\($0.code)" }
      terms.append("outcome IN (\(codes.joined(separator: ", ")))")
    }
    if !filter.reasons.isEmpty {
      let words = filter.reasons.map { _ in "?" }.joined(separator: ", ")
      terms.append("reason IN (SELECT id FROM reasons WHERE lower(word) IN (\(words)))")
    }
    if let token = filter.token { terms.append("\(database.dialect.end(of: token)) = ?") }
    statement = try Statement(
      """
      SELECT \(columns) FROM \(table) WHERE \(terms.joined(separator: " AND "))
        \(order.map { "ORDER BY id \($0)" } ?? "")
      """, on: database)
    let values = filter.reasons.map { $0.lowercased() } + [filter.token?.digits].compactMap(\.self)
    for (index, value) in values.enumerated() { statement.bind(value, at: Int32(index) + 3) }
  }

  func step() throws(HistoryError) -> Bool { try statement.step() }
}

extension HistoryFilter {
  /// Where to look: no accepted push is in the indexes of `results`, and none needs to be unpacked when
  /// none is wanted.
  var source: RowBlocks.Source {
    let takesAccepted = reasons.isEmpty && (outcomes.isEmpty || outcomes.contains(.accepted))
    return takesAccepted ? .pushes : .results
  }

  /// How many row numbers to search at once: `results` has few rows in a block.
  var blockSize: Int64 {
    source == .pushes ? AcceptedPushes.blockSize : 16 * AcceptedPushes.blockSize
  }
}
