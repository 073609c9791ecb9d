internal import APNS
internal import PlainText
internal import Recipients

/// A format of cells without names. An unknown value becomes an empty cell.
private protocol CellEncoder: ColumnEncoder {
  mutating func cell(_ value: some Collection<UInt8>)

  /// Encodes text of a list's own column.
  mutating func encode(listed column: RecordColumn, text: String)
}

extension CellEncoder {
  mutating func encode(_ column: RecordColumn, number: Int64?) {
    cell((number.map(String.init) ?? "").utf8)
  }

  mutating func encode(_ column: RecordColumn, digits: UnsafeBufferPointer<UInt8>) { cell(digits) }

  /// Encodes the value with three decimals.
  mutating func encode(_ column: RecordColumn, milliseconds microseconds: Int?) {
    cell((microseconds.map { fixed(Double($0) / 1000, decimals: 3) } ?? "").utf8)
  }

  mutating func encode(_ column: RecordColumn, sentences: [String]) {
    if sentences.isEmpty {
      cell("".utf8)
    } else {
      encode(column, text: sentences.joined(separator: " "))
    }
  }

  /// Encodes the value as it is if it is a number: numbers are not formulas, even with a sign.
  mutating func encode(
    _ column: RecordColumn, _ kind: TemplateValues.Kind, _ value: UnsafeBufferPointer<UInt8>
  ) {
    let first = value.first ?? 0
    if kind == .json, first == UInt8(ascii: "n") {
      cell("".utf8)
    } else if kind == .json, first == UInt8(ascii: "-") || first &- 0x30 < 10 {
      cell(value)
    } else {
      encode(listed: column, text: String(decoding: value, as: UTF8.self))
    }
  }

  mutating func encode(listed column: RecordColumn, text: String) { encode(column, text: text) }
}

/// Records as CSV.
struct CSVEncoder: CellEncoder {
  var rows = CSVWriter()

  /// The file is safe to open in a spreadsheet and to show on a terminal: no formulas, and no escape
  /// sequences but those of the list's own columns.
  let isSafe: Bool

  mutating func encode(_ column: RecordColumn, text: String?) {
    let text = text ?? ""
    cell((isSafe ? spreadsheetText(text.printable) : text).utf8)
  }

  /// Encodes the value as the list has it, so that it can be found there again. Only a line end is
  /// escaped: a record is one line.
  mutating func encode(listed column: RecordColumn, text: String) {
    let line = text.unicodeScalars.map { $0 == "\r" || $0 == "\n" ? $0.printable : String($0) }
    cell((isSafe ? spreadsheetText(line.joined()) : text).utf8)
  }

  fileprivate mutating func cell(_ value: some Collection<UInt8>) { rows.cell(value) }
}

/// The first column of each record, one value per line, with control characters escaped.
struct FirstColumnEncoder: CellEncoder {
  var bytes: [UInt8] = []
  private var isFirst = true

  mutating func encode(_ column: RecordColumn, text: String?) { cell((text ?? "").printable.utf8) }

  fileprivate mutating func cell(_ value: some Collection<UInt8>) {
    if isFirst { bytes.append(contentsOf: value) }
    isFirst = false
  }

  mutating func endLine() {
    bytes.append(UInt8(ascii: "\n"))
    isFirst = true
  }
}

/// All columns, from which a template makes a line.
struct TemplateEncoder: CellEncoder {
  var bytes: [UInt8] = []
  private var values: [UInt8] = []
  private var ends: [Int] = []

  mutating func encode(_ column: RecordColumn, text: String?) { cell((text ?? "").printable.utf8) }

  fileprivate mutating func cell(_ value: some Collection<UInt8>) {
    values.append(contentsOf: value)
    ends.append(values.count)
  }

  mutating func endLine(_ template: LineTemplate) {
    template.write(values, ending: ends, into: &bytes)
    values.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
  }
}

/// Text that a spreadsheet does not take for a formula: an apostrophe precedes anything that would
/// begin one (OWASP: CSV injection).
package func spreadsheetText(_ text: String) -> String {
  guard let first = text.unicodeScalars.first, formulaStarts.contains(first) else { return text }
  return "'" + text
}

private let formulaStarts: Set<Unicode.Scalar> = [
  "=", "+", "-", "@", "\t", "\r", "\n", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}",
]
