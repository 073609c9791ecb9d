/// The pushes that a resend sends again. They are recorded before the first is sent, so they are
/// known even for pushes that never get a result.
///
/// A resent push is identified by its origin: the row that the push has, or would have, in the
/// oldest run of its family, meaning the runs that send the same pushes. The table `origins` has a
/// row for each push of a resend; a push without one is its own origin.
public struct Lineage: Sendable, Hashable {
  /// The run whose pushes are sent again.
  public let run: RunNumber

  private var pushes = PushRanges()

  /// The numbers of the pushes in that run, ascending, in the order they are sent again.
  public var ranges: [ClosedRange<UInt64>] { pushes.ranges }

  /// The number of pushes.
  public var count: Int { pushes.count }

  /// Creates a lineage without pushes.
  public init(of run: RunNumber) { self.run = run }

  /// Adds the next push.
  ///
  /// - Parameter sequence: its number in ``run``, above that of the push before.
  public mutating func add(_ sequence: UInt64) { pushes.add(sequence) }
}

/// The numbers of pushes of a run, with consecutive ones combined into ranges.
public struct PushRanges: Sendable, Hashable {
  /// The numbers, in the order in which they were added.
  public private(set) var ranges: [ClosedRange<UInt64>] = []

  /// The number of pushes.
  public private(set) var count = 0

  /// Creates an empty set of ranges.
  public init() {}

  /// Adds a number.
  public mutating func add(_ sequence: UInt64) {
    count += 1
    if let last = ranges.last, last.upperBound + 1 == sequence {
      ranges[ranges.count - 1] = last.lowerBound...sequence
    } else {
      ranges.append(sequence...sequence)
    }
  }
}
