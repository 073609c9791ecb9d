/// What became of the lines that were read. The lines that are in no other figure are pushes.
public struct RecipientCounts: Sendable, Hashable {
  /// Lines that are neither blank, a comment nor a header row; of a row over several lines one.
  public var lines = 0
  /// Lines that are not a valid recipient. Another shard than the first counts them in `otherShards`.
  public var badLines = 0
  /// Rows left out because their device token was there already.
  public var duplicates = 0
  /// Rows left out because their device token is suppressed.
  public var suppressed = 0
  /// Lines left to another shard.
  public var otherShards = 0

  /// The lines that became pushes.
  public var pushes: Int { lines - badLines - duplicates - suppressed - otherShards }

  /// Counts; none of what is not given.
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

  /// Of the counts of two passes over the same lists those of the one that came further.
  public func furthest(_ other: Self) -> Self {
    (pushes, lines) < (other.pushes, other.lines) ? other : self
  }
}
