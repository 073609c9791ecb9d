/// Turns UTF-16 into UTF-8, piece by piece. What is no well-formed UTF-16 becomes bytes that are no
/// well-formed UTF-8, so that whoever reads them finds the fault where it is.
struct UTF16Decoder {
  private let isBigEndian: Bool
  private var firstByte: UInt8?
  private var highSurrogate: UInt16?

  init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

  /// Appends the text of the next bytes; what is incomplete at their end waits for the next ones.
  mutating func decode(_ bytes: UnsafeBufferPointer<UInt8>, into text: inout UTF8Target) {
    for byte in bytes {
      if let first = firstByte {
        firstByte = nil
        let (high, low) = isBigEndian ? (first, byte) : (byte, first)
        append(UInt16(high) << 8 | UInt16(low), to: &text)
      } else {
        firstByte = byte
      }
    }
  }

  /// Appends what was still incomplete at the end of the text.
  mutating func finish(into text: inout UTF8Target) {
    if let high = highSurrogate { text.append(UInt32(high)) }
    if firstByte != nil { text.append(byte: 0xFF) }
    (highSurrogate, firstByte) = (nil, nil)
  }

  private mutating func append(_ unit: UInt16, to text: inout UTF8Target) {
    if let high = highSurrogate {
      highSurrogate = nil
      if UTF16.isTrailSurrogate(unit) {
        text.append(0x10000 + (UInt32(high) & 0x3FF) << 10 + UInt32(unit) & 0x3FF)
        return
      }
      text.append(UInt32(high))
    }
    if UTF16.isLeadSurrogate(unit) { highSurrogate = unit } else { text.append(UInt32(unit)) }
  }
}

/// Memory that UTF-8 is written to.
struct UTF8Target {
  private let bytes: UnsafeMutableBufferPointer<UInt8>

  /// How many bytes were written.
  private(set) var count = 0

  init(_ bytes: UnsafeMutableBufferPointer<UInt8>) { self.bytes = bytes }

  mutating func append(byte: UInt8) {
    bytes[count] = byte
    count += 1
  }

  /// Appends a code point. A half of a surrogate pair is written as if it were a character, which
  /// no reader of UTF-8 takes.
  mutating func append(_ code: UInt32) {
    switch code {
    case ..<0x80: append(byte: UInt8(code))
    case ..<0x800:
      append(byte: 0xC0 | UInt8(code >> 6))
      appendRest(code)
    case ..<0x10000:
      append(byte: 0xE0 | UInt8(code >> 12))
      appendRest(code >> 6)
      appendRest(code)
    default:
      append(byte: 0xF0 | UInt8(code >> 18))
      appendRest(code >> 12)
      appendRest(code >> 6)
      appendRest(code)
    }
  }

  private mutating func appendRest(_ code: UInt32) { append(byte: 0x80 | UInt8(code & 0x3F)) }
}
