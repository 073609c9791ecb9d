/// The identifier of one push: a UUID in `apns-id`, always in lowercase.
public struct APNSID: Sendable, Hashable {
  /// The length of the text in bytes.
  public static let textLength = 36

  private let high: UInt64
  private let low: UInt64

  /// Parses the canonical form, 8-4-4-4-12 hex digits of either case; nil for anything else.
  public init?(_ text: some StringProtocol) {
    let bytes = Array(text.utf8)
    let dashes = [8, 13, 18, 23]
    guard bytes.count == Self.textLength, dashes.allSatisfy({ bytes[$0] == UInt8(ascii: "-") })
    else { return nil }
    let digits = bytes.indices.filter { !dashes.contains($0) }.map { bytes[$0] }
    guard digits.allSatisfy(\.isHexDigit) else { return nil }
    high = digits[..<16].reduce(0) { $0 << 4 | UInt64($1.hexValue) }
    low = digits[16...].reduce(0) { $0 << 4 | UInt64($1.hexValue) }
  }
}

extension APNSID {
  /// Reads a UUID that is written in another way: without hyphens, in braces or as a URN; nil for
  /// anything else.
  init?(undashed text: String) {
    let digits = Array(
      (text.lowercased().hasPrefix("urn:uuid:") ? text.dropFirst(9) : text[...])
        .filter { !"{}-".contains($0) })
    guard digits.count == 32 else { return nil }
    let ends = [0, 8, 12, 16, 20, 32]
    self.init(zip(ends, ends.dropFirst()).map { String(digits[$0..<$1]) }.joined(separator: "-"))
  }

  /// The 74 random bits shared by all pushes of a run.
  public struct RunBits: Sendable, Hashable {
    /// 60 bits.
    public let high: UInt64
    /// 14 bits.
    public let low: UInt16

    /// Uses the lower 60 bits of one random number and the lower 14 of another.
    public init(_ high: UInt64, _ low: UInt16) {
      self.high = high & (1 << 60 - 1)
      self.low = low & (1 << 14 - 1)
    }
  }

  /// The first sequence number that does not fit.
  public static let sequenceEnd: UInt64 = 1 << 48

  /// Creates the ID of a push of a run: a UUID in version 4 form (RFC 9562 section 5.4) composed of
  /// the run's bits and, in its last twelve digits, a sequence number below 2^48.
  public init(_ run: RunBits, sequence: UInt64) {
    precondition(sequence < Self.sequenceEnd, "a run has fewer than 2^48 pushes")
    high = (run.high >> 12) << 16 | 0x4000 | run.high & 0xFFF
    low = 0b10 << 62 | UInt64(run.low) << 48 | sequence
  }

  /// The run's bits and the sequence number; nil if this cannot be the ID of a push of a run.
  public var parts: (run: RunBits, sequence: UInt64)? {
    let bits = RunBits((high >> 16) << 12 | high & 0xFFF, UInt16(low >> 48 & 0x3FFF))
    let sequence = low & (Self.sequenceEnd - 1)
    return self == APNSID(bits, sequence: sequence) ? (bits, sequence) : nil
  }
}

extension APNSID: CustomStringConvertible {
  /// The canonical text: 36 characters in lowercase.
  public var description: String {
    String(unsafeUninitializedCapacity: Self.textLength) { text in
      write(to: text)
      return Self.textLength
    }
  }

  /// Writes the canonical text as 36 bytes of ASCII at the start of a buffer, without allocating.
  public func write(to text: UnsafeMutableBufferPointer<UInt8>) {
    precondition(text.count >= Self.textLength, "no room for an apns-id")
    let raw = UnsafeMutableRawBufferPointer(text)
    let (second, third) = (hexDigits(of: high & 0xFFFF_FFFF), hexDigits(of: low >> 32))
    raw.store(hexDigits(of: high >> 32), at: 0)
    raw.storeAfterDash(UInt32(second >> 32), at: 9)
    raw.storeAfterDash(UInt32(truncatingIfNeeded: second), at: 14)
    raw.storeAfterDash(UInt32(third >> 32), at: 19)
    raw.storeAfterDash(UInt32(truncatingIfNeeded: third), at: 24)
    raw.store(hexDigits(of: low & 0xFFFF_FFFF), at: 28)
  }
}

extension UnsafeMutableRawBufferPointer {
  fileprivate func store(_ digits: some FixedWidthInteger & BitwiseCopyable, at offset: Int) {
    storeBytes(of: digits.bigEndian, toByteOffset: offset, as: type(of: digits))
  }

  fileprivate func storeAfterDash(_ digits: UInt32, at offset: Int) {
    self[offset - 1] = UInt8(ascii: "-")
    store(digits, at: offset)
  }
}

/// The eight hex digits of a 32-bit number as ASCII, the first digit in the highest byte.
private func hexDigits(of number: UInt64) -> UInt64 {
  var nibbles = (number | number << 16) & 0x0000_FFFF_0000_FFFF
  nibbles = (nibbles | nibbles << 8) & 0x00FF_00FF_00FF_00FF
  nibbles = (nibbles | nibbles << 4) & 0x0F0F_0F0F_0F0F_0F0F
  let letters = (nibbles + 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
  return nibbles + 0x3030_3030_3030_3030 + letters * 0x27
}

extension UInt8 {
  /// The value of an ASCII hex digit.
  fileprivate var hexValue: UInt8 { self < 0x40 ? self - 0x30 : (self | 0x20) - 0x61 + 10 }
}
