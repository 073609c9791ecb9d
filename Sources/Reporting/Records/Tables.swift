internal import JSONText
internal import PlainText
internal import Recipients

extension RecordFormat {
  /// RFC 4180, with a header row.
  package static let csv = table("csv", separator: UInt8(ascii: ","))
  /// The same with tabs.
  package static let tsv = table("tsv", separator: UInt8(ascii: "\t"))

  private static func table(_ ending: String, separator: UInt8) -> RecordFormat {
    RecordFormat(ending, isTable: true) { TableEncoder(separator: separator, isSafe: $0) }
  }
}

private final class TableEncoder: RecordEncoder {
  private var rows: CSVWriter
  private let separator: UInt8

  /// The file is safe to open in a spreadsheet and to show on a terminal: no formulas, and no escape
  /// sequences but those of the list's own columns.
  private let isSafe: Bool

  init(separator: UInt8, isSafe: Bool) {
    rows = CSVWriter(separator: separator)
    (self.separator, self.isSafe) = (separator, isSafe)
  }

  var bytes: [UInt8] { rows.bytes }

  func encodeHeader(_ columns: [String]) { rows.row(columns) }

  func write(_ name: String, _ value: FieldValue?) {
    value.withCell(text: safe) { rows.cell($0) }
  }

  private func safe(_ text: String, isListed: Bool) -> String {
    if !isSafe { return text }
    if !isListed { return spreadsheetText(text.printable) }
    // As the list has it, so that it can be found there again. Only a line end is escaped: a record
    // is one line.
    let endsLine: (UInt8) -> Bool = { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }
    guard text.utf8.contains(where: endsLine) else { return spreadsheetText(text) }
    let line = text.unicodeScalars.map { $0 == "\r" || $0 == "\n" ? $0.printable : String($0) }
    return spreadsheetText(line.joined())
  }

  func endRecord() { rows.endRow() }

  func removeAll() { rows.removeAll() }

  func read(_ line: [UInt8], _ columns: [String]) -> RecordLine {
    var isQuoted = false
    let cells = line.split(omittingEmptySubsequences: false) { [separator] byte in
      // A doubled quote closes the cell and reopens it.
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      return byte == separator && !isQuoted
    }
    return RecordLine { column in
      guard let index = columns.firstIndex(of: column), cells.indices.contains(index) else {
        return nil
      }
      return cells[index].isEmpty ? nil : String(decoding: cells[index], as: UTF8.self)
    }
  }
}

extension FieldValue? {
  /// Calls `body` with the bytes of a cell; an unknown value is an empty cell.
  ///
  /// - Parameter text: makes text that may come from others safe; of a list's own column, if true.
  func withCell(
    text: (String, Bool) -> String, _ body: (UnsafeBufferPointer<UInt8>) -> Void
  ) {
    switch self {
    case .null, nil: body(.empty)
    case .text(let string): text(string, false).with(body)
    case .integer(let number): String(number).with(body)
    case .digits(let digits): body(digits)
    // Numbers are not formulas, even with a sign.
    case .listed(let value, isJSON: true) where value.isNumber: body(value)
    case .listed(let value, isJSON: true) where value.first == UInt8(ascii: "n"): body(.empty)
    case .listed(let value, _): text(String(decoding: value, as: UTF8.self), true).with(body)
    case .thousandths(let number): fixed(Double(number) / 1000, decimals: 3).with(body)
    case .json(let json):
      switch json.content {
      case .null: body(.empty)
      case .number(let number): number.text.with(body)
      case .string(let string): text(string, false).with(body)
      case .array(let elements):
        let texts = elements.map { $0.string ?? $0.encodedString() }
        text(texts.joined(separator: " "), false).with(body)
      case .bool, .object: text(json.encodedString(), false).with(body)
      }
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  fileprivate static var empty: Self { Self(start: nil, count: 0) }

  fileprivate var isNumber: Bool {
    guard let first else { return false }
    return first == UInt8(ascii: "-") || first &- 0x30 < 10
  }
}

extension String {
  fileprivate func with(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    var text = self
    text.withUTF8(body)
  }
}

/// Text that a spreadsheet does not take for a formula: an apostrophe precedes anything that would
/// begin one (OWASP: CSV injection). A number with a sign, such as a phone number, is none.
package func spreadsheetText(_ text: String) -> String {
  guard let first = text.unicodeScalars.first, formulaStarts.contains(first) else { return text }
  let isNumber =
    "+-".unicodeScalars.contains(first)
    && text.unicodeScalars.dropFirst().allSatisfy { "0123456789. ".unicodeScalars.contains($0) }
  return isNumber ? text : "'" + text
}

private let formulaStarts: Set<Unicode.Scalar> = [
  "=", "+", "-", "@", "\t", "\r", "\n", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}",
]
