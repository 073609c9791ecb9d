/// Which pushes a resend sends again. It is written down with the run, before the first of them is
/// sent: so it is known of those, too, that never got a result.
///
/// A push of a resend is told by its origin: the row that the push has, or would have, in the oldest
/// run of its family, that is of the runs that send the same pushes. The table `origins` has a row
/// for each push of a resend; a push without one is its own origin.
public struct Lineage: Sendable, Hashable {
  /// The run whose pushes are sent again.
  public let run: RunNumber

  private var pushes = PushRanges()

  /// The numbers that they have there, ascending, in the order in which they are sent again.
  public var ranges: [ClosedRange<UInt64>] { pushes.ranges }

  /// How many pushes they are.
  public var count: Int { pushes.count }

  /// A lineage without pushes.
  public init(of run: RunNumber) { self.run = run }

  /// Adds the next push.
  ///
  /// - Parameter sequence: its number in ``run``, above that of the push before.
  public mutating func add(_ sequence: UInt64) { pushes.add(sequence) }
}

/// Numbers of pushes of a run, those that follow one another as a range.
public struct PushRanges: Sendable, Hashable {
  /// The numbers, in the order in which they were added.
  public private(set) var ranges: [ClosedRange<UInt64>] = []

  /// How many there are.
  public private(set) var count = 0

  /// No numbers.
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
