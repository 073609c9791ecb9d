/// Counts of the lines read. Lines in none of the other counts are pushes.
public struct RecipientCounts: Sendable, Hashable {
  /// Lines other than blanks, comments and headers; a row spanning several lines counts once.
  public var lines = 0
  /// Lines that are not a valid recipient. All shards but the first count them in `otherShards`.
  public var badLines = 0
  /// Rows left out because their device token occurred before.
  public var duplicates = 0
  /// Rows left out because their device token is suppressed.
  public var suppressed = 0
  /// Lines left to another shard.
  public var otherShards = 0

  /// The lines that became pushes.
  public var pushes: Int { lines - badLines - duplicates - suppressed - otherShards }

  /// Creates counts, zero by default.
  public init(
    lines: Int = 0, badLines: Int = 0, duplicates: Int = 0, suppressed: Int = 0,
    otherShards: Int = 0
  ) {
    self.lines = lines
    self.badLines = badLines
    self.duplicates = duplicates
    self.suppressed = suppressed
    self.otherShards = otherShards
  }

  /// Of two passes over the same lists, returns the counts of the one that read further.
  public func furthest(_ other: Self) -> Self {
    (pushes, lines) < (other.pushes, other.lines) ? other : self
  }
}

/// The recipients that no pass of a run has read, because it stopped before the end of its lists.
public struct UnreadRecipients: Sendable, Hashable {
  /// A row of a list.
  public struct Place: Sendable, Hashable {
    /// The list, as the user named it.
    public var list: String
    /// The line, from 1.
    public var line: Int

    /// Creates the place of a row.
    public init(list: String, line: Int) {
      self.list = list
      self.line = line
    }
  }

  /// The last recipient that was read; nil when unknown, or when none was read.
  public var place: Place?
  /// The approximate number of recipients that follow; nil when unknown, as for a pipe.
  public var count: Int?

  /// Creates the rest after a place.
  public init(after place: Place? = nil, count: Int? = nil) {
    self.place = place
    self.count = count
  }
}

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
