internal import PushModel

/// How a run, or a pass of it, ended.
struct RunEnding {
  var run: RunNumber
  var state: RunState
  var summary: String
  var at: Int64

  /// Writes it down, within the caller's transaction.
  func write(to database: borrowing Database) throws(HistoryError) {
    let statement = try Statement(
      """
      UPDATE runs SET state = ?, finished = ?, summary = ? WHERE id = ?
      """, on: database)
    statement.bind(state.rawValue, at: 1)
    statement.bind(at, at: 2)
    statement.bind(summary, at: 3)
    statement.bind(run.rawValue, at: 4)
    try statement.run()
  }
}
