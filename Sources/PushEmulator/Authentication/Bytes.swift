internal import POSIX

extension [UInt8] {
  /// Compares with `memcmp`. `==` compares one byte at a time.
  func isSame(as other: [UInt8]) -> Bool {
    other.withUnsafeBufferPointer { isSame(as: $0) }
  }

  /// Compares with the bytes of a buffer.
  func isSame(as other: UnsafeBufferPointer<UInt8>) -> Bool {
    withUnsafeBufferPointer { $0.isSame(as: other) }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Compares with the bytes of another buffer.
  func isSame(as other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard count == other.count, let start = baseAddress, let otherStart = other.baseAddress else {
      return isEmpty && other.isEmpty
    }
    return memcmp(start, otherStart, count) == 0
  }
}
