internal import COpenSSL

extension SecretBytes {
  /// The bytes contain PEM (RFC 7468), with or without line breaks.
  var holdsPEM: Bool { withBytes { $0.offset(of: PEMText.begin) != nil } }

  /// The bytes are all white space.
  package var isBlank: Bool { withBytes { $0.allSatisfy(isBlankOrMark) } }

  /// The bytes have no control characters except white space. Every form of DER has some.
  package var isText: Bool {
    withBytes { $0.allSatisfy { $0 >= 0x20 && $0 != 0x7F || 0x09...0x0D ~= $0 } }
  }

  /// The decoded bytes if this is base64 (RFC 4648 section 4), with or without white space; nil if
  /// it contains anything else.
  package var base64Decoded: SecretBytes? {
    guard let digits = base64Digits else { return nil }
    return digits.withBytes { digits in
      var padding = 0
      while padding < min(2, digits.count), digits[digits.count - 1 - padding] == equals {
        padding += 1
      }
      let decoded = SecretBytes(capacity: digits.count) { buffer in
        let count = EVP_DecodeBlock(
          buffer.bindMemory(to: UInt8.self).baseAddress,
          digits.bindMemory(to: UInt8.self).baseAddress, Int32(clamping: digits.count))
        return max(0, Int(count) - padding)
      }
      return decoded.count > 0 ? decoded : nil
    }
  }

  /// The text without white space, padded to groups of four.
  private var base64Digits: SecretBytes? {
    withBytes { text in
      let digits = SecretBytes(capacity: text.count + 3) { buffer in
        var count = 0
        for byte in text where !isBlankOrMark(byte) {
          guard isBase64(byte) else { return 0 }
          buffer[count] = byte
          count += 1
        }
        while !count.isMultiple(of: 4) {
          buffer[count] = equals
          count += 1
        }
        return count
      }
      return digits.count > 0 ? digits : nil
    }
  }
}

extension UnsafeRawBufferPointer {
  /// The first offset of these bytes, searching from `start`.
  func offset(of pattern: StaticString, from start: Int = 0) -> Int? {
    let pattern = UnsafeBufferPointer(start: pattern.utf8Start, count: pattern.utf8CodeUnitCount)
    guard start >= 0, count - start >= pattern.count else { return nil }
    return (start...(count - pattern.count)).first { offset in
      self[offset...].starts(with: pattern)
    }
  }

  /// The bytes without surrounding white space and without a byte order mark.
  package var trimmed: UnsafeRawBufferPointer {
    let start = firstIndex { !isBlankOrMark($0) } ?? endIndex
    let end = lastIndex { !isBlankOrMark($0) }.map { $0 + 1 } ?? start
    return UnsafeRawBufferPointer(rebasing: self[start..<end])
  }
}

private let equals = UInt8(ascii: "=")

/// White space, or a byte of the byte order mark U+FEFF in UTF-8.
func isBlankOrMark(_ byte: UInt8) -> Bool {
  switch byte {
  case 0x20, 0x09...0x0D, 0xEF, 0xBB, 0xBF: true
  default: false
  }
}

private func isBase64(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), equals:
    true
  default: false
  }
}
