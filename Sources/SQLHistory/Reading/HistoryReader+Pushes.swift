public import APNS
public import History
public import PushModel

extension HistoryReader {
  /// Passes pushes until `body` returns false.
  ///
  /// - Parameters:
  ///   - newestFirst: true for the newest run first, and the highest numbers first within it; false
  ///     for the reverse.
  ///   - count: the number of pushes to skip first, which are counted rather than read.
  /// - Returns: the number of pushes skipped: fewer if there are not so many.
  @discardableResult
  public func forEachPush(
    _ filter: HistoryFilter, newestFirst: Bool = true, skipping count: Int = 0,
    _ body: (PushEntry) throws(HistoryError) -> Bool
  ) throws(HistoryError) -> Int {
    var rest = count
    if let rows = try rows(filter) {
      try visit(newestFirst ? rows.reversed() : rows, filter) { (push) throws(HistoryError) in
        if rest == 0 { return try body(push) }
        rest -= 1
        return true
      }
    } else {
      try forEachRow(RunCondition(filter), newestFirst: newestFirst) {
        (context: ResultContext) throws(HistoryError) in
        if context.passes(filter, &rest) { return true }
        return try visit(context, filter, newestFirst: newestFirst, skipping: &rest, body)
      }
    }
    return count - rest
  }

  /// The push with an `apns-id`; nil if the history does not contain it or has no result of it.
  public func push(_ id: APNSID) throws(HistoryError) -> PushEntry? {
    var filter = HistoryFilter()
    filter.apnsID = id
    var found: PushEntry?
    try forEachPush(filter) { push in
      found = push
      return false
    }
    return found
  }

  /// The runs in which a push has or would have this `apns-id`, with its number there, newest last.
  public func places(of id: APNSID) throws(HistoryError) -> [(run: RunNumber, sequence: UInt64)] {
    let given = try numbers("SELECT id FROM runs WHERE apns_id = ? ORDER BY id") {
      $0.bind(id.description, at: 1)
    }
    var places = given.map { (run: $0, sequence: UInt64(1)) }
    guard let parts = id.parts, parts.sequence <= RunNumber.lastSequence else { return places }
    let made = try numbers(
      "SELECT id FROM runs WHERE id_high = ? AND id_low = ? AND apns_id IS NULL ORDER BY id"
    ) {
      $0.bind(Int64(bitPattern: parts.run.high), at: 1)
      $0.bind(Int(parts.run.low), at: 2)
    }
    places += made.map { ($0, parts.sequence) }
    return places
  }

  /// The runs that a statement selects.
  func numbers(
    _ sql: String, _ bind: (borrowing Statement) -> Void
  ) throws(HistoryError) -> [RunNumber] {
    let statement = try Statement(sql, on: database)
    bind(statement)
    var numbers: [RunNumber] = []
    while try statement.step() { numbers.append(try RunNumber(row: statement)) }
    return numbers
  }

  /// The only rows that can match, in order; nil if all rows must be searched.
  private func rows(_ filter: HistoryFilter) throws(HistoryError) -> [Int64]? {
    if let id = filter.apnsID { return try places(of: id).map { $0.run.row(of: $0.sequence) } }
    return try filter.token.map { (token) throws(HistoryError) in
      try database.results(endingIn: token)
    }
  }

  /// Passes the matching pushes among some rows.
  private func visit(
    _ rows: [Int64], _ filter: HistoryFilter, _ body: (PushEntry) throws(HistoryError) -> Bool
  ) throws(HistoryError) {
    let condition = RunCondition(filter)
    let search = try PushSearch(filter, on: database)
    let selection = try Statement(
      "\(ResultContext.selection(in: database)) WHERE runs.id = ? AND \(condition.sql)",
      on: database)
    for row in rows {
      selection.bind(row >> RunNumber.sequenceBits, at: 1)
      condition.bind(to: selection, from: 2)
      guard try selection.step() else { continue }
      let context = try ResultContext(row: selection)
      selection.reset()
      search.statement.bind(row...row)
      for entry in try page(search, context) where try !body(entry) { return }
    }
  }

  /// Passes the matching pushes of a run after those that are to be skipped.
  ///
  /// - Returns: true to continue.
  private func visit(
    _ context: ResultContext, _ filter: HistoryFilter, newestFirst: Bool, skipping rest: inout Int,
    _ body: (PushEntry) throws(HistoryError) -> Bool
  ) throws(HistoryError) -> Bool {
    let search = try PushSearch(filter, order: newestFirst ? "DESC" : "ASC", on: database)
    let rows = try context.rows(filter, newestFirst: newestFirst, skipping: &rest, in: database)
    var blocks = try RowBlocks(
      in: rows, filter.source, size: filter.blockSize, newestFirst: newestFirst, on: database)
    while let block = try blocks.next() {
      search.statement.bind(block)
      let entries = try page(search, context).dropFirst(rest)
      rest -= min(rest, entries.startIndex)
      for entry in entries where try !body(entry) { return false }
    }
    return true
  }

  private func page(
    _ search: borrowing PushSearch, _ context: ResultContext
  ) throws(HistoryError) -> [PushEntry] {
    var entries: [PushEntry] = []
    while try search.step() { entries.append(try entry(search.statement, of: context)) }
    return entries
  }

  /// Reads a statement's current row, which has ``PushEntry/columns``.
  func entry(
    _ row: borrowing Statement, of context: ResultContext
  ) throws(HistoryError) -> PushEntry {
    try PushEntry(row: row, of: context, lists: &lists, reasons: &reasons)
  }
}

/// A statement that selects columns of the results that match a filter.
struct PushSearch: ~Copyable {
  let statement: Statement

  /// - Parameters:
  ///   - columns: the columns to select.
  ///   - order: `ASC` or `DESC`, by the rows' numbers; nil for any.
  init(
    _ filter: HistoryFilter, columns: String = PushEntry.columns, order: String? = "ASC",
    on database: borrowing Database
  ) throws(HistoryError) {
    let rows =
      filter.source == .pushes
      ? "pushes(?1, ?2) WHERE true" : "results WHERE id BETWEEN ?1 AND ?2"
    statement = try Statement(
      """
      SELECT \(columns) FROM \(rows) AND \(filter.condition(in: database))
        \(order.map { "ORDER BY id \($0)" } ?? "")
      """, on: database)
    filter.bind(to: statement)
  }

  func step() throws(HistoryError) -> Bool { try statement.step() }
}

extension HistoryFilter {
  /// The condition on a row of `pushes` or `results`. The bounds of the rows have the first two
  /// parameters.
  func condition(in database: borrowing Database) -> String {
    var terms = ["true"]
    if !outcomes.isEmpty {
      // Literals, so that the database sees that its index has them all.
      terms.append("outcome IN (\(outcomes.map { "\($0.code)" }.joined(separator: ", ")))")
    }
    if !reasons.isEmpty {
      let words = reasons.map { _ in "?" }.joined(separator: ", ")
      terms.append("reason IN (SELECT id FROM reasons WHERE lower(word) IN (\(words)))")
    }
    if let token { terms.append("\(database.dialect.end(of: token)) = ?") }
    return terms.joined(separator: " AND ")
  }

  /// Binds the values of ``condition(in:)``.
  func bind(to statement: borrowing Statement) {
    let values = reasons.map { $0.lowercased() } + [token?.digits].compactMap(\.self)
    for (index, value) in values.enumerated() { statement.bind(value, at: Int32(index) + 3) }
  }

  /// The tables to search. No accepted push is in the indexes of `results`, and none needs to be
  /// unpacked if none is wanted.
  var source: RowBlocks.Source {
    let takesAccepted = reasons.isEmpty && (outcomes.isEmpty || outcomes.contains(.accepted))
    return takesAccepted ? .pushes : .results
  }

  /// The number of row numbers to search at once: `results` has few rows in a block.
  var blockSize: Int64 {
    source == .pushes ? AcceptedPushes.blockSize : 16 * AcceptedPushes.blockSize
  }
}
