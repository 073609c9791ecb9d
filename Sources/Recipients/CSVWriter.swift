/// Writes rows of CSV (RFC 4180), which ``RecipientReader`` reads back unchanged. Cells are quoted
/// where needed.
public struct CSVWriter: Sendable {
  /// The bytes written so far.
  public private(set) var bytes: [UInt8] = []

  private var isFirst = true

  private let separator: UInt8

  /// Creates an empty writer.
  public init(separator: UInt8 = UInt8(ascii: ",")) { self.separator = separator }

  /// Appends a cell to the row.
  public mutating func cell(_ text: UnsafeBufferPointer<UInt8>) {
    if !isFirst { bytes.append(separator) }
    isFirst = false
    // Compare bytes: to Swift, CR LF is one character, and so is a quote with an accent on it.
    let quote = UInt8(ascii: "\"")
    guard text.contains(where: { [separator] in $0 == separator || $0 == quote || $0.endsLine })
    else {
      bytes.append(contentsOf: text)
      return
    }
    bytes.append(quote)
    for byte in text { bytes.append(contentsOf: byte == quote ? [quote, quote] : [byte]) }
    bytes.append(quote)
  }

  /// Ends the row.
  public mutating func endRow() {
    bytes.append(contentsOf: "\r\n".utf8)
    isFirst = true
  }

  /// Appends a whole row.
  public mutating func row(_ cells: [String]) {
    for var text in cells { text.withUTF8 { cell($0) } }
    endRow()
  }

  /// Discards the bytes written but keeps their memory.
  public mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }
}

extension UInt8 {
  fileprivate var endsLine: Bool { self == UInt8(ascii: "\r") || self == UInt8(ascii: "\n") }
}
