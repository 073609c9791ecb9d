extension UnsafeBufferPointer<UInt8> {
  /// The offset of the first ill-formed UTF-8 sequence; nil if the text is well-formed.
  package var firstInvalidUTF8: Int? {
    var offset = 0
    while offset < count {
      if let eight = eightBytes(at: offset, before: count), eight.areASCII {
        offset += 8
      } else if let length = scalarLength(at: offset) {
        offset += length
      } else {
        return offset
      }
    }
    return nil
  }

  /// The length in bytes of the scalar at an offset; nil if it is ill-formed (Unicode, table 3-7:
  /// no overlong form, no surrogate, nothing past U+10FFFF).
  func scalarLength(at offset: Int) -> Int? {
    let lead = self[offset]
    if lead.isASCII { return 1 }
    guard let length = Self.lengthPromised(by: lead), count - offset >= length,
      Self.secondBytes(after: lead).contains(self[offset + 1]),
      self[(offset + 2)..<(offset + length)].allSatisfy({ $0 & 0xC0 == 0x80 })
    else { return nil }
    return length
  }

  /// The scalar at an offset in a text known to be UTF-8.
  func scalar(at offset: Int) -> Unicode.Scalar {
    let end = offset + (scalarLength(at: offset) ?? 1)
    return text(offset..<end).unicodeScalars.first ?? "\u{FFFD}"
  }

  /// A part of a text known to be UTF-8.
  func text(_ range: Range<Int>) -> String {
    String(decoding: UnsafeBufferPointer(rebasing: self[range]), as: UTF8.self)
  }

  private static func lengthPromised(by lead: UInt8) -> Int? {
    switch lead {
    case 0xC2...0xDF: 2
    case 0xE0...0xEF: 3
    case 0xF0...0xF4: 4
    default: nil
    }
  }

  private static func secondBytes(after lead: UInt8) -> ClosedRange<UInt8> {
    switch lead {
    case 0xE0: 0xA0...0xBF
    case 0xED: 0x80...0x9F
    case 0xF0: 0x90...0xBF
    case 0xF4: 0x80...0x8F
    default: 0x80...0xBF
    }
  }
}
