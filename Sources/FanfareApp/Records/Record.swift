internal import APNS
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

  /// Sentences. JSON has no member where there are none.
  mutating func encode(_ column: String, sentences: [String])

  /// A value of a row of a list, as it was there.
  mutating func encode(
    _ column: String, _ kind: TemplateValues.Kind, _ value: UnsafeBufferPointer<UInt8>)
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
    /// - Parameter isSafe: whether texts are kept from running in a spreadsheet or steering a
    ///   terminal, and on one line; else they are written as they are.
    case csv(isSafe: Bool, separator: UInt8 = UInt8(ascii: ","))
    /// The first column alone, one value per line.
    case text
    /// What a template makes of the columns, with texts that a terminal shows without obeying them.
    case line(LineTemplate)
  }

  private let format: Format
  private var json = JSONWriter()
  private var csv = CSVEncoder(isSafe: false)
  private var text = FirstColumnEncoder()
  private var line = TemplateEncoder()

  init(_ format: Format) {
    self.format = format
    if case .csv(let isSafe, let separator) = format {
      csv = CSVEncoder(rows: CSVWriter(separator: separator), isSafe: isSafe)
    }
  }

  /// Appends the header row, in a format that has one.
  mutating func encodeHeader(_ columns: [String]) {
    if case .csv = format { csv.rows.row(columns) }
  }

  /// Appends a record.
  mutating func encode(_ record: some Record) {
    switch format {
    case .jsonLines:
      json.beginObject()
      record.encode(to: &json)
      json.endObject()
      json.endLine()
    case .csv:
      record.encode(to: &csv)
      csv.rows.endRow()
    case .text:
      record.encode(to: &text)
      text.endLine()
    case .line(let template):
      record.encode(to: &line)
      line.endLine(template)
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
      text.bytes.removeAll(keepingCapacity: true)
    case .line:
      body(line.bytes)
      line.bytes.removeAll(keepingCapacity: true)
    }
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
    key(column)
    if let microseconds { double(Double(microseconds) / 1000) } else { null() }
  }

  mutating func encode(_ column: String, sentences: [String]) {
    if sentences.isEmpty { return }
    key(column)
    value(.texts(sentences))
  }

  mutating func encode(
    _ column: String, _ kind: TemplateValues.Kind, _ value: UnsafeBufferPointer<UInt8>
  ) {
    switch kind {
    case .missing: member(column, String?.none)
    case .text: member(column, String(decoding: value, as: UTF8.self))
    case .json:
      key(column)
      self.value((try? JSONReader().read(value)) ?? nil)
    }
  }

  /// A member that is a number, or null.
  mutating func member(_ key: String, _ value: (some BinaryInteger)?) {
    self.key(key)
    if let value { integer(value) } else { null() }
  }

  /// A member that is text, or null.
  mutating func member(_ key: String, _ value: String?) {
    self.key(key)
    if let value { string(value) } else { null() }
  }
}

extension Record {
  /// The record as a line of JSON.
  var jsonLine: [UInt8] {
    var encoder = RecordEncoder(.jsonLines)
    encoder.encode(self)
    return encoder.drained()
  }

  /// The record as members of a report's object.
  var parts: [Report.Part] {
    var members = RecordMembers()
    encode(to: &members)
    return members.parts
  }
}

/// Makes each column a member of a report's object, as in JSON Lines.
private struct RecordMembers: ColumnEncoder {
  private(set) var parts: [Report.Part] = []

  mutating func encode(_ column: String, text: String?) { add(column, .text(text)) }

  mutating func encode(_ column: String, number: Int64?) { add(column, .number(number)) }

  mutating func encode(_ column: String, digits: UnsafeBufferPointer<UInt8>) {
    add(column, .text(String(decoding: digits, as: UTF8.self)))
  }

  mutating func encode(_ column: String, milliseconds microseconds: Int?) {
    add(column, .decimal(microseconds.map { Double($0) / 1000 }))
  }

  mutating func encode(_ column: String, sentences: [String]) {
    if !sentences.isEmpty { add(column, .texts(sentences)) }
  }

  mutating func encode(
    _ column: String, _ kind: TemplateValues.Kind, _ value: UnsafeBufferPointer<UInt8>
  ) {
    switch kind {
    case .missing: add(column, nil)
    case .text: add(column, .text(String(decoding: value, as: UTF8.self)))
    case .json: add(column, (try? JSONReader().read(value)) ?? nil)
    }
  }

  private mutating func add(_ column: String, _ value: JSON) { parts.append(.json(column, value)) }
}
