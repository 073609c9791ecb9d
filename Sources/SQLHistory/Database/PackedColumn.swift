/// Integers stored as differences from the smallest, each in as few bytes as the largest difference
/// needs. Equal numbers need none.
///
/// The smallest number takes eight bytes, the size of the differences one; all are little-endian.
/// Each number can be read on its own.
package struct PackedColumn {
  private static let headSize = 9

  private let smallest: Int64
  private let width: Int
  /// The offset of its numbers in the bytes that contain it.
  private let start: Int

  /// The offset of the bytes after it.
  package let end: Int

  /// Finds a column of `count` numbers; nil if the bytes hold none at that offset.
  package init?(in bytes: [UInt8], from start: Int, count: Int) {
    guard start + Self.headSize <= bytes.count else { return nil }
    smallest = Int64(bitPattern: bytes.number(at: start, width: 8))
    width = Int(bytes[start + 8])
    self.start = start + Self.headSize
    end = self.start + count * width
    guard [0, 1, 2, 4, 8].contains(width), end <= bytes.count else { return nil }
  }

  /// A number of the column that was found in these bytes.
  package func number(at index: Int, in bytes: [UInt8]) -> Int64 {
    smallest &+ Int64(bitPattern: bytes.number(at: start + index * width, width: width))
  }

  /// Appends a column. There must be at least one number.
  package static func append(_ numbers: [Int64], to bytes: inout [UInt8]) {
    let (smallest, greatest) = (numbers.min() ?? 0, numbers.max() ?? 0)
    bytes.append(littleEndian: UInt64(bitPattern: smallest))
    switch UInt64(bitPattern: greatest &- smallest) {
    case 0: bytes.append(UInt8(0))
    case ...0xFF: bytes.append(numbers, above: smallest, as: UInt8.self)
    case ...0xFFFF: bytes.append(numbers, above: smallest, as: UInt16.self)
    case ...0xFFFF_FFFF: bytes.append(numbers, above: smallest, as: UInt32.self)
    default: bytes.append(numbers, above: smallest, as: UInt64.self)
    }
  }
}

extension [UInt8] {
  /// Appends a number in little-endian order.
  package mutating func append(littleEndian number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }

  fileprivate mutating func append<Word: FixedWidthInteger>(
    _ numbers: [Int64], above smallest: Int64, as type: Word.Type
  ) {
    append(UInt8(MemoryLayout<Word>.size))
    let words = numbers.map { Word(truncatingIfNeeded: $0 &- smallest).littleEndian }
    words.withUnsafeBytes { append(contentsOf: $0) }
  }

  /// Reads a number of `width` bytes.
  fileprivate func number(at offset: Int, width: Int) -> UInt64 {
    withUnsafeBytes { bytes in
      switch width {
      case 0: 0
      case 1: UInt64(bytes[offset])
      case 2: UInt64(UInt16(littleEndian: bytes.word(at: offset)))
      case 4: UInt64(UInt32(littleEndian: bytes.word(at: offset)))
      default: UInt64(littleEndian: bytes.word(at: offset))
      }
    }
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func word<Word: FixedWidthInteger>(at offset: Int) -> Word {
    precondition(offset + MemoryLayout<Word>.size <= count, "the column was found in these bytes")
    return loadUnaligned(fromByteOffset: offset, as: Word.self)
  }
}
