internal import APNS
internal import PushModel

/// The pushes that the last pass of a run had claimed again when it was killed, and that have no
/// newer result. They may have been sent in that pass. It also has those that were rejected only
/// because the credentials were refused: the next pass sends them, and until then they count as not
/// attempted.
struct ReclaimedPushes: Sendable, Hashable {
  /// The pass.
  let pass: Int64
  /// The row of the last push it had claimed.
  let lastRow: Int64
  /// The time up to which deferred pushes counted as due, in milliseconds after the start of the
  /// run.
  let due: Int64
  /// True unless nobody was accepted and nothing else is left of the run: it is then over.
  let takesRefused: Bool

  /// An SQL condition for a row of `results`: it is the result of such a push.
  private var condition: String {
    """
    (id <= \(lastRow) AND pass < \(pass)
      AND (outcome = 5 OR outcome = 3 AND \(Deferral.due) <= \(due)))
    """
  }

  /// An SQL condition for a row of `results`: the credentials were refused.
  private var refused: String {
    let status = Status.ofRefusedCredentials.rawValue
    return takesRefused
      ? "(outcome = \(Outcome.rejected.code) AND status = \(status))" : "(1 = 0)"
  }

  /// Returns true if a result belongs to such a push.
  func contains(_ row: Int64, _ outcome: Outcome, of pass: Int64, due: Int64) -> Bool {
    let wasOpen = outcome == .notAttempted || outcome == .deferred && due <= self.due
    return row <= lastRow && pass < self.pass && wasOpen
  }

  /// SQL in place of `pushes(?1, ?2)`: the rows with their current `outcome`, with `due`, and with
  /// `claimed_again`, which is 1 for such a push.
  var results: String {
    """
    (SELECT id, CASE WHEN \(condition) THEN 4 WHEN \(refused) THEN 5 ELSE outcome END AS outcome,
      \(Deferral.due) AS due, CASE WHEN \(condition) THEN 1 ELSE 0 END AS claimed_again
      FROM pushes(?1, ?2)) AS standings
    """
  }

  /// Records their outcome as unknown, or as not attempted, within the caller's transaction. This is
  /// a commit of the killed pass, so that result files and followers of the history include it.
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
        timestamp = NULL, pass = \(pass) WHERE \(isSettled);
      UPDATE results SET outcome = 5 WHERE id > \(run.rows.lowerBound)
        AND id <= \(run.rows.upperBound) AND \(refused)
      """)
  }
}
