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
