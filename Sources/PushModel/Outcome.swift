public import APNS

/// What became of a push.
public enum Outcome: String, Sendable, Hashable, CaseIterable {
  /// APNs answered 200.
  case accepted
  /// APNs answered that it will not deliver this push.
  case rejected
  /// The push was not sent, or not again, because its row breaks a rule, its notification had
  /// expired, or its recipient was no longer in the list.
  case skipped
  /// APNs asked to try again later, kept refusing to process the push, or no longer takes the
  /// credentials, which were good before.
  case deferred
  /// The push may or may not have been processed: no answer came.
  case unknown
  /// The run ended before the push was sent.
  case notAttempted
}

/// One push and what became of it.
public struct PushResult: Sendable {
  /// The push.
  public let push: Push

  /// What became of it.
  public let outcome: Outcome

  /// The answer; nil when there was none.
  public let response: Response?

  /// How many requests were made for it.
  public let attempts: Int

  /// Whether it was skipped because the notification had expired before its turn, or its next turn,
  /// came.
  public var hasExpired: Bool {
    outcome == .skipped && push.chunk.problems(at: push.index) == nil
  }

  /// Whether it only says that it was not the push's turn again. What an earlier pass knows of the
  /// push is worth more.
  package var leavesEarlier: Bool {
    outcome == .notAttempted && push.chunk.earlierOutcome(at: push.index) != nil
  }

  /// Whether it was sent again while an earlier request was in doubt: it may arrive twice.
  public let wasResentInDoubt: Bool

  /// From the last request to its answer, in microseconds; nil without an answer.
  public let latencyMicroseconds: Int?

  /// When the answer came, in milliseconds since 1970 UTC; nil without an answer.
  public let answeredAt: Int64?

  /// A push and what became of it.
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
