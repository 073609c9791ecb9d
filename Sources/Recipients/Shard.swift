/// One of the parts into which all device tokens are split, the same on every machine.
public struct Shard: Sendable, Hashable {
  /// The number of the shard, from 1.
  public let number: Int

  /// The number of shards.
  public let count: Int

  /// Creates a shard; nil unless the number is between 1 and the count.
  public init?(_ number: Int, of count: Int) {
    guard number >= 1, number <= count else { return nil }
    self.number = number
    self.count = count
  }

  /// Checks that a device token is in the shard: the first eight bytes of the SHA-256 of its bytes,
  /// as a big-endian number, leave the remainder `number - 1` when divided by `count`.
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
  /// The value of a lowercase hexadecimal digit.
  fileprivate var hexValue: UInt8 { self < 0x40 ? self &- 0x30 : self &- 0x57 }
}
