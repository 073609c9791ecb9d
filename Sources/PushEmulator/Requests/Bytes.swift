internal import POSIX

extension [UInt8] {
  /// Whether these are the same bytes. `==` compares them one at a time.
  func isSame(as other: [UInt8]) -> Bool {
    other.withUnsafeBufferPointer { isSame(as: $0) }
  }

  /// Whether these are the same bytes as those of a buffer.
  func isSame(as other: UnsafeBufferPointer<UInt8>) -> Bool {
    withUnsafeBufferPointer { mine in
      guard mine.count == other.count, let start = mine.baseAddress, let end = other.baseAddress
      else { return mine.isEmpty && other.isEmpty }
      return memcmp(start, end, mine.count) == 0
    }
  }
}
