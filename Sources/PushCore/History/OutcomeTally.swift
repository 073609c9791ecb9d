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
  mutating func add(_ count: Int = 1, to outcome: Outcome) {
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

extension Outcome {
  /// The number that stands for it in the history. It never changes.
  var code: Int64 {
    switch self {
    case .accepted: 0
    case .rejected: 1
    case .skipped: 2
    case .deferred: 3
    case .unknown: 4
    case .notAttempted: 5
    }
  }

  /// An outcome by its number. A number from a newer version is an outcome we cannot know.
  init(code: Int64) {
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
