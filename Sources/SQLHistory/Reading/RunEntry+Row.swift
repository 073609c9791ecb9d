internal import History
internal import PushModel

extension RunEntry: RunRow {
  /// Reads runs one after the other; their columns and nothing else.
  static func selection(in database: borrowing Database) -> String {
    """
    SELECT runs.id, state, finished, claimed, pass, accepted, rejected, skipped, deferred,
      unknown, not_attempted, lines, bad_lines, duplicates, suppressed, other_shards, last,
      \(database.dialect.hasQueue ? "stopped, stop_cause" : "NULL, NULL"),
      \(RunFigures.selection), \(RunRecord.columns)
      FROM runs JOIN progress ON progress.run = runs.id
        LEFT JOIN \(RunFigures.table) ON figures_of = runs.id \(database.dialect.joinedQueue)
    """
  }

  init(row: borrowing Statement) throws(HistoryError) {
    var tally = OutcomeTally()
    for outcome in Outcome.allCases {
      tally.add(try row.count(5 + Int32(outcome.code)), to: outcome)
    }
    let record = try RunRecord(row: row, from: 19 + Int32(RunFigures.columns.count))
    let run = try RunNumber(row: row)
    let state = row.text(1).flatMap { RunState(rawValue: $0) }
    let sent =
      state == .running ? SentFile.mark(of: run, record.identity, in: row.place) : nil
    self.init(
      run: run, record: record, state: state, ended: try row.optionalTime(2), tally: tally,
      recipients: try RecipientCounts(row: row, from: 11),
      claimed: min(try row.count(3), Int(clamping: sent ?? .max)),
      last: try row.optionalCount(16), figures: try RunFigures(row: row, from: 19),
      resumptions: try row.count(4), stop: try QueueStop(row: row, from: 17, in: state))
  }
}

extension QueueStop {
  /// - Parameter first: the first of `stopped` and `stop_cause`.
  fileprivate init?(
    row: borrowing Statement, from first: Int32, in state: RunState?
  ) throws(HistoryError) {
    guard state?.isInQueue == true, let time = try row.optionalTime(first) else { return nil }
    self.init(at: time, cause: row.text(first + 1))
  }
}
