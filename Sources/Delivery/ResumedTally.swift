internal import PushModel

/// The outcomes of a run that is resumed: those of earlier passes, changed by the results of this one
/// that count. A failure of the history does not take any of them away.
struct ResumedTally {
  private let plan: ResumePlan
  private var tally: OutcomeTally

  init(_ plan: ResumePlan) {
    self.plan = plan
    tally = plan.tally
    // They may have been sent, and their answers are not known.
    tally.unknown += plan.claimedWithoutResult
  }

  mutating func add(_ result: PushResult) {
    if result.leavesEarlier { return }
    if let earlier = result.push.chunk.earlierOutcome(at: result.push.index) {
      tally.add(-1, to: earlier)
    }
    tally.add(to: result.outcome)
  }

  /// What became of so many pushes, as far as any pass has read the lists.
  func outcomes(of pushes: Int) -> OutcomeTally {
    var tally = tally
    // What was claimed ahead and never read is in no figure.
    let end = Int(min(plan.claimed, plan.last ?? plan.claimed))
    tally.unknown -= min(plan.claimedWithoutResult, max(0, end - pushes))
    tally.notAttempted += max(0, pushes - tally.total)
    return tally
  }
}
