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
  public mutating func cell(_ text: some Collection<UInt8>) {
    if !isFirst { bytes.append(separator) }
    isFirst = false
    // Compare bytes: to Swift, CR LF is one character, and so is a quote with an accent on it.
    guard text.contains(where: { $0 == separator || "\"\r\n".utf8.contains($0) }) else {
      bytes.append(contentsOf: text)
      return
    }
    let quote = UInt8(ascii: "\"")
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
    for text in cells { cell(text.utf8) }
    endRow()
  }

  /// Discards the bytes written but keeps their memory.
  public mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }
}
