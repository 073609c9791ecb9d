internal import History
internal import PlainText
internal import PushModel
internal import Recipients

/// Pushes as CSV (RFC 4180) that a spreadsheet can open without running what others wrote, and that a
/// terminal can show without obeying it.
struct CSVExport: PushExport {
  /// The columns, in order.
  static let columns = ["run"] + resultColumns + ["environment", "pushType", "topic"]

  /// Columns that hold numbers of ours, or a device token; nothing in them is text.
  private static let plainColumns: Set = [
    "run", "sequence", "line", "token", "status", "timestamp", "attempts", "latencyMilliseconds",
    "answeredAt",
  ]

  /// Whether values are left as they are.
  let isExact: Bool

  let needsRequest = false
  let tail: [UInt8] = []

  var head: [UInt8] { Array(csvLine(Self.columns).utf8) }

  func bytes(of push: PushEntry, in stored: StoredRun, _ request: StoredRequest?) -> [UInt8] {
    let record = stored.entry.record
    let rest = [record.environment, record.pushType ?? "", record.topic ?? ""]
    let cells =
      [push.run.description] + ResultLine(result: push, apnsID: push.apnsID).cells + rest
    return Array(csvLine(isExact ? cells : Self.guarded(cells)).utf8)
  }

  private static func guarded(_ cells: [String]) -> [String] {
    zip(columns, cells).map { column, cell in
      plainColumns.contains(column) ? cell : spreadsheetText(cell.printable)
    }
  }
}

/// A text that spreadsheets take for text: an apostrophe stands before what would begin a formula
/// (OWASP: CSV injection).
func spreadsheetText(_ text: String) -> String {
  guard let first = text.unicodeScalars.first, formulaStarts.contains(first) else { return text }
  return "'" + text
}

private let formulaStarts: Set<Unicode.Scalar> = [
  "=", "+", "-", "@", "\t", "\r", "\n", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}",
]
