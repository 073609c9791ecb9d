internal import PushModel

extension RunEnding {
  /// Writes down how a run ended, within the caller's transaction.
  func write(of run: RunNumber, to database: borrowing Database) throws(HistoryError) {
    let statement = try Statement(
      "UPDATE runs SET state = ?, finished = ? WHERE id = ?", on: database)
    statement.bind(state.rawValue, at: 1)
    statement.bind(at, at: 2)
    statement.bind(run.rawValue, at: 3)
    try statement.run()
    try figures?.write(of: run, to: database)
    try writeReasons(of: run, to: database)
    try writeAnswers(of: run, to: database)
  }

  /// Those of an earlier pass are replaced.
  private func writeReasons(
    of run: RunNumber, to database: borrowing Database
  ) throws(HistoryError) {
    if figures?.pass == 1, reasons.isEmpty { return }
    try database.execute("DELETE FROM refusals WHERE run = \(run)")
    let insertion = try Statement("INSERT INTO refusals VALUES (\(run), ?, ?)", on: database)
    for reason in reasons {
      insertion.bind(reason.name, at: 1)
      insertion.bind(reason.count, at: 2)
      try insertion.run()
    }
  }

  private func writeAnswers(
    of run: RunNumber, to database: borrowing Database
  ) throws(HistoryError) {
    if figures?.pass == 1, asked.isEmpty { return }
    try database.execute("DELETE FROM answers WHERE run = \(run)")
    let insertion = try Statement(
      "INSERT INTO answers VALUES (\(run), ?, ?, ?, ?)", on: database)
    for (place, answer) in asked.enumerated() {
      insertion.bind(place, at: 1)
      insertion.bind(answer.environment, at: 2)
      insertion.bind(answer.status, at: 3)
      insertion.bind(answer.reason, at: 4)
      try insertion.run()
    }
  }
}
