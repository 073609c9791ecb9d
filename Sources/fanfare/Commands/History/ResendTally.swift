internal import APNS
internal import PushCore

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

  /// Counts a push.
  mutating func add(
    _ push: PushEntry, leftOut reason: ResendChoice.LeftOut?, _ choice: ResendChoice
  ) {
    if let reason {
      leftOut[reason, default: 0] += 1
      return
    }
    sent += 1
    if choice.entry.leaves(push.outcome) { open += 1 }
    for resend in choice.earlier?.resends ?? [] where resend.sent.contains(Int(push.sequence)) {
      sentBefore[resend.entry.run, default: 0] += 1
    }
  }
}

extension RunEntry {
  /// How many of its results are not final: resuming it sends them.
  var openCount: Int { Outcome.allCases.reduce(0) { $0 + (leaves($1) ? tally[$1] : 0) } }

  /// Whether resuming it sends what has this outcome.
  func leaves(_ outcome: Outcome) -> Bool {
    switch outcome {
    case .deferred, .notAttempted: true
    case .unknown: !record.atMostOnce
    case .accepted, .rejected, .skipped: false
    }
  }
}
