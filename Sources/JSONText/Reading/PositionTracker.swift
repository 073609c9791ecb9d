/// Converts byte offsets to lines and columns. For ascending offsets it reads every byte once.
struct PositionTracker {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var offset = 0
  private var reached = JSONPosition(line: 1, column: 1)

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// The position of the byte at an offset; the end of the text is a valid offset.
  mutating func position(at target: Int) -> JSONPosition {
    if target < offset { self = PositionTracker(bytes) }
    while offset < target {
      if let eight = bytes.eightBytes(at: offset, before: target),
        eight.areASCII, eight.haveNoControl
      {
        reached.column += 8
        offset += 8
      } else {
        pass(bytes[offset])
        offset += 1
      }
    }
    return reached
  }

  private mutating func pass(_ byte: UInt8) {
    switch byte {
    case .lineFeed where offset > 0 && bytes[offset - 1] == .carriageReturn: break
    case .lineFeed, .carriageReturn:
      reached.line += 1
      reached.column = 1
    case 0x80...0xBF: break
    default: reached.column += 1
    }
  }
}
