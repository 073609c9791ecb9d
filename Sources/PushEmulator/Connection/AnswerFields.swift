internal import HTTP2

/// The `date` header of answers (RFC 9110 section 6.6.1), regenerated once a second.
struct DateField {
  /// The range an HTTP date can express with four-digit years, starting in 1970.
  private static let seconds = 0.0...253_402_300_799

  private var second: Int64 = -1
  private(set) var field = Field("date", "")

  /// Sets the time, in seconds since 1970.
  mutating func update(to time: Double) {
    let second = Int64(min(max(time, Self.seconds.lowerBound), Self.seconds.upperBound))
    guard second != self.second else { return }
    self.second = second
    field.value = HTTPDate.text(seconds: second)
  }
}

/// Generates UUIDs like those of APNs: random, version 4, uppercase. They only have to be unique,
/// so a fast generator (SplitMix64) with a seed from the system is enough.
struct UUIDGenerator {
  private static let digits = Array("0123456789ABCDEF".utf8)
  private var state = UInt64.random(in: .min ... .max)

  /// The next identifier: 8-4-4-4-12 digits.
  mutating func next() -> String {
    let high = bits() & ~0xF000 | 0x4000
    let low = bits() & ~(0b11 << 62) | 0b10 << 62
    return String(unsafeUninitializedCapacity: 36) { text in
      var place = 0
      for index in 0..<32 {
        if [8, 12, 16, 20].contains(index) {
          text[place] = UInt8(ascii: "-")
          place += 1
        }
        let half = index < 16 ? high : low
        text[place] = Self.digits[Int(half >> (60 - 4 * UInt64(index % 16)) & 0xF)]
        place += 1
      }
      return place
    }
  }

  private mutating func bits() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
