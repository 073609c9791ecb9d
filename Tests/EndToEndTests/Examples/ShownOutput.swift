import Foundation

/// The output that a document shows of a command. What differs from run to run does not count:
/// numbers, times, ids, device tokens, and how wide columns are.
struct ShownOutput {
  let lines: [String]

  /// The shown lines that a real output does not have, or not in this order.
  func missing(in output: String) -> [String] {
    var rest = output.split(whereSeparator: \.isNewline).map { Self.pattern(of: $0) }[...]
    var missing: [String] = []
    for line in lines where !line.isEmpty && line != "^C" {
      if let place = rest.firstIndex(where: { Self.fits($0, Self.pattern(of: line)) }) {
        rest = rest[(place + 1)...]
      } else {
        missing.append(line)
      }
    }
    return missing
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
