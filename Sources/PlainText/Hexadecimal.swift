/// The bytes in hexadecimal, two lowercase digits each, as in fingerprints.
public func hexadecimal(_ bytes: some Collection<UInt8>) -> String {
  String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
    for (index, byte) in bytes.enumerated() {
      text[2 * index] = digit(byte >> 4)
      text[2 * index + 1] = digit(byte & 15)
    }
    return 2 * bytes.count
  }
}

extension [UInt8] {
  /// Appends bytes in the form of ``hexadecimal(_:)``.
  public mutating func append(hexadecimal bytes: some Collection<UInt8>) {
    for byte in bytes {
      append(digit(byte >> 4))
      append(digit(byte & 15))
    }
  }
}

private func digit(_ value: UInt8) -> UInt8 { value < 10 ? value + 0x30 : value + 0x57 }
