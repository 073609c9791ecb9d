/// Eight bytes of text looked at in one step.
///
/// The tests may answer no for a run that is plain (a borrow runs into the next byte), never yes
/// for one that is not; after a no, the caller looks at the bytes one at a time.
struct EightBytes {
  private let word: UInt64

  /// The bytes from `offset`; eight must be there.
  init(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) {
    word = UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }

  private static var ones: UInt64 { 0x0101_0101_0101_0101 }
  private static var highBits: UInt64 { 0x8080_8080_8080_8080 }

  var areASCII: Bool { word & Self.highBits == 0 }

  /// No byte is a C0 control.
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
