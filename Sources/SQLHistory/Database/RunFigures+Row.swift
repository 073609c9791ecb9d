internal import PushModel

extension RunFigures {
  /// The columns of `figures` besides `run`.
  static let columns = [
    "environment", "pass", "lines", "bad_lines", "duplicates", "suppressed", "other_shards",
    "accepted", "rejected", "skipped", "deferred", "unknown", "not_attempted",
    "is_unread", "unread_list", "unread_line", "unread_count", "sent", "resent", "nanoseconds",
    "p50", "p95", "p99", "connections", "connections_limit",
  ]

  /// The columns of ``table`` in SQL. Their names are unique among the tables.
  static let selection = columns.map { "figure_\($0)" }.joined(separator: ", ")

  /// The SQL that is joined with runs to read the figures; `figures_of` is the run.
  static let table = """
    (SELECT run AS figures_of, \(columns.map { "\($0) AS figure_\($0)" }.joined(separator: ", "))
      FROM figures) AS figures
    """

  /// The values in the order of the columns.
  private var values: [StatementParameter] {
    let counts = [
      recipients.lines, recipients.badLines, recipients.duplicates, recipients.suppressed,
      recipients.otherShards, outcomes.accepted, outcomes.rejected, outcomes.skipped,
      outcomes.deferred, outcomes.unknown, outcomes.notAttempted,
    ]
    let rest: [StatementParameter] = [
      .number(unread == nil ? 0 : 1), .text(unread?.place?.list), .number(unread?.place?.line),
      .number(unread?.count), .number(sent), .number(resentInDoubt), .int64(nanoseconds),
      .number(latency?.p50), .number(latency?.p95), .number(latency?.p99),
      .number(connections?.most), .text(connections?.limit.rawValue),
    ]
    return [.text(environment), .number(pass)] + counts.map { .number($0) } + rest
  }

  /// An insertion that replaces the figures of an earlier pass, or of an end whose answer was lost.
  private static let insertion = """
    INSERT INTO figures (run, \(columns.joined(separator: ", ")))
      VALUES (?\(String(repeating: ", ?", count: columns.count)))
      ON CONFLICT (run) DO UPDATE
        SET \(columns.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
    """

  /// Writes the figures, within the caller's transaction.
  func write(of run: RunNumber, to database: borrowing Database) throws(HistoryError) {
    let statement = try Statement(Self.insertion, on: database)
    statement.bind(run.rawValue, at: 1)
    for (index, value) in values.enumerated() { statement.bind(value, at: Int32(index + 2)) }
    try statement.run()
  }

  /// Reads a statement's current row; nil if it has no figures.
  ///
  /// - Parameter first: the first of the columns.
  init?(row: borrowing Statement, from first: Int32) throws(HistoryError) {
    guard let environment = row.text(first) else { return nil }
    self.init(environment: environment, pass: try row.count(first + 1))
    recipients = try RecipientCounts(row: row, from: first + 2)
    outcomes = try row.tally(from: first + 7)
    if row.int64(first + 13) != 0 { unread = try UnreadRecipients(row: row, from: first + 14) }
    (sent, resentInDoubt) = (try row.count(first + 17), try row.count(first + 18))
    nanoseconds = try row.int64(first + 19, in: 0 ... .max)
    latency = try LatencyShares(row: row, from: first + 20)
    connections = try ConnectionFigures(row: row, from: first + 23)
  }
}

extension UnreadRecipients {
  fileprivate init(row: borrowing Statement, from first: Int32) throws(HistoryError) {
    let line = try row.optionalCount(first + 1)
    self.init(
      after: row.text(first).flatMap { list in line.map { Place(list: list, line: $0) } },
      count: try row.optionalCount(first + 2))
  }
}

extension LatencyShares {
  fileprivate init?(row: borrowing Statement, from first: Int32) throws(HistoryError) {
    guard let p50 = try row.optionalCount(first), let p95 = try row.optionalCount(first + 1),
      let p99 = try row.optionalCount(first + 2)
    else { return nil }
    self.init(p50: p50, p95: p95, p99: p99)
  }
}

extension ConnectionFigures {
  fileprivate init?(row: borrowing Statement, from first: Int32) throws(HistoryError) {
    guard let most = try row.optionalCount(first),
      let limit = row.text(first + 1).flatMap({ Limit(rawValue: $0) })
    else { return nil }
    self.init(most: most, limit: limit)
  }
}

extension StatementParameter {
  fileprivate static func number(_ count: Int?) -> Self { .int64(count.map { Int64($0) }) }
}
