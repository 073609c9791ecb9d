/// The state of a push in a resumed run.
public enum PushState: Sendable, Hashable {
  /// It has its final result.
  case done(Outcome)
  /// APNs asked to try again later: the due time, in milliseconds since 1970 UTC.
  case deferred(due: Int64)
  /// It may or may not have been processed, and may be sent again.
  case unknown
  /// It has a result saying that it was not sent.
  case notAttempted
  /// It was claimed but has no result: it may have been sent.
  case claimed
  /// It was claimed and answered; its result was not committed.
  indirect case answered(AnswerNote)
  /// It was not sent.
  case unclaimed

  /// The outcome it counts as in a summary; nil when no pass has reached it.
  var outcome: Outcome? {
    switch self {
    case .done(let outcome): outcome
    case .deferred: .deferred
    case .unknown, .claimed, .answered: .unknown
    case .notAttempted: .notAttempted
    case .unclaimed: nil
    }
  }

  /// The answer that was not committed; nil when there is none.
  var answer: AnswerNote? {
    if case .answered(let note) = self { note } else { nil }
  }
}

/// The step to take for a push of a resumed run.
public enum ResumeStep: Sendable, Hashable {
  /// Leave it: it is done, or not due yet.
  case leave
  /// Send it.
  case send
  /// Send it, noting that an earlier attempt is in doubt.
  case sendInDoubt
  /// Record it as `unknown` without sending it: the run is at most once, or the notification has
  /// expired.
  case recordUnknown
  /// Record it as `skipped` without sending it: the notification has expired.
  case recordExpired
  /// Record the answer that an earlier pass had.
  case recordAnswer
}

extension RunRecord {
  /// The step for a push of this standing.
  ///
  /// - Parameters:
  ///   - horizon: the time up to which deferred pushes count as due.
  ///   - now: the time in milliseconds since 1970 UTC: expired notifications are no longer sent.
  package func step(for standing: PushState, horizon: Int64, now: Int64) -> ResumeStep {
    let step = step(for: standing, horizon: horizon)
    guard hasExpired(at: now) else { return step }
    return switch step {
    case .send: .recordExpired
    // A push recorded as unknown already stays that way.
    case .sendInDoubt: standing == .unknown ? .leave : .recordUnknown
    case .leave, .recordUnknown, .recordExpired, .recordAnswer: step
    }
  }

  func step(for standing: PushState, horizon: Int64) -> ResumeStep {
    switch standing {
    case .done: .leave
    case .deferred(let due): due <= horizon ? .send : .leave
    case .unknown: .sendInDoubt
    case .notAttempted, .unclaimed: .send
    case .claimed: atMostOnce ? .recordUnknown : .sendInDoubt
    case .answered: .recordAnswer
    }
  }
}
