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
