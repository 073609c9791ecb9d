internal import PlainText
internal import PushModel

/// Lines with ranges of push numbers: the first of them, and how many more there are.
struct RangeLines {
  private static let shown = 20

  let isVerbose: Bool
  private var count = 0

  init(isVerbose: Bool) { self.isVerbose = isVerbose }

  /// The line of the next range; nil when it is one too many.
  mutating func line(_ range: String) -> String? {
    count += 1
    return isVerbose || count <= Self.shown ? "  \(range)" : nil
  }

  /// What follows the last range; nil when all were shown.
  var rest: String? {
    let rest = count - Self.shown
    return isVerbose || rest <= 0 ? nil : "  and \(counted(rest, "more range")); -v tells all"
  }

  static func lines(of pushes: PushRanges, isVerbose: Bool) -> [String] {
    var lines = RangeLines(isVerbose: isVerbose)
    let shown = pushes.ranges.compactMap { lines.line(text(of: $0)) }
    return shown + [lines.rest].compactMap(\.self)
  }

  static func text(of range: ClosedRange<UInt64>) -> String {
    let (first, last) = (range.lowerBound, range.upperBound)
    return first == last ? "\(first)" : "\(first)-\(last)"
  }
}
