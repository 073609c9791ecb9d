internal import History
internal import PushModel

extension RunEntry: RunRow {
  /// Reads runs one after the other; their columns and nothing else.
  static let selection = """
    SELECT runs.id, state, finished, summary, claimed, pass, accepted, rejected, skipped, deferred,
      unknown, not_attempted, lines, bad_lines, duplicates, suppressed, other_shards, last,
      \(RunRecord.columns)
      FROM runs JOIN progress ON progress.run = runs.id
    """

  init(row: borrowing Statement) throws(HistoryError) {
    var tally = OutcomeTally()
    for outcome in Outcome.allCases {
      tally.add(try row.count(6 + Int32(outcome.code)), to: outcome)
    }
    let (run, record) = (try RunNumber(row: row), try RunRecord(row: row, from: 18))
    let state = row.text(1).flatMap { RunState(rawValue: $0) }
    let sent =
      state == .running ? SentFile.mark(of: run, record.identity, in: row.path) : nil
    self.init(
      run: run, record: record, state: state, ended: try row.optionalTime(2), tally: tally,
      recipients: try RecipientCounts(row: row, from: 12),
      claimed: min(try row.count(4), Int(clamping: sent ?? .max)),
      last: try row.optionalCount(17), summary: row.text(3), resumptions: try row.count(5))
  }
}
