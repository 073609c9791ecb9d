internal import PushModel

/// The pushes of a run that may still get a result, as ranges of their numbers.
///
/// Results are not committed in the order of the numbers: an attempt that is in flight for long ends
/// after many that began later. So what was seen last does not tell what is new; what is open does.
struct OpenPushes: Sendable, Equatable {
  /// In order, and none beside another.
  private(set) var ranges: [ClosedRange<UInt64>]

  /// All pushes that a run can have.
  static let all = OpenPushes(ranges: [1...RunNumber.lastSequence])

  /// None.
  static let none = OpenPushes(ranges: [])

  /// Takes numbers out that got their result.
  ///
  /// - Parameter sequences: in ascending order; those that are not open do not matter.
  mutating func close(_ sequences: [UInt64]) {
    guard let first = sequences.first, let last = sequences.last else { return }
    let start = place { $0.upperBound < first }
    let end = place { $0.lowerBound <= last }
    guard start < end else { return }
    var next = sequences[...]
    var rest: [ClosedRange<UInt64>] = []
    for range in ranges[start..<end] { Self.cut(&next, from: range, into: &rest) }
    ranges.replaceSubrange(start..<end, with: rest)
  }

  /// Appends what is left of a range.
  private static func cut(
    _ sequences: inout ArraySlice<UInt64>, from range: ClosedRange<UInt64>,
    into rest: inout [ClosedRange<UInt64>]
  ) {
    var lower = range.lowerBound
    while let sequence = sequences.first, sequence <= range.upperBound {
      sequences.removeFirst()
      guard sequence >= lower else { continue }
      if sequence > lower { rest.append(lower...sequence - 1) }
      lower = sequence + 1
    }
    if lower <= range.upperBound { rest.append(lower...range.upperBound) }
  }

  /// How many ranges at the start a condition holds for, by halving.
  private func place(where holds: (ClosedRange<UInt64>) -> Bool) -> Int {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if holds(ranges[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
