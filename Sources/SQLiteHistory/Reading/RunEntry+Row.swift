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
    guard let run = RunNumber(rawValue: row.int64(0)) else { throw row.corrupt }
    var tally = OutcomeTally()
    for outcome in Outcome.allCases { tally.add(row.int(6 + Int32(outcome.code)), to: outcome) }
    self.init(
      run: run, record: RunRecord(row: row, from: 18),
      state: row.text(1).flatMap { RunState(rawValue: $0) }, ended: row.optionalInt64(2),
      tally: tally, recipients: RecipientCounts(row: row, from: 12), claimed: row.int(4),
      last: row.optionalInt64(17).map { Int($0) }, summary: row.text(3), resumptions: row.int(5))
  }
}
