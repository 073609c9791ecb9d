internal import JSONText
internal import Recipients

/// A row of a table that other programs read: a result, a dead device token.
protocol Record {
  /// The names of its columns, in order.
  static var columns: [String] { get }

  /// Hands the value of each column to a format, in the order of the columns.
  func encode(to encoder: inout some ColumnEncoder)
}

/// What a format makes of the values of a record. Nil is a value that is not known.
protocol ColumnEncoder {
  /// A value that others may have written.
  mutating func encode(_ column: String, text: String?)

  mutating func encode(_ column: String, number: Int64?)

  /// Digits and hyphens, such as a device token's or an `apns-id`'s.
  mutating func encode(_ column: String, digits: UnsafeBufferPointer<UInt8>)

  /// A time in milliseconds with decimals.
  mutating func encode(_ column: String, milliseconds microseconds: Int?)
}

extension ColumnEncoder {
  mutating func encode(_ column: String, number: Int?) {
    encode(column, number: number.map { Int64($0) })
  }
}

/// Records as JSON Lines, as CSV, or as text: the one writer of these formats, for `--results`,
/// `--dead-tokens` and exports.
struct RecordEncoder {
  enum Format: Equatable {
    /// A JSON object per line.
    case jsonLines
    /// RFC 4180, with a header row.
    ///
    /// - Parameter isSafe: whether values are kept from running in a spreadsheet or steering a
    ///   terminal; else they are written as they are.
    case csv(isSafe: Bool)
    /// The first column alone, one value per line.
    case text
  }

  private let format: Format
  private var json = JSONWriter()
  private var csv: CSVEncoder
  private var text = TextEncoder()

  init(_ format: Format) {
    self.format = format
    csv = CSVEncoder(isSafe: format == .csv(isSafe: true))
  }

  /// Appends the header row, in a format that has one.
  mutating func encodeHeader(_ columns: [String]) {
    if case .csv = format { csv.rows.row(columns) }
  }

  /// Appends a record.
  mutating func encode(_ record: some Record) {
    switch format {
    case .jsonLines:
      record.write(to: &json)
      json.endLine()
    case .csv:
      record.encode(to: &csv)
      csv.rows.endRow()
    case .text:
      record.encode(to: &text)
      text.endLine()
    }
  }

  /// What was encoded since it was drained last.
  mutating func drained() -> [UInt8] {
    var bytes: [UInt8] = []
    drain { bytes = $0 }
    return bytes
  }

  /// Hands out what was encoded since the last call. The memory is kept for what comes next.
  mutating func drain(_ body: ([UInt8]) -> Void) {
    switch format {
    case .jsonLines:
      body(json.bytes)
      json.removeAll()
    case .csv:
      body(csv.rows.bytes)
      csv.rows.removeAll()
    case .text:
      body(text.bytes)
      text.removeAll()
    }
  }
}

/// The first column of records, one value per line.
private struct TextEncoder: ColumnEncoder {
  private(set) var bytes: [UInt8] = []
  private var isFirst = true

  mutating func encode(_ column: String, text: String?) { append((text ?? "").utf8) }

  mutating func encode(_ column: String, number: Int64?) {
    append((number.map(String.init) ?? "").utf8)
  }

  mutating func encode(_ column: String, digits: UnsafeBufferPointer<UInt8>) { append(digits) }

  mutating func encode(_ column: String, milliseconds microseconds: Int?) {
    append(millisecondsText(microseconds).utf8)
  }

  private mutating func append(_ value: some Sequence<UInt8>) {
    if isFirst { bytes.append(contentsOf: value) }
    isFirst = false
  }

  mutating func endLine() {
    bytes.append(UInt8(ascii: "\n"))
    isFirst = true
  }

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }
}

extension Record {
  /// Appends the record as a JSON object.
  func write(to json: inout JSONWriter) {
    json.beginObject()
    encode(to: &json)
    json.endObject()
  }
}

/// In JSON each column is a member, and what is not known is null.
extension JSONWriter: ColumnEncoder {
  mutating func encode(_ column: String, text: String?) { member(column, text) }

  mutating func encode(_ column: String, number: Int64?) { member(column, number) }

  mutating func encode(_ column: String, digits: UnsafeBufferPointer<UInt8>) {
    key(column)
    string(plainASCII: digits)
  }

  mutating func encode(_ column: String, milliseconds microseconds: Int?) {
    member(column, microseconds.map { Double($0) / 1000 })
  }
}

/// Microseconds as milliseconds with three decimals; empty when they are not known.
func millisecondsText(_ microseconds: Int?) -> String {
  microseconds.map { fixed(Double($0) / 1000, decimals: 3) } ?? ""
}

extension Record {
  /// The record as members of a report's object.
  var parts: [Report.Part] {
    var members = MemberEncoder()
    encode(to: &members)
    return members.parts
  }
}

private struct MemberEncoder: ColumnEncoder {
  var parts: [Report.Part] = []

  mutating func encode(_ column: String, text: String?) { parts.append(.json(column, .text(text))) }

  mutating func encode(_ column: String, number: Int64?) {
    parts.append(.json(column, .number(number)))
  }

  mutating func encode(_ column: String, digits: UnsafeBufferPointer<UInt8>) {
    encode(column, text: String(decoding: digits, as: UTF8.self))
  }

  mutating func encode(_ column: String, milliseconds microseconds: Int?) {
    parts.append(.json(column, .decimal(microseconds.map { Double($0) / 1000 })))
  }
}
