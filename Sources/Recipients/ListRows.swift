internal import APNS
internal import PushModel

/// A list that is read row by row. Blank lines and comments are not rows.
protocol ListRows: AnyObject {
  /// The lines that the rows are made of.
  var lines: LineReader { get }

  /// The line of the row at hand, from 1; of several lines the first.
  var line: Int { get }

  /// What a report shows of the row at hand: the text of the device token, or else the line.
  var excerpt: UnsafeBufferPointer<UInt8> { get }

  /// Looks at what comes before the first row.
  func begin() throws(ListError.Fault)

  /// Goes to the next row; false at the end. A row that cannot be read is one too.
  func advance() -> Bool

  /// The text of the device token of the row at hand, valid until the next row.
  func token() throws(LineFault) -> UnsafeBufferPointer<UInt8>

  /// The time that the row says the token was registered, in seconds since 1970; nil when it says
  /// none.
  func registered() throws(LineFault) -> Int64?

  /// Adds the value of each variable that is wanted.
  func addValues(to values: inout TemplateValues)

  /// The names of the columns, once the rows have begun; empty where each row has its own.
  var columnNames: [String] { get }

  /// Whether it is known that no row has a value of this name, once the rows have begun.
  func lacks(_ name: String) -> Bool
}

extension ListRows {
  var columnNames: [String] { [] }

  func lacks(_ name: String) -> Bool { false }

  /// The next line that is not blank. One that is cut may have text after its blanks.
  func nextText() -> UnsafeMutableBufferPointer<UInt8>? {
    while let text = lines.next() {
      if lines.isCut || !UnsafeBufferPointer(text).trimmed.isEmpty { return text }
    }
    return nil
  }
}

/// A device token a line.
final class TextRows: ListRows {
  let lines: LineReader
  private let variables: Int
  private var text = UnsafeBufferPointer<UInt8>(start: nil, count: 0)

  init(_ lines: LineReader, variables: Int) {
    self.lines = lines
    self.variables = variables
  }

  var line: Int { lines.line }

  var excerpt: UnsafeBufferPointer<UInt8> { text }

  func begin() {}

  func advance() -> Bool {
    while let line = nextText() {
      text = UnsafeBufferPointer(line).trimmed
      if text.first != UInt8(ascii: "#") { return true }
    }
    return false
  }

  func token() throws(LineFault) -> UnsafeBufferPointer<UInt8> {
    if lines.isCut { throw .tooLong }
    return text
  }

  func registered() -> Int64? { nil }

  func addValues(to values: inout TemplateValues) { values.appendMissing(variables) }

  func lacks(_ name: String) -> Bool { true }
}

extension TemplateValues {
  /// Adds this many variables that are missing.
  mutating func appendMissing(_ count: Int) {
    for _ in 0..<count { append(.missing, UnsafeBufferPointer(start: nil, count: 0)) }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The text without white space at either end.
  package var trimmed: UnsafeBufferPointer<UInt8> {
    guard let start = firstIndex(where: { !$0.isWhiteSpace }),
      let last = lastIndex(where: { !$0.isWhiteSpace })
    else { return UnsafeBufferPointer(rebasing: self[0..<0]) }
    return UnsafeBufferPointer(rebasing: self[start...last])
  }
}

extension UInt8 {
  /// A blank, a tab, or what ends a line. Not NUL: after a crash, a line of them is lost text.
  var isWhiteSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}
