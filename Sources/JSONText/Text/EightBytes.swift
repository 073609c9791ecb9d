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
