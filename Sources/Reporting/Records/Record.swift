package import APNS
package import JSONText
internal import Recipients

/// A row of a table that other programs read: a result, a dead device token.
package protocol Record {
  /// Hands the value of each column to a format, in the order of the columns. Which columns there
  /// are does not depend on the values.
  func encode(to encoder: inout some ColumnEncoder)
}

/// A column of a table, or the member of a JSON object that takes its place.
package struct RecordColumn: Sendable {
  package let name: String
  /// The meaning of its values, in a clause; empty for a column of a list.
  let meaning: String
  /// Some records have no value for it.
  let isNullable: Bool

  package init(_ name: String, _ meaning: String = "", orNull isNullable: Bool = false) {
    (self.name, self.meaning, self.isNullable) = (name, meaning, isNullable)
  }
}

/// A format that encodes the values of a record. Nil stands for an unknown value.
package protocol ColumnEncoder {
  /// Encodes text that may come from others.
  mutating func encode(_ column: RecordColumn, text: String?)

  mutating func encode(_ column: RecordColumn, number: Int64?)

  mutating func encode(_ column: RecordColumn, word: some JSONWord)

  /// Encodes digits and hyphens, such as a device token's or an `apns-id`'s.
  mutating func encode(_ column: RecordColumn, digits: UnsafeBufferPointer<UInt8>)

  /// Encodes a duration in milliseconds with decimals.
  mutating func encode(_ column: RecordColumn, milliseconds microseconds: Int?)

  /// Encodes sentences. Without any, JSON has no member for the column.
  mutating func encode(_ column: RecordColumn, sentences: [String])

  /// Encodes a value from a row of a list, unchanged.
  mutating func encode(
    _ column: RecordColumn, _ kind: TemplateValues.Kind, _ value: UnsafeBufferPointer<UInt8>)
}

extension ColumnEncoder {
  package mutating func encode(_ column: RecordColumn, number: Int?) {
    encode(column, number: number.map { Int64($0) })
  }

  package mutating func encode(_ column: RecordColumn, word: some JSONWord) {
    encode(column, text: word.rawValue)
  }
}

/// Encodes records as JSON Lines, CSV or text: the only writer of these formats, for `--results`,
/// `--dead-tokens` and exports.
package struct RecordEncoder {
  package enum Format: Equatable {
    /// A JSON object per line.
    case jsonLines
    /// RFC 4180, with a header row.
    ///
    /// - Parameter isSafe: whether text is kept on one line, and from running in a spreadsheet or
    ///   steering a terminal; otherwise it is written as it is.
    case csv(isSafe: Bool, separator: UInt8 = UInt8(ascii: ","))
    /// The first column alone, one value per line.
    case text
    /// A line per record, made by a template, with text escaped for terminals.
    case line(LineTemplate)
  }

  private let format: Format
  private var json = JSONWriter()
  private var csv = CSVEncoder(isSafe: false)
  private var text = FirstColumnEncoder()
  private var line = TemplateEncoder()

  package init(_ format: Format) {
    self.format = format
    if case .csv(let isSafe, let separator) = format {
      csv = CSVEncoder(rows: CSVWriter(separator: separator), isSafe: isSafe)
    }
  }

  /// Appends the header row, if the format has one.
  package mutating func encodeHeader(_ columns: [String]) {
    if case .csv = format { csv.rows.row(columns) }
  }

  /// Appends a record.
  package mutating func encode(_ record: some Record) {
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

  /// Returns everything encoded since the last drain.
  package mutating func drained() -> [UInt8] {
    var bytes: [UInt8] = []
    drain { bytes = $0 }
    return bytes
  }

  /// Passes everything encoded since the last call to `body`. The memory is kept for reuse.
  package mutating func drain(_ body: ([UInt8]) -> Void) {
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

/// In JSON each column is a member, and an unknown value is null.
extension JSONWriter: ColumnEncoder {
  package mutating func encode(_ column: RecordColumn, text: String?) { member(column.name, text) }

  package mutating func encode(_ column: RecordColumn, number: Int64?) {
    member(column.name, number)
  }

  package mutating func encode(_ column: RecordColumn, digits: UnsafeBufferPointer<UInt8>) {
    key(column.name)
    string(plainASCII: digits)
  }

  package mutating func encode(_ column: RecordColumn, milliseconds microseconds: Int?) {
    key(column.name)
    if let microseconds { double(Double(microseconds) / 1000) } else { null() }
  }

  package mutating func encode(_ column: RecordColumn, sentences: [String]) {
    if sentences.isEmpty { return }
    key(column.name)
    value(.texts(sentences))
  }

  package mutating func encode(
    _ column: RecordColumn, _ kind: TemplateValues.Kind, _ value: UnsafeBufferPointer<UInt8>
  ) {
    switch kind {
    case .missing: member(column.name, String?.none)
    case .text: member(column.name, String(decoding: value, as: UTF8.self))
    case .json:
      key(column.name)
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
  package var jsonLine: [UInt8] {
    var encoder = RecordEncoder(.jsonLines)
    encoder.encode(self)
    return encoder.drained()
  }

  /// The record as members of a report's object.
  package var parts: [Report.Part] {
    described.members.map { .json($0.key, $0.value) }
  }

  /// The columns as keys of an object, which are the same for every record.
  package var keys: [JSONShape.Key] { described.keys }

  private var described: DescribedRecord {
    var described = DescribedRecord()
    encode(to: &described)
    return described
  }
}

/// Makes each column a member of an object, as in JSON Lines, and describes it. Columns of a list
/// are not described: they are not known in advance.
private struct DescribedRecord: ColumnEncoder {
  private(set) var members: [JSONMember] = []
  private(set) var keys: [JSONShape.Key] = []

  mutating func encode(_ column: RecordColumn, text: String?) { add(column, .text, .text(text)) }

  mutating func encode(_ column: RecordColumn, number: Int64?) {
    add(column, .integer, .number(number))
  }

  mutating func encode<Word: JSONWord>(_ column: RecordColumn, word: Word) {
    add(column, Word.jsonShape, word.jsonValue)
  }

  mutating func encode(_ column: RecordColumn, digits: UnsafeBufferPointer<UInt8>) {
    add(column, .text, .text(String(decoding: digits, as: UTF8.self)))
  }

  mutating func encode(_ column: RecordColumn, milliseconds microseconds: Int?) {
    add(column, .number, .decimal(microseconds.map { Double($0) / 1000 }))
  }

  mutating func encode(_ column: RecordColumn, sentences: [String]) {
    keys.append(.init(column.name, .array(.text), column.meaning).sometimes)
    if !sentences.isEmpty { add(column.name, .texts(sentences)) }
  }

  mutating func encode(
    _ column: RecordColumn, _ kind: TemplateValues.Kind, _ value: UnsafeBufferPointer<UInt8>
  ) {
    switch kind {
    case .missing: add(column.name, nil)
    case .text: add(column.name, .text(String(decoding: value, as: UTF8.self)))
    case .json: add(column.name, (try? JSONReader().read(value)) ?? nil)
    }
  }

  private mutating func add(_ column: RecordColumn, _ shape: JSONShape, _ value: JSON) {
    keys.append(.init(column.name, column.isNullable ? .orNull(shape) : shape, column.meaning))
    add(column.name, value)
  }

  private mutating func add(_ name: String, _ value: JSON) {
    members.append(JSONMember(key: name, value: value))
  }
}
