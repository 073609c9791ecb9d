internal import History
internal import PushModel

/// A statement that selects columns of the results that fit a filter.
struct PushSearch: ~Copyable {
  let statement: Statement

  /// - Parameters:
  ///   - columns: what is selected.
  ///   - bounds: which rows, in SQL; its parameters come first.
  ///   - order: `ASC` or `DESC`.
  init(
    _ filter: HistoryFilter, columns: String = PushEntry.columns, _ bounds: String,
    order: String = "ASC", limit: Int, on database: borrowing Database
  ) throws(HistoryError) {
    var terms = [bounds]
    if !filter.outcomes.isEmpty {
      // Literals, so that SQLite sees that its index has them all.
      let codes = filter.outcomes.map { "\($0.code)" }
      terms.append("outcome IN (\(codes.joined(separator: ", ")))")
    }
    if !filter.reasons.isEmpty {
      let words = filter.reasons.map { _ in "?" }.joined(separator: ", ")
      terms.append("reason IN (SELECT id FROM reasons WHERE word COLLATE NOCASE IN (\(words)))")
    }
    if filter.token != nil { terms.append("substr(hex(token), ?) = ?") }
    statement = try Statement(
      """
      SELECT \(columns) FROM results WHERE \(terms.joined(separator: " AND "))
        ORDER BY id \(order) LIMIT \(limit)
      """, on: database)
    bindRest(filter, from: Int32(bounds.count { $0 == "?" }) + 1)
  }

  private func bindRest(_ filter: HistoryFilter, from first: Int32) {
    var next = first
    for reason in filter.reasons {
      statement.bind(reason, at: next)
      next += 1
    }
    filter.token?.bind(to: statement, from: next)
  }

  func bind(_ bound: Int64, at parameter: Int32) { statement.bind(bound, at: parameter) }

  func step() throws(HistoryError) -> Bool { try statement.step() }
}
