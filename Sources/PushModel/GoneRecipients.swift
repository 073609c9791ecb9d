/// Recipients that earlier passes of a run have read, and that its lists no longer have.
public struct GoneRecipients: Sendable, Hashable {
  /// Those with a result, by outcome.
  public let results: OutcomeTally
  /// How many have none.
  public let withoutResult: Int
  /// Of those without a result, how many were claimed: their push may have been sent.
  public let claimed: Int
  /// The outcomes that would have been changed by sending again.
  public let open: Set<Outcome>

  /// What a ledger found.
  ///
  /// - Parameter resendsUnknown: whether what is `unknown` would have been sent again.
  public init(results: OutcomeTally, withoutResult: Int, claimed: Int, resendsUnknown: Bool) {
    (self.results, self.withoutResult, self.claimed) = (results, withoutResult, claimed)
    open = resendsUnknown ? [.deferred, .notAttempted, .unknown] : [.deferred, .notAttempted]
  }

  /// How many would have been sent to.
  public var count: Int { open.reduce(withoutResult) { $0 + results[$1] } }

  /// How many of these may have got the push.
  public var inDoubt: Int { claimed + (open.contains(.unknown) ? results.unknown : 0) }

  /// The outcomes of a run with theirs, once those that are open are skipped.
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
  /// These lines, and those of recipients that are gone and have a result.
  package func adding(_ gone: GoneRecipients) -> Self {
    var counts = self
    counts.lines += gone.results.total
    return counts
  }
}
