public import PushModel

// Lists that belong to a run's figures.
extension HistoryReader {
  /// The reasons of the last pass of a run that has ended, the most frequent first.
  public func reasons(of run: RunNumber) throws(HistoryError) -> [ReasonCount] {
    let rows = try Statement("SELECT reason, count FROM refusals WHERE run = ?", on: database)
    rows.bind(run.rawValue, at: 1)
    var reasons: [ReasonCount] = []
    while try rows.step() { reasons.append(ReasonCount(rows.text(0) ?? "", try rows.count(1))) }
    return reasons.sorted { ($0.count, $1.name) > ($1.count, $0.name) }
  }

  /// The answers of the environments that were asked for the device token of a run, in order.
  public func answers(of run: RunNumber) throws(HistoryError) -> [EnvironmentAnswer] {
    let rows = try Statement(
      "SELECT environment, status, reason FROM answers WHERE run = ? ORDER BY place", on: database)
    rows.bind(run.rawValue, at: 1)
    var answers: [EnvironmentAnswer] = []
    while try rows.step() {
      answers.append(
        EnvironmentAnswer(
          environment: rows.text(0) ?? "", status: try rows.optionalCount(1),
          reason: rows.text(2)))
    }
    return answers
  }
}
