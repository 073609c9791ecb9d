internal import HTTP2
internal import PushModel
internal import Reporting
internal import Settings

/// The pushes of a run that resuming it would send.
struct OpenPushes {
  private let standings: any PushStandings
  private let plan: ResumePlan
  private let now: Int64

  init(of ledger: any ResumeLedger, _ context: Context) throws(Failure) {
    (standings, plan) = (try answered(ledger.standings()), ledger.plan)
    now = context.clock.epochMilliseconds()
  }

  /// True if a push would not be sent. They come in the order of the lists.
  func leaves(_ push: Push) throws(Failure) -> Bool {
    let standing = try answered(standings.standing(of: push.sequence))
    return switch plan.step(for: standing, now: now) {
    case .send, .sendInDoubt: false
    case .leave, .recordUnknown, .recordExpired, .recordAnswer: true
    }
  }
}
