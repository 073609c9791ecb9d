internal import PlainText
package import PushModel
internal import Reporting

/// Lines with ranges of push numbers: the first of them, and how many more there are.
package struct RangeLines {
  private static let shown = 20

  let isVerbose: Bool
  private var count = 0

  package init(isVerbose: Bool) { self.isVerbose = isVerbose }

  /// The line of the next range; nil when it is one too many.
  package mutating func line(_ range: String) -> String? {
    count += 1
    return isVerbose || count <= Self.shown ? "  \(range)" : nil
  }

  /// What follows the last range; nil when all were shown.
  package var rest: String? {
    let rest = count - Self.shown
    return isVerbose || rest <= 0 ? nil : "  and \(counted(rest, "more range")); -v tells all"
  }

  package static func lines(of pushes: PushRanges, isVerbose: Bool) -> [String] {
    var lines = RangeLines(isVerbose: isVerbose)
    let shown = pushes.ranges.compactMap { lines.line(text(of: $0)) }
    return shown + [lines.rest].compactMap(\.self)
  }

  package static func text(of range: ClosedRange<UInt64>) -> String {
    let (first, last) = (range.lowerBound, range.upperBound)
    return first == last ? "\(first)" : "\(first)-\(last)"
  }
}
