/// The ASCII characters of the grammar.
extension UInt8 {
  static var tab: UInt8 { 0x09 }
  static var lineFeed: UInt8 { 0x0A }
  static var verticalTab: UInt8 { 0x0B }
  static var formFeed: UInt8 { 0x0C }
  static var carriageReturn: UInt8 { 0x0D }
  static var space: UInt8 { 0x20 }
  static var quote: UInt8 { 0x22 }
  static var dollar: UInt8 { 0x24 }
  static var apostrophe: UInt8 { 0x27 }
  static var asterisk: UInt8 { 0x2A }
  static var plus: UInt8 { 0x2B }
  static var comma: UInt8 { 0x2C }
  static var minus: UInt8 { 0x2D }
  static var dot: UInt8 { 0x2E }
  static var slash: UInt8 { 0x2F }
  static var zero: UInt8 { 0x30 }
  static var nine: UInt8 { 0x39 }
  static var colon: UInt8 { 0x3A }
  static var leftBracket: UInt8 { 0x5B }
  static var backslash: UInt8 { 0x5C }
  static var rightBracket: UInt8 { 0x5D }
  static var underscore: UInt8 { 0x5F }
  static var leftBrace: UInt8 { 0x7B }
  static var rightBrace: UInt8 { 0x7D }
  static var delete: UInt8 { 0x7F }
}

extension UInt8 {
  var isASCII: Bool { self < 0x80 }
  var isDigit: Bool { self &- .zero < 10 }
  var isLetter: Bool { lowercased &- UInt8(ascii: "a") < 26 }

  /// The lowercase form of a letter; the result is meaningless for other characters.
  var lowercased: UInt8 { self | 0x20 }

  /// The value of a hexadecimal digit in either case.
  var hexValue: UInt8? {
    if isDigit { return self &- .zero }
    let place = lowercased &- UInt8(ascii: "a")
    return place < 6 ? place + 10 : nil
  }

  /// True for a byte of a number, or one that must not follow a number directly.
  var belongsToNumber: Bool {
    isDigit || isLetter || self == .dot || self == .minus || self == .plus || self == .underscore
  }
}

/// Eight bytes of text, tested in one step.
///
/// A test may return false although every byte passes (a borrow carries into the next byte), but
/// never true if one fails. After false, the caller tests the bytes one at a time.
struct EightBytes {
  private let word: UInt64

  /// Loads the eight bytes from `offset`, which must be in bounds.
  init(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) {
    word = UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }

  private static var ones: UInt64 { 0x0101_0101_0101_0101 }
  private static var highBits: UInt64 { 0x8080_8080_8080_8080 }

  var areASCII: Bool { word & Self.highBits == 0 }

  /// True if no byte is a C0 control.
  var haveNoControl: Bool { (word &- Self.ones &* 0x20) & ~word & Self.highBits == 0 }

  func lack(_ byte: UInt8) -> Bool {
    let difference = word ^ (Self.ones &* UInt64(byte))
    return (difference &- Self.ones) & ~difference & Self.highBits == 0
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The eight bytes from an offset; nil when fewer are left before `end`.
  @inline(__always)
  func eightBytes(at offset: Int, before end: Int) -> EightBytes? {
    end - offset >= 8 ? EightBytes(self, at: offset) : nil
  }
}

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
