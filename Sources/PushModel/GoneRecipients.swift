/// Recipients that earlier passes of a run read and that its lists no longer contain.
public struct GoneRecipients: Sendable, Hashable {
  /// The recipients with a result, by outcome.
  public let results: OutcomeTally
  /// The number of recipients without a result.
  public let withoutResult: Int
  /// The number of those without a result that were claimed: their push may have been sent.
  public let claimed: Int
  /// The outcomes that another attempt would have changed.
  public let open: Set<Outcome>

  /// Creates the findings of a ledger.
  ///
  /// - Parameter resendsUnknown: whether `unknown` pushes would have been sent again.
  public init(results: OutcomeTally, withoutResult: Int, claimed: Int, resendsUnknown: Bool) {
    (self.results, self.withoutResult, self.claimed) = (results, withoutResult, claimed)
    open = resendsUnknown ? [.deferred, .notAttempted, .unknown] : [.deferred, .notAttempted]
  }

  /// The number of recipients that would have been sent to.
  public var count: Int { open.reduce(withoutResult) { $0 + results[$1] } }

  /// The number of these that may have received the push.
  public var inDoubt: Int { claimed + (open.contains(.unknown) ? results.unknown : 0) }

  /// Returns the run's outcomes with the open ones of these recipients counted as skipped.
  package func settled(_ tally: OutcomeTally) -> OutcomeTally {
    var settled = tally
    for outcome in open {
      settled.add(-results[outcome], to: outcome)
      settled.add(results[outcome], to: .skipped)
    }
    return settled
  }
}

extension RecipientCounts {
  /// Returns these counts with the lines of recipients that are gone and have a result.
  package func adding(_ gone: GoneRecipients) -> Self {
    var counts = self
    counts.lines += gone.results.total
    return counts
  }
}
