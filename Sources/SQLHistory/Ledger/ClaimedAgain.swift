internal import PushModel

/// The pushes that the last pass of a run had claimed to send them again when it was killed, and that
/// have no newer result: they may have been sent in that pass.
struct ClaimedAgain: Sendable, Hashable {
  /// The pass.
  let pass: Int64
  /// The row of the last push that it had claimed.
  let lastRow: Int64
  /// Deferred pushes that were due by then were to be sent, in milliseconds after the start of the
  /// run.
  let due: Int64

  /// In SQL, for a row of `results`: whether it is of such a push.
  private var condition: String {
    """
    (id <= \(lastRow) AND pass < \(pass)
      AND (outcome = 5 OR outcome = 3 AND \(Deferral.due) <= \(due)))
    """
  }

  /// Whether a result, by its row, is of such a push.
  func contains(_ row: Int64, _ outcome: Outcome, of pass: Int64, due: Int64) -> Bool {
    let wasOpen = outcome == .notAttempted || outcome == .deferred && due <= self.due
    return row <= lastRow && pass < self.pass && wasOpen
  }

  /// In SQL, in place of `pushes(?1, ?2)`: the rows with `outcome` as it has to be taken now, with
  /// `due`, and with `claimed_again`, which is 1 where the row is of such a push.
  var results: String {
    """
    (SELECT id, CASE WHEN \(condition) THEN 4 ELSE outcome END AS outcome, \(Deferral.due) AS due,
      CASE WHEN \(condition) THEN 1 ELSE 0 END AS claimed_again FROM pushes(?1, ?2)) AS standings
    """
  }

  /// Writes down that they are unknown, within the caller's transaction: as a commit of the pass that
  /// was killed, which files of results and followers of the history find.
  ///
  /// - Parameter last: the row of the run's last commit.
  func settle(
    _ run: RunNumber, after last: inout Int64, in database: borrowing Database
  ) throws(HistoryError) {
    let isSettled = "id > \(run.rows.lowerBound) AND \(condition)"
    let rows = try Statement("SELECT id FROM results WHERE \(isSettled) ORDER BY id", on: database)
    var log = try CommitLog(pass: pass, on: database)
    while try rows.step() { log.add(RunNumber.sequence(ofRow: rows.int64(0))) }
    try log.write(after: &last)
    try database.execute(
      """
      UPDATE results SET outcome = 4, status = NULL, reason = NULL, latency = NULL,
        timestamp = NULL, pass = \(pass) WHERE \(isSettled)
      """)
  }
}
