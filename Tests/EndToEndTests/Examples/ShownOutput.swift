import Foundation

/// The output that a document shows of a command. What differs from run to run does not count:
/// numbers, times, ids, device tokens, and how wide columns are.
struct ShownOutput {
  let lines: [String]

  /// The shown lines that a real output does not have, or not in this order.
  func missing(in output: String) -> [String] {
    var rest = output.split(whereSeparator: \.isNewline).map { Self.pattern(of: $0) }[...]
    var missing: [String] = []
    for line in shown where line != Self.anything {
      let wanted = Self.pattern(of: line)
      if let place = rest.firstIndex(where: { Self.fits($0, wanted) }) {
        rest = rest[(place + 1)...]
      } else {
        missing.append(line)
      }
    }
    return missing
  }

  /// The lines of a real output that the document leaves out without saying so.
  func omitted(from output: String) -> [String] {
    var (next, isOpen) = (shown[...], false)
    return output.split(whereSeparator: \.isNewline).map(String.init).filter { text in
      let line = Self.pattern(of: text)
      if line.isEmpty { return false }
      if next.first == Self.anything {
        isOpen = true
        next.removeFirst()
      }
      guard let wanted = next.first, Self.fits(line, Self.pattern(of: wanted)) else {
        return !isOpen
      }
      isOpen = false
      next.removeFirst()
      return false
    }
  }

  /// A line that stands for any number of lines.
  private static let anything = "…"

  /// Ctrl-C is no output; what it says at once depends on how many pushes are in flight.
  private var shown: [String] {
    lines.filter { !$0.isEmpty }.map { $0 == "^C" ? Self.anything : $0 }
  }

  /// An ellipsis at the end stands for anything.
  private static func fits(_ line: String, _ shown: String) -> Bool {
    shown.hasSuffix("…") ? line.hasPrefix(shown.dropLast()) : line == shown
  }

  private static func pattern(of line: some StringProtocol) -> String {
    String(line)
      .replacing(/[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}/, with: "ID")
      .replacing(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\dZ?/, with: "TIME")
      .replacing(/…[0-9a-f]{8}/, with: "…TOKEN")
      .replacing(/\/tmp\/\S*fanfare-ca-\w+/, with: "CA")
      .replacing(/\d+([.,]\d+)*/, with: "0")
      .replacing(/\s+/, with: " ")
      .trimmingCharacters(in: .whitespaces)
  }
}
