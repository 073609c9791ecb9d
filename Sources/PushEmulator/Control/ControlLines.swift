/// Cuts what arrives on a control connection into lines.
struct ControlLines {
  /// The bytes that a line may have, without its line feed.
  static let limit = 64 * 1024

  enum Line: Hashable {
    case text([UInt8])
    /// It has more bytes than may be. It is told at once; the rest of the line is passed over.
    case tooLong
  }

  private var text: [UInt8] = []
  private var isPassingOver = false

  /// The lines that become complete.
  mutating func take(_ bytes: UnsafeRawBufferPointer) -> [Line] { bytes.compactMap { take($0) } }

  /// The line that the end of input ends; nil when there is none.
  mutating func finish() -> Line? {
    defer { text = [] }
    return text.isEmpty ? nil : .text(text)
  }

  private mutating func take(_ byte: UInt8) -> Line? {
    if byte == UInt8(ascii: "\n") { return takeEnd() }
    if isPassingOver { return nil }
    text.append(byte)
    guard text.count > Self.limit else { return nil }
    isPassingOver = true
    text = []
    return .tooLong
  }

  private mutating func takeEnd() -> Line? {
    defer { (text, isPassingOver) = ([], false) }
    return isPassingOver ? nil : .text(text)
  }
}
