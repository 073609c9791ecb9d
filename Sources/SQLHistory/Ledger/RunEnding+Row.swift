internal import PushModel

extension RunEnding {
  /// Writes down how a run ended, within the caller's transaction.
  func write(of run: RunNumber, to database: borrowing Database) throws(HistoryError) {
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
