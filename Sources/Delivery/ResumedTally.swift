internal import PushModel

/// The outcomes of a resumed run: those of earlier passes, updated by the results of this one that
/// count. A history failure removes none of them.
struct ResumedTally {
  private let plan: ResumePlan
  private var tally: OutcomeTally

  init(_ plan: ResumePlan) {
    self.plan = plan
    tally = plan.tally
    // They may have been sent, but their answers are unknown.
    tally.unknown += plan.claimedWithoutResult
  }

  mutating func add(_ result: PushResult) {
    if result.leavesEarlier { return }
    if let earlier = result.push.chunk.earlierOutcome(at: result.push.index) {
      tally.add(-1, to: earlier)
    }
    tally.add(to: result.outcome)
  }

  /// The outcomes of the first `pushes` pushes, as far as any pass has read the lists.
  func outcomes(of pushes: Int) -> OutcomeTally {
    var tally = tally
    // Pushes claimed ahead and never read are not counted.
    let end = Int(min(plan.claimed, plan.last ?? plan.claimed))
    tally.unknown -= min(plan.claimedWithoutResult, max(0, end - pushes))
    tally.notAttempted += max(0, pushes - tally.total)
    return tally
  }
}
