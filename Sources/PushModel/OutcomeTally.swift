/// How many pushes there are of each outcome.
public struct OutcomeTally: Sendable, Hashable {
  /// Pushes that APNs accepted.
  public var accepted = 0
  /// Pushes that APNs will not deliver.
  public var rejected = 0
  /// Pushes whose row breaks a rule.
  public var skipped = 0
  /// Pushes to send again later.
  public var deferred = 0
  /// Pushes that may or may not have been processed.
  public var unknown = 0
  /// Pushes that were not sent before the run ended.
  public var notAttempted = 0

  /// Nothing yet.
  public init() {}

  /// All of them.
  public var total: Int { accepted + rejected + skipped + deferred + unknown + notAttempted }

  /// How many pushes have this outcome.
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

  /// Counts one more push, or takes one away.
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
