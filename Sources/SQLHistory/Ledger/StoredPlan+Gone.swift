internal import PushModel

// Results above the end of lists that have become shorter.
extension StoredPlan {
  /// Who is not in the lists any more, which now end with a push; nil when all are.
  func gone(
    after last: UInt64, in database: borrowing Database
  ) throws(HistoryError) -> GoneRecipients? {
    let results = try results(after: last, in: database)
    let withoutResult = { (end: Int) in max(0, end - Int(last) - results.total) }
    let read = plan.recipients.pushes
    let gone = GoneRecipients(
      results: results, withoutResult: withoutResult(read),
      claimed: withoutResult(min(read, Int(plan.claimed))), resendsUnknown: plan.resendsUnknown)
    return gone.results.total + gone.withoutResult > 0 ? gone : nil
  }

  private func results(
    after last: UInt64, in database: borrowing Database
  ) throws(HistoryError) -> OutcomeTally {
    let statement = try Statement(
      "SELECT outcome, count(*) FROM pushes(?1, ?2) GROUP BY outcome", on: database)
    statement.bind(plan.run.row(of: last) + 1, at: 1)
    statement.bind(plan.run.rows.upperBound, at: 2)
    var tally = OutcomeTally()
    while try statement.step() {
      tally.add(try statement.count(1), to: Outcome(code: statement.int64(0)))
    }
    return tally
  }

  /// Writes down that nothing more is sent to them, within the caller's transaction.
  func settle(
    _ gone: GoneRecipients, after last: UInt64, in database: borrowing Database
  ) throws(HistoryError) {
    let open = gone.open.map { "\($0.code)" }.joined(separator: ", ")
    try database.execute(
      """
      UPDATE results SET outcome = \(Outcome.skipped.code), status = NULL, reason = NULL,
          latency = NULL, timestamp = NULL
        WHERE id > \(plan.run.row(of: last)) AND id <= \(plan.run.rows.upperBound)
          AND outcome IN (\(open))
      """)
  }
}
