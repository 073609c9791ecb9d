internal import PushModel

/// What is left to do of a run, and what its results are read with.
struct StoredPlan {
  let plan: ResumePlan
  /// The pushes that the last pass may have sent again before it was killed.
  let claimedAgain: ClaimedAgain
  let path: String
  let busyMilliseconds: Int

  /// Goes through the pushes that are in doubt, as ranges of sequence numbers in order. Memory does
  /// not grow with their number.
  ///
  /// It tells what is so now: results that are recorded meanwhile count.
  func forEachInDoubt(
    _ body: (ClosedRange<UInt64>) -> Void
  ) throws(HistoryError) {
    var rows = try ResultCursor(self)
    let end = min(plan.claimed, plan.last ?? plan.claimed)
    var next: UInt64 = 1
    while next <= end {
      let found = try nextSettled(&rows) ?? end + 1
      if found > next { body(next...min(found - 1, end)) }
      next = found + 1
    }
  }

  private func nextSettled(_ rows: inout ResultCursor) throws(HistoryError) -> UInt64? {
    while let row = try rows.next() {
      let isInDoubt = row.outcome == .unknown && plan.resendsUnknown || row.wasClaimedAgain
      if !isInDoubt { return row.sequence }
    }
    return nil
  }
}
