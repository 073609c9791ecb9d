internal import APNS
internal import History
internal import PushModel
internal import Runs

/// Which pushes of a run are sent again.
struct ResendChoice {
  /// The push that was named; nil for all that fit.
  var push: PushEntry?
  /// The outcomes that are wanted; empty for what was not accepted.
  var only: [Outcome]
  /// The reasons that are wanted, in any case; empty for any.
  var reasons: [String] = []
  let entry: RunEntry
  /// When it is sent again, in milliseconds since 1970 UTC.
  let now: Int64
  var resends: [RunEntry] = []
  /// Whether what they got accepted is wanted again.
  var includesResent = false
  /// Whether the command says --at-most-once.
  var asksForAtMostOnce = false

  /// Why a push that fits is left out.
  enum LeftOut {
    /// Its device gets nothing any more: the next answer would be the same.
    case deadToken
    case accepted
    /// It may have arrived when it was resent or resumed, and is to be sent at most once.
    case inDoubt
  }

  /// Whether no push is sent that may have arrived.
  var isAtMostOnce: Bool { asksForAtMostOnce || entry.record.atMostOnce }

  var filter: HistoryFilter {
    var filter = HistoryFilter()
    filter.runs = [entry.run]
    filter.apnsID = push?.apnsID
    if push == nil {
      filter.outcomes = Set(only.isEmpty ? usual : only)
      filter.reasons = reasons
    }
    return filter
  }

  /// Why a push that fits is left out; nil when it is sent, as one that was named always is.
  ///
  /// - Parameter related: why it is left out for what became of it in other runs.
  func reason(toLeaveOut found: PushEntry, _ related: LeftOut? = nil) -> LeftOut? {
    if push != nil { return nil }
    let wantsDead = only.contains(.rejected) || !reasons.isEmpty
    if !wantsDead, found.hasDeadToken { return .deadToken }
    let reason = includesResent ? nil : related
    return reason == .inDoubt && only.contains(.unknown) ? nil : reason
  }

  /// How many unknown pushes are left out because the run was at most once.
  var leftOutUnknown: Int {
    push == nil && only.isEmpty && reasons.isEmpty && isAtMostOnce
      ? entry.tally.unknown : 0
  }

  /// What was not accepted. With --at-most-once, unknown pushes have to be asked for.
  private var usual: [Outcome] {
    [.rejected, .deferred, .notAttempted] + (isAtMostOnce ? [] : [.unknown])
  }
}

extension PushEntry {
  /// Whether APNs said that it does not know the device token, or not any more.
  var hasDeadToken: Bool {
    guard outcome == .rejected, let response, response.deadToken != .no else { return false }
    return !response.predates(registration: registered)
  }
}

/// What becomes of the pushes that fit when some of a run are sent again.
struct ResendTally: Equatable {
  var sent = 0
  /// Whether there are more, which a limit leaves out.
  var isCutOff = false
  /// How many of these an earlier resend has sent before, by its number.
  var sentBefore: [RunNumber: Int] = [:]
  /// Those that may have arrived: a request was or may have been made and no answer came.
  var inDoubt = PushRanges()
  /// How many of these resuming their run would send as well.
  var open = 0
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
    if push.outcome == .unknown || results.contains(where: { $0.outcome == .unknown }) {
      inDoubt.add(push.sequence)
    }
    if choice.entry.sends(push.outcome, at: choice.now) { open += 1 }
    for result in results where result.attempts > 0 { sentBefore[result.run, default: 0] += 1 }
  }
}

extension RunEntry {
  /// How many of its results are not final, at a time in milliseconds since 1970 UTC: resuming it
  /// sends them.
  package func openCount(at now: Int64) -> Int {
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
