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

  /// The text in UTF-8 if this is UTF-16, as PowerShell writes it, with a byte order mark or at
  /// least beginning with ASCII; otherwise the bytes as they are.
  package var inUTF8: SecretBytes {
    withBytes { bytes in
      guard let isBigEndian = isBigEndianUTF16(bytes) else { return self }
      let units = stride(from: 0, to: bytes.count - 1, by: 2).lazy.map { index in
        let (high, low) = (
          bytes[index + (isBigEndian ? 0 : 1)], bytes[index + (isBigEndian ? 1 : 0)]
        )
        return UInt16(high) << 8 | UInt16(low)
      }
      return SecretBytes(capacity: bytes.count / 2 * 3) { buffer in
        var count = 0
        _ = transcode(
          units.makeIterator(), from: UTF16.self, to: UTF8.self, stoppingOnError: false
        ) { byte in
          buffer[count] = byte
          count += 1
        }
        return count
      }
    }
  }

  /// The decoded bytes if this is base64 (RFC 4648 section 4), with or without white space; nil if
  /// it contains anything else. A key or a certificate that was encoded twice is decoded twice.
  package var base64Decoded: SecretBytes? {
    guard let decoded = decodedOnce, decoded.isText, !decoded.holdsPEM else { return decodedOnce }
    let inner = decoded.decodedOnce
    return inner.flatMap { $0.holdsPEM || $0.withBytes(isWholeSequence) ? $0 : nil } ?? decoded
  }

  private var decodedOnce: SecretBytes? {
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

/// The byte order of UTF-16, by its mark or by two characters of ASCII at the start; nil for other
/// bytes.
private func isBigEndianUTF16(_ bytes: UnsafeRawBufferPointer) -> Bool? {
  guard bytes.count >= 4, bytes.count.isMultiple(of: 2) else { return nil }
  if bytes.starts(with: [0xFE, 0xFF]) { return true }
  if bytes.starts(with: [0xFF, 0xFE]) { return false }
  switch bytes.prefix(4).map({ $0 == 0 }) {
  case [true, false, true, false]: return true
  case [false, true, false, true]: return false
  default: return nil
  }
}

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

/// The value of a key or certificate variable: a path, or the contents themselves.
public enum KeyText: Sendable {
  /// A path to a file.
  case path(String)
  /// The contents of such a file, ready for ``SigningKey`` or ``ClientCertificate``.
  case contents(SecretBytes)

  /// Distinguishes a path from contents: PEM text (also on one line with `\n` or blanks), base64 of
  /// PEM or DER, a provider token set by mistake, or anything else that is plainly no path, so that
  /// no part of a key is taken for a file's name.
  public init(_ value: String) {
    let secret = SecretBytes(value)
    let isPlain =
      Self.starts.contains(where: value.hasPrefix) || Self.marks.contains(where: value.contains)
    self = secret.holdsPEM || secret.isBase64OfKey || isPlain ? .contents(secret) : .path(value)
  }

  /// A provider token; base64 of a PEM block, once and twice; base64 of PKCS#8 with a key on P-256.
  private static let starts = [
    "eyJ", "LS0tLS1CRUdJTi", "TFMwdExTMUNSVWRKVG", "MIGTAgEA", "MIGHAgEA",
  ]
  /// Parts of PEM, even if its dashes are wrong, and a line break.
  private static let marks = ["PRIVATE KEY", "BEGIN CERTIFICATE", "\n"]
}

extension SecretBytes {
  /// A path may look like base64 too, but not like base64 of PEM or of a complete DER sequence.
  fileprivate var isBase64OfKey: Bool {
    guard let decoded = base64Decoded else { return false }
    return decoded.holdsPEM || decoded.withBytes(isWholeSequence)
  }
}

/// Returns true if the header's length matches the bytes that follow (X.690 section 8.1.3).
private func isWholeSequence(_ der: UnsafeRawBufferPointer) -> Bool {
  guard der.count > 4, der[0] == 0x30 else { return false }
  switch der[1] {
  case 0..<0x80: return der.count == 2 + Int(der[1])
  case 0x81: return der.count == 3 + Int(der[2])
  case 0x82: return der.count == 4 + (Int(der[2]) << 8) + Int(der[3])
  // In BER, two zero bytes at the end may replace the length, as in .p12 files.
  case 0x80: return der[der.count - 1] == 0 && der[der.count - 2] == 0
  default: return false
  }
}
