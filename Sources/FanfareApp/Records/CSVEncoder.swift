internal import PlainText
internal import Recipients

/// Records as CSV. What is not known is an empty cell.
struct CSVEncoder: ColumnEncoder {
  var rows = CSVWriter()

  /// Whether a spreadsheet can open the file without running what others wrote, and a terminal show
  /// it without obeying it.
  let isSafe: Bool

  mutating func encode(_ column: String, text: String?) {
    let text = text ?? ""
    rows.cell((isSafe ? spreadsheetText(text.printable) : text).utf8)
  }

  mutating func encode(_ column: String, number: Int64?) {
    rows.cell((number.map(String.init) ?? "").utf8)
  }

  mutating func encode(_ column: String, digits: UnsafeBufferPointer<UInt8>) { rows.cell(digits) }

  mutating func encode(_ column: String, milliseconds microseconds: Int?) {
    rows.cell(millisecondsText(microseconds).utf8)
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
