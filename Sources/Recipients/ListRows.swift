internal import APNS
internal import PushModel

/// A list that is read row by row. Blank lines and comments are not rows.
protocol ListRows: AnyObject {
  /// The lines that make up the rows.
  var lines: LineReader { get }

  /// The line of the current row, from 1; the first if the row spans several.
  var line: Int { get }

  /// The text to report for the current row: its device token, or else the line.
  var excerpt: UnsafeBufferPointer<UInt8> { get }

  /// Reads the header row, once; the others have none.
  func readHeader() throws(ListError.Fault)

  /// Moves to the next row; false at the end. An unreadable row counts as a row.
  func advance() -> Bool

  /// Returns the device token text of the current row, valid until the next row.
  func token() throws(LineFault) -> UnsafeBufferPointer<UInt8>

  /// Returns the row's registration time for its token, in seconds since 1970; nil when it has
  /// none.
  func registered() throws(LineFault) -> Int64?

  /// Appends the value of each requested variable.
  func addValues(to values: inout TemplateValues)

  /// The column names, once the rows have begun; empty when each row has its own.
  var columnNames: [String] { get }

  /// Checks whether, once the rows have begun, no row can have a value of this name.
  func lacks(_ name: String) -> Bool

  /// The format that the current row seems to have, if it is the first of the list and not of this
  /// one.
  var otherFormat: ListFormat? { get }
}

extension ListRows {
  var columnNames: [String] { [] }

  var otherFormat: ListFormat? { nil }

  /// Refuses a list that begins like one of another format.
  ///
  /// - Parameter isPlain: it can be read ahead without waiting.
  func refuseOtherFormat(isPlain: Bool) throws(ListError.Fault) {
    guard self is TextRows else { return }
    let start = isPlain ? lines.peek(4096) : lines.peekLine(atMost: 4096)
    let lines = start.split { $0 == 0x0A || $0 == 0x0D }
      .map { UnsafeBufferPointer(rebasing: $0).trimmed }
    let first = lines.first { !$0.isEmpty && $0.first != UInt8(ascii: "#") }
    if let format = first.flatMap(ListFormat.init(ofFirstLine:)) {
      throw .otherFormat(format.rawValue)
    }
  }

  func readHeader() throws(ListError.Fault) {}

  /// Reads the part before the first row.
  func begin() throws(ListError.Fault) {
    try refuseKey()
    try refuseForeign()
    try readHeader()
  }

  /// Nothing of a key is kept, or reported as a bad line with its last characters.
  private func refuseKey() throws(ListError.Fault) {
    guard lines.line == 0, lines.peek(1).first == UInt8(ascii: "-") else { return }
    guard lines.peek(11).elementsEqual("-----BEGIN ".utf8) else { return }
    lines.emptyCopy()
    throw .isPEM
  }

  /// A file of another kind is named, not blamed for each of its lines.
  private func refuseForeign() throws(ListError.Fault) {
    guard lines.line == 0, let first = lines.peek(1).first, ForeignFormat.mayBegin(with: first)
    else { return }
    guard let format = ForeignFormat.ofList(lines.peek(ForeignFormat.length)) else { return }
    lines.emptyCopy()
    throw .foreign(format.noun, advice: format.advice)
  }

  func lacks(_ name: String) -> Bool { false }

  /// Returns the next line that is not blank. A cut line counts, since text may follow its blanks.
  func nextText() -> UnsafeMutableBufferPointer<UInt8>? {
    while let text = lines.next() {
      if lines.isCut || !UnsafeBufferPointer(text).trimmed.isEmpty { return text }
    }
    return nil
  }
}

/// The rows of a plain list: one device token per line.
final class TextRows: ListRows {
  let lines: LineReader
  private let variables: Int
  private var count = 0
  private var text = UnsafeBufferPointer<UInt8>(start: nil, count: 0)

  init(_ lines: LineReader, variables: Int) {
    self.lines = lines
    self.variables = variables
  }

  var line: Int { lines.line }

  var excerpt: UnsafeBufferPointer<UInt8> { text }

  func advance() -> Bool {
    while let line = nextText() {
      text = UnsafeBufferPointer(line).trimmed
      if text.first == UInt8(ascii: "#") { continue }
      count += 1
      return true
    }
    return false
  }

  var otherFormat: ListFormat? { count == 1 ? ListFormat(ofFirstLine: text) : nil }

  func token() throws(LineFault) -> UnsafeBufferPointer<UInt8> {
    if lines.isCut { throw .tooLong }
    return text
  }

  func registered() -> Int64? { nil }

  func addValues(to values: inout TemplateValues) { values.appendMissing(variables) }

  func lacks(_ name: String) -> Bool { true }
}

extension ListFormat {
  /// The format of a list that begins with this line, if it is certainly not one of bare device
  /// tokens: an object with a token, or the names of several columns.
  fileprivate init?(ofFirstLine line: UnsafeBufferPointer<UInt8>) {
    let text = String(decoding: line.prefix(4096), as: UTF8.self)
    let separators: [Character] = [",", ";", "\t"]
    if text.hasPrefix("{"), text.contains("token\"") {
      self = .jsonl
    } else if separators.contains(where: { CSVHeader.hasToken(text.split(separator: $0)) }) {
      self = .csv
    } else {
      return nil
    }
  }
}

extension TemplateValues {
  /// Appends this many missing variables.
  mutating func appendMissing(_ count: Int) {
    for _ in 0..<count { append(.missing, UnsafeBufferPointer(start: nil, count: 0)) }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The text without leading and trailing white space.
  package var trimmed: UnsafeBufferPointer<UInt8> {
    guard let start = firstIndex(where: { !$0.isWhiteSpace }),
      let last = lastIndex(where: { !$0.isWhiteSpace })
    else { return UnsafeBufferPointer(rebasing: self[0..<0]) }
    return UnsafeBufferPointer(rebasing: self[start...last])
  }
}

extension UInt8 {
  /// A space, a tab or a line end. Not NUL: after a crash, a line of NULs is lost text.
  var isWhiteSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}

extension String {
  /// The part of a list's text that an error may show: 40 characters, and only the end of what
  /// looks like a device token.
  var excerptWithoutToken: String {
    if utf8.count >= 16, let token = try? DeviceToken(tidying: self) { return token.tail }
    return count > 40 ? prefix(40) + "…" : self
  }
}
