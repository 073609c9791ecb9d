public import APNS

/// The outcome of a push.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum Outcome: String, Sendable, Hashable, CaseIterable {
  /// APNs answered 200.
  case accepted
  /// APNs answered that it will not deliver this push.
  case rejected
  /// The push was not sent, or not again, because its row breaks a rule, its notification had
  /// expired, or its recipient was no longer in the list.
  case skipped
  /// APNs asked to try again later, kept refusing to process the push, or no longer accepts
  /// credentials that worked before.
  case deferred
  /// The push may or may not have been processed: no answer came.
  case unknown
  /// The run ended before the push was sent.
  case notAttempted
}

extension Outcome {
  /// The number of the outcome in files and in the history. It never changes.
  package var code: Int64 {
    switch self {
    case .accepted: 0
    case .rejected: 1
    case .skipped: 2
    case .deferred: 3
    case .unknown: 4
    case .notAttempted: 5
    }
  }

  /// The outcome with a number. A number from a newer version becomes an unknown outcome.
  package init(code: Int64) {
    switch code {
    case 0: self = .accepted
    case 1: self = .rejected
    case 2: self = .skipped
    case 3: self = .deferred
    case 5: self = .notAttempted
    default: self = .unknown
    }
  }
}

/// A push and its outcome.
public struct PushResult: Sendable {
  /// The push.
  public let push: Push

  /// The outcome.
  public let outcome: Outcome

  /// The answer; nil when there was none.
  public let response: Response?

  /// The number of requests made for it.
  public let attempts: Int

  /// It was skipped because its notification expired before it could be sent, or sent again.
  public var hasExpired: Bool {
    outcome == .skipped && push.chunk.problems(at: push.index) == nil
  }

  /// The result only says that the push was not reached again, so the result of an earlier pass
  /// stands.
  package var leavesEarlier: Bool {
    outcome == .notAttempted && push.chunk.earlierOutcome(at: push.index) != nil
  }

  /// It was sent again while an earlier request was in doubt, so it may arrive twice.
  public let wasResentInDoubt: Bool

  /// The time from the last request to its answer, in microseconds; nil without an answer.
  public let latencyMicroseconds: Int?

  /// The time of the answer, in milliseconds since 1970 UTC; nil without an answer.
  public let answeredAt: Int64?

  /// Creates the result of a push.
  public init(
    push: Push, outcome: Outcome, response: Response?, attempts: Int, wasResentInDoubt: Bool,
    latencyMicroseconds: Int?, answeredAt: Int64?
  ) {
    self.push = push
    self.outcome = outcome
    self.response = response
    self.attempts = attempts
    self.wasResentInDoubt = wasResentInDoubt
    self.latencyMicroseconds = latencyMicroseconds
    self.answeredAt = answeredAt
  }
}

extension PushResult {
  /// The result of a push for which this pass made no request.
  init(unsent push: Push, _ outcome: Outcome) {
    self.init(
      push: push, outcome: outcome, response: nil, attempts: 0, wasResentInDoubt: false,
      latencyMicroseconds: nil, answeredAt: nil)
  }
}

/// The number of pushes with each outcome.
public struct OutcomeTally: Sendable, Hashable {
  /// Pushes that APNs accepted.
  public var accepted = 0
  /// Pushes that APNs will not deliver.
  public var rejected = 0
  /// Pushes skipped because of a broken rule, an expired notification or a delisted recipient.
  public var skipped = 0
  /// Pushes to send again later.
  public var deferred = 0
  /// Pushes that may or may not have been processed.
  public var unknown = 0
  /// Pushes that were not sent before the run ended.
  public var notAttempted = 0

  /// Creates an empty tally.
  public init() {}

  /// The number of all pushes.
  public var total: Int { accepted + rejected + skipped + deferred + unknown + notAttempted }

  /// The number of pushes with this outcome.
  public subscript(outcome: Outcome) -> Int {
    switch outcome {
    case .accepted: accepted
    case .rejected: rejected
    case .skipped: skipped
    case .deferred: deferred
    case .unknown: unknown
    case .notAttempted: notAttempted
    }
  }

  /// Adds to an outcome's count, or subtracts from it.
  package mutating func add(_ count: Int = 1, to outcome: Outcome) {
    switch outcome {
    case .accepted: accepted += count
    case .rejected: rejected += count
    case .skipped: skipped += count
    case .deferred: deferred += count
    case .unknown: unknown += count
    case .notAttempted: notAttempted += count
    }
  }
}
