package import JSONText
internal import PlainText
package import PushModel
internal import Reporting

// Texts about what a stopped run has not read, for the summary, 'history show' and 'resume'.
extension UnreadRecipients {
  /// `about 30,400 recipients after line 9,600 of list.txt`
  package var words: String {
    let number = count.map { "about \(counted($0, "recipient"))" }
    let list = place.map { $0.list == "-" ? "standard input" : $0.list.printable }
    return (number ?? "an unknown number of recipients")
      + (place.map { " after line \(grouped($0.line)) of \(list ?? "")" } ?? "")
  }

}

extension UnreadRecipients: JSONDescribed {
  package static let fields: [OutputField<Self>] = [
    .always("list", \.place?.list, "The list that was being read."),
    .always("line", \.place?.line, "The last line that was read."),
    .always("recipients", \.count, "About how many recipients follow."),
  ]
}

/// Lines of push number ranges: the first ones, then the number of those left out.
package struct RangeLines {
  private static let shown = 20

  let isVerbose: Bool
  private var count = 0

  package init(isVerbose: Bool) { self.isVerbose = isVerbose }

  /// The line of the next range; nil if it is beyond the limit.
  package mutating func line(_ range: String) -> String? {
    count += 1
    return isVerbose || count <= Self.shown ? "  \(range)" : nil
  }

  /// The line after the last range; nil if all were shown.
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
