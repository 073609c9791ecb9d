internal import APNS
internal import History
internal import PushModel
internal import SQLHistory
internal import Settings

/// The selection of a run's pushes to resend.
struct ResendChoice {
  /// The named push; nil for all that match.
  var push: PushEntry?
  /// The outcomes to resend; empty for all that were not accepted.
  var only: [Outcome]
  /// The reasons to resend, ignoring case; empty for any.
  var reasons: [String] = []
  let entry: RunEntry
  /// The time of the resend, in milliseconds since 1970 UTC.
  let now: Int64
  /// The runs that resend the run and have something left that no other run has sent.
  var resends: [RunEntry] = []
  /// Resuming the run itself would send something that no other run has sent.
  var hasRest = true
  /// Includes pushes that a resend got accepted.
  var includesResent = false
  /// The command line has --at-most-once.
  var asksForAtMostOnce = false
  /// The named devices by their device tokens, if the pushes go elsewhere than those of the run.
  var named: [String: [Device]] = [:]

  /// The reason a matching push is left out.
  enum LeftOut {
    /// Its device token is dead: the next response would be the same.
    case deadToken
    case accepted
    /// It may have arrived when it was resent or resumed, and must be sent at most once.
    case inDoubt
  }

  /// Pushes that may have arrived are not sent.
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

  /// The reason a matching push is left out; nil when it is sent, as a named push always is.
  ///
  /// - Parameter related: the reason derived from other runs.
  func reason(toLeaveOut found: PushEntry, _ related: LeftOut? = nil) -> LeftOut? {
    if push != nil { return nil }
    let reason = includesResent ? nil : related
    // Before the dead token: --only rejected does not include it either.
    if reason == .accepted { return .accepted }
    let wantsDead = only.contains(.rejected) || !reasons.isEmpty
    if !wantsDead, found.hasDeadToken { return .deadToken }
    return reason == .inDoubt && only.contains(.unknown) ? nil : reason
  }

  /// Finds what is left of the run and of those that resend it. Call it before the run is held, which
  /// looks as if it were being sent.
  mutating func findRest(in history: HistoryReader) {
    func leavesSome(_ entry: RunEntry) -> Bool {
      (try? SentElsewhere(of: entry, in: history, now: now).leavesSome) ?? true
    }
    hasRest = leavesSome(entry)
    resends = (try? RelatedRuns(of: entry, in: history).resends.filter(leavesSome)) ?? []
  }

  /// The number of unknown pushes left out because the run was sent at most once.
  var leftOutUnknown: Int {
    push == nil && only.isEmpty && reasons.isEmpty && isAtMostOnce
      ? entry.tally.unknown : 0
  }

  /// The outcomes by default: all but accepted. With --at-most-once, unknown must be requested.
  private var usual: [Outcome] {
    [.rejected, .deferred, .notAttempted] + (isAtMostOnce ? [] : [.unknown])
  }
}

extension PushEntry {
  /// APNs responded that it does not know the device token, or no longer does.
  var hasDeadToken: Bool {
    guard outcome == .rejected, let response, response.deadToken != .no else { return false }
    return !response.predates(registration: registered)
  }
}

/// The counts of matching pushes in a resend.
struct ResendTally: Equatable {
  var sent = 0
  /// A limit leaves out more pushes.
  var isCutOff = false
  /// The number of these pushes that each earlier resend has sent.
  var sentBefore: [RunNumber: Int] = [:]
  /// The pushes that may have arrived: a request was made, or may have been, without a response.
  var inDoubt = PushRanges()
  /// The number of these pushes that resuming their run would send too.
  var open = 0
  var leftOut: [ResendChoice.LeftOut: Int] = [:]
  /// The named devices among the recipients.
  var devices: [Device] = []

  /// Counts a push with its results in other runs.
  mutating func add(
    _ push: PushEntry, leftOut reason: ResendChoice.LeftOut?, _ results: [RelatedResult],
    _ choice: ResendChoice
  ) {
    if let reason {
      leftOut[reason, default: 0] += 1
      return
    }
    sent += 1
    devices += choice.named[push.token] ?? []
    if push.outcome == .unknown || results.contains(where: { $0.outcome == .unknown }) {
      inDoubt.add(push.sequence)
    }
    if choice.entry.sends(push, at: choice.now) { open += 1 }
    for result in results where result.attempts > 0 { sentBefore[result.run, default: 0] += 1 }
  }
}

extension RunEntry {
  /// The number of results that are not final at a time in milliseconds since 1970 UTC, and are
  /// sent by resuming the run.
  package func openCount(at now: Int64) -> Int {
    Outcome.allCases.reduce(0) { $0 + (sends($1, at: now) ? tally[$1] : 0) }
  }

  /// True if resuming the run at a time sends a push: also one that was rejected because the
  /// credentials were refused, if anything else is left or anybody was accepted.
  func sends(_ push: PushEntry, at now: Int64) -> Bool {
    if push.outcome != .rejected { return sends(push.outcome, at: now) }
    let isOver = state == .finished && tally.deferred + tally.notAttempted + tally.accepted == 0
    return push.response?.status == .ofRefusedCredentials && !isOver && !record.hasExpired(at: now)
  }

  /// True if resuming the run at a time sends pushes with this outcome.
  func sends(_ outcome: Outcome, at now: Int64) -> Bool {
    if record.hasExpired(at: now) { return false }
    return switch outcome {
    case .deferred, .notAttempted: true
    case .unknown: !record.atMostOnce
    case .accepted, .rejected, .skipped: false
    }
  }
}
