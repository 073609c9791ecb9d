internal import APNS
package import JSONText

/// A format of files with a record per push: results, dead tokens, exports. Each has a file of its
/// own beside this one, and is listed in ``all``.
package struct RecordFormat: Sendable {
  /// The endings of its files, in lowercase; the first is its name for options.
  package let endings: [String]
  /// A table, which a spreadsheet can open.
  package let isTable: Bool
  /// Records have all their fields, so that results can be read back.
  package let isComplete: Bool
  private let make: @Sendable (_ isSafe: Bool) -> any RecordEncoder

  /// - Parameter make: returns a new encoder; a safe one keeps text on one line, and from running in
  ///   a spreadsheet or steering a terminal.
  init(
    _ endings: String..., isTable: Bool = false, isComplete: Bool = true,
    make: @escaping @Sendable (_ isSafe: Bool) -> any RecordEncoder
  ) {
    (self.endings, self.isTable, self.isComplete) = (endings, isTable, isComplete)
    self.make = make
  }

  package func encoder(isSafe: Bool = true) -> any RecordEncoder { make(isSafe) }
}

extension RecordFormat {
  /// The formats, in the order in which they are listed.
  package static let all: [RecordFormat] = [jsonLines, csv, tsv, firstField]

  /// The formats that can hold results.
  package static let ofResults = all.filter(\.isComplete)

  /// The format of a file by its ending, in either case; nil for another ending.
  package static func of(path: String) -> RecordFormat? {
    let ending = fileEnding(path)?.lowercased()
    return all.first { $0.endings.contains { $0 == ending } }
  }

  package var name: String { endings[0] }
}

extension RecordFormat: Hashable {
  package static func == (left: Self, right: Self) -> Bool { left.name == right.name }
  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension [RecordFormat] {
  /// The endings: `.jsonl, .ndjson, .csv or .tsv`.
  package var endings: String { flatMap(\.endings).map { "." + $0 }.alternatives }
}

/// The part after the last dot of a file's name; nil if there is no dot.
package func fileEnding(_ path: String) -> Substring? {
  let name = path.split(separator: "/").last ?? ""
  return name.lastIndex(of: ".").map { name[name.index(after: $0)...] }
}

/// Encodes records, whose fields it takes one by one, in a format.
package protocol RecordEncoder: FieldWriter {
  /// The bytes of the records since the last removal.
  var bytes: [UInt8] { get }

  /// Appends the header row, if the format has one.
  func encodeHeader(_ columns: [String])

  func beginRecord()
  func endRecord()

  /// Removes the bytes, but keeps their memory for reuse.
  func removeAll()

  /// Reads a record back, without values if it does not have the format.
  ///
  /// - Parameter line: the line without its end.
  func read(_ line: [UInt8], _ columns: [String]) -> RecordLine
}

extension RecordEncoder {
  package func encodeHeader(_ columns: [String]) {}
  package func beginRecord() {}

  package func read(_ line: [UInt8], _ columns: [String]) -> RecordLine {
    RecordLine { columns.first == $0 ? String(decoding: line, as: UTF8.self) : nil }
  }

  /// Appends a record.
  package func encode<Source>(_ record: Source, _ fields: [OutputField<Source>]) {
    beginRecord()
    fields.write(record, to: self)
    endRecord()
  }

  /// Returns the bytes and removes them.
  package func drained() -> [UInt8] {
    defer { removeAll() }
    return bytes
  }
}

/// A record read back from a file.
package struct RecordLine {
  let value: (String) -> String?

  /// The value of a column that is never quoted; nil when it is missing.
  package subscript(column: String) -> String? { value(column) }
}
