internal import PushModel

/// How far a run came, as its last pass left it.
struct StoredProgress {
  /// Pushes up to this one may have been sent, or were claimed and may not exist.
  private(set) var claimed: Int
  let last: Int?
  let wasFinished: Bool
  let recipients: RecipientCounts
  /// What the last pass may have sent again.
  let claimedAgain: ClaimedAgain

  /// The last push that may have been sent, as far as there are pushes.
  var end: Int { min(claimed, last ?? claimed) }

  /// Pushes that were claimed ahead and not sent do not count as claimed.
  init(
    of run: RunNumber, _ record: RunRecord, in path: String, _ database: borrowing Database
  ) throws(HistoryError) {
    let row = try Statement(
      """
      SELECT claimed, pass, pass_claimed, pass_due, last, state, lines, bad_lines, duplicates,
        suppressed, other_shards FROM progress JOIN runs ON runs.id = run WHERE run = ?
      """, on: database)
    row.bind(run.rawValue, at: 1)
    guard try row.step() else { throw row.corrupt }
    defer { row.reset() }
    let sent = SentFile.mark(of: run, record.identity, in: path).map { Int(clamping: $0) }
    claimed = min(try row.count(0), sent ?? .max)
    (last, wasFinished) = (try row.optionalCount(4), row.text(5) == RunState.finished.rawValue)
    recipients = try RecipientCounts(row: row, from: 6)
    claimedAgain = ClaimedAgain(
      pass: Int64(try row.count(1)), lastRow: run.row(of: UInt64(min(try row.count(2), claimed))),
      due: try row.horizon(3).subtractingKeepingMaximum(record.started))
  }
}

extension Statement {
  /// A time, or "at any time".
  fileprivate func horizon(_ column: Int32) throws(HistoryError) -> Int64 {
    int64(column) == .max ? .max : try time(column)
  }
}
