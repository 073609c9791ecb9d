internal import APNS
internal import History
internal import PushModel

/// What becomes of the pushes that fit when some of a run are sent again.
struct ResendTally: Equatable {
  /// How many are sent.
  var sent = 0
  /// How many of these an earlier resend has sent before, by its number.
  var sentBefore: [RunNumber: Int] = [:]
  /// How many of these resuming their run would send as well.
  var open = 0
  /// How many are left out.
  var leftOut: [ResendChoice.LeftOut: Int] = [:]

  /// Counts a push, with the results that it has in other runs.
  mutating func add(
    _ push: PushEntry, leftOut reason: ResendChoice.LeftOut?, _ results: [RelatedResult],
    _ choice: ResendChoice
  ) {
    if let reason {
      leftOut[reason, default: 0] += 1
      return
    }
    sent += 1
    if choice.entry.sends(push.outcome, at: choice.now) { open += 1 }
    for result in results where result.attempts > 0 { sentBefore[result.run, default: 0] += 1 }
  }
}

extension RunEntry {
  /// How many of its results are not final, at a time in milliseconds since 1970 UTC: resuming it
  /// sends them.
  func openCount(at now: Int64) -> Int {
    Outcome.allCases.reduce(0) { $0 + (sends($1, at: now) ? tally[$1] : 0) }
  }

  /// Whether resuming it at a time sends what has this outcome.
  func sends(_ outcome: Outcome, at now: Int64) -> Bool {
    if record.hasExpired(at: now) { return false }
    return switch outcome {
    case .deferred, .notAttempted: true
    case .unknown: !record.atMostOnce
    case .accepted, .rejected, .skipped: false
    }
  }
}
