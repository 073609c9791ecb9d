/// How a run, or a pass of it, ended.
struct RunEnding {
  var run: RunNumber
  var state: RunState
  var recipients: RecipientReader.Counts
  /// The number of the last push; nil when the lists were not read to their end.
  var last: UInt64?
  var summary: String
  var at: Int64

  /// Writes it down, within the caller's transaction.
  func write(to database: borrowing Database) throws(HistoryError) {
    try writeRun(database)
    try writeRecipients(database)
  }

  private func writeRun(_ database: borrowing Database) throws(HistoryError) {
    let statement = try Statement(
      """
      UPDATE runs SET state = ?, finished = ?, summary = ?, owner_pid = NULL, owner_host = NULL
        WHERE id = ?
      """, on: database)
    statement.bind(state.rawValue, at: 1)
    statement.bind(at, at: 2)
    statement.bind(summary, at: 3)
    statement.bind(run.rawValue, at: 4)
    try statement.run()
  }

  private func writeRecipients(_ database: borrowing Database) throws(HistoryError) {
    let statement = try Statement(
      """
      UPDATE progress SET last = ?, lines = ?, bad_lines = ?, duplicates = ?, suppressed = ?,
        other_shards = ? WHERE run = ?
      """, on: database)
    statement.bind(last.map { Int64($0) }, at: 1)
    statement.bind(recipients.lines, at: 2)
    statement.bind(recipients.badLines, at: 3)
    statement.bind(recipients.duplicates, at: 4)
    statement.bind(recipients.suppressed, at: 5)
    statement.bind(recipients.otherShards, at: 6)
    statement.bind(run.rawValue, at: 7)
    try statement.run()
  }
}
