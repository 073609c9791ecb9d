extension TemplateValues {
  /// Encodes the first values for ``decode(_:)``: before each value, its length and kind in one
  /// number, in groups of seven bits, lowest first.
  package func encode(first number: Int, into encoded: inout [UInt8]) {
    for index in 0..<min(number, count) {
      withValue(at: index) { kind, value in
        encoded.append(varint: UInt64(value.count) << 2 | UInt64(kind.rawValue))
        encoded.append(contentsOf: value)
      }
    }
  }

  /// Replaces all values with decoded ones.
  ///
  /// - Returns: false for bytes that ``encode(first:into:)`` never writes.
  package mutating func decode(_ encoded: UnsafeBufferPointer<UInt8>) -> Bool {
    removeAll()
    var rest = encoded[...]
    while !rest.isEmpty {
      guard let head = rest.popVarint(), let kind = Kind(rawValue: UInt8(head & 3)),
        let length = Int(exactly: head >> 2), length <= rest.count,
        kind != .missing || length == 0
      else { return false }
      append(kind, UnsafeBufferPointer(rebasing: rest.prefix(length)))
      rest = rest.dropFirst(length)
    }
    return true
  }
}

extension [UInt8] {
  /// Appends a number in groups of seven bits, lowest first; all bytes but the last have their
  /// highest bit set.
  package mutating func append(varint number: UInt64) {
    var rest = number
    while rest > 0x7F {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }
}

extension Slice<UnsafeBufferPointer<UInt8>> {
  /// Removes and returns a number of up to 63 bits; nil if it is invalid.
  fileprivate mutating func popVarint() -> UInt64? {
    var number: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 63, by: 7) {
      guard let byte = popFirst() else { return nil }
      number |= UInt64(byte & 0x7F) << shift
      // A final zero byte is redundant, and never encoded.
      if byte < 0x80 { return byte == 0 && shift > 0 ? nil : number }
    }
    return nil
  }
}
