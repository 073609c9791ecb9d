/// One of the parts that the device tokens of all lists are split into, the same on every machine.
public struct Shard: Sendable, Hashable {
  /// Which one, from 1.
  public let number: Int

  /// How many there are.
  public let count: Int

  /// A shard; nil unless the number is at least 1 and at most the count.
  public init?(_ number: Int, of count: Int) {
    guard number >= 1, number <= count else { return nil }
    self.number = number
    self.count = count
  }

  /// Whether a device token is in it: the first eight bytes of the SHA-256 of the token's bytes,
  /// the first being the highest, leave `number - 1` when divided by `count`.
  func contains(_ digits: UnsafeBufferPointer<UInt8>, _ hash: SHA256Hash) -> Bool {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: digits.count / 2) { bytes in
      for index in bytes.indices {
        bytes[index] = digits[2 * index].hexValue << 4 | digits[2 * index + 1].hexValue
      }
      let start = hash.digest(of: UnsafeBufferPointer(bytes)).prefix(8)
      return start.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % UInt64(count) == UInt64(number - 1)
    }
  }
}

extension UInt8 {
  /// The value of a hexadecimal digit in lower case.
  fileprivate var hexValue: UInt8 { self < 0x40 ? self &- 0x30 : self &- 0x57 }
}
