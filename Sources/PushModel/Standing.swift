/// What has become of a push of a run that is resumed.
public enum Standing: Sendable, Hashable {
  /// It has its last result.
  case done(Outcome)
  /// APNs asked to try again later: then, in milliseconds since 1970 UTC.
  case deferred(due: Int64)
  /// It may or may not have been processed, and may be sent again.
  case unknown
  /// It has a result which says that it was not sent.
  case notAttempted
  /// It was claimed and has no result: it may have been sent.
  case claimed
  /// It was not sent.
  case unclaimed

  /// What a summary counts it as; nil when no pass has come to it.
  var outcome: Outcome? {
    switch self {
    case .done(let outcome): outcome
    case .deferred: .deferred
    case .unknown, .claimed: .unknown
    case .notAttempted: .notAttempted
    case .unclaimed: nil
    }
  }
}

/// What to do with a push of a run that is resumed.
public enum ResumeStep: Sendable, Hashable {
  /// Leave it: it is done, or not due yet.
  case leave
  /// Send it.
  case send
  /// Send it, and say that an earlier attempt is in doubt.
  case sendInDoubt
  /// Record it as `unknown` and do not send it: the run is at most once, or the notification has
  /// expired meanwhile.
  case recordUnknown
  /// Record it as `skipped` and do not send it: the notification has expired.
  case recordExpired
}

extension RunRecord {
  /// What to do with a push of this standing.
  ///
  /// - Parameters:
  ///   - horizon: deferred pushes that are due by then are sent.
  ///   - now: the time in milliseconds since 1970 UTC: what has expired is not sent any more.
  package func step(for standing: Standing, horizon: Int64, now: Int64) -> ResumeStep {
    let step = step(for: standing, horizon: horizon)
    guard hasExpired(at: now) else { return step }
    return switch step {
    case .send: .recordExpired
    // What is recorded as unknown already has its last word.
    case .sendInDoubt: standing == .unknown ? .leave : .recordUnknown
    case .leave, .recordUnknown, .recordExpired: step
    }
  }

  func step(for standing: Standing, horizon: Int64) -> ResumeStep {
    switch standing {
    case .done: .leave
    case .deferred(let due): due <= horizon ? .send : .leave
    case .unknown: .sendInDoubt
    case .notAttempted, .unclaimed: .send
    case .claimed: atMostOnce ? .recordUnknown : .sendInDoubt
    }
  }
}
