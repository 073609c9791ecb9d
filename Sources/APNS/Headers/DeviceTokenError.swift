/// Why a text is not a device token.
public enum DeviceTokenError: Error, Sendable, Hashable {
  /// There is nothing.
  case empty
  /// The number of digits, which must be even: two make a byte.
  case oddLength(Int)
  /// The number of digits, which is over ``DeviceToken/maximumDigits``.
  case tooLong(Int)
  /// A character that is not a hex digit, and how many bytes precede it.
  case notHex(character: Character, offset: Int)
  /// Five groups of hex with dashes: most often the identifier of a simulator, not of an app on it.
  case looksLikeUUID
  /// Base64, as some logging code prints the token's bytes.
  case looksLikeBase64
}

extension DeviceTokenError {
  /// The best explanation for text that is known to hold something else than hex digits.
  init(notHex bytes: UnsafeBufferPointer<UInt8>) {
    self = Self(notHexIn: bytes) ?? .empty
  }

  /// The best explanation for text that may hold something else than hex digits.
  init?(notHexIn bytes: UnsafeBufferPointer<UInt8>) {
    guard let offset = bytes.firstIndex(where: { !$0.isHexDigit }) else { return nil }
    if Self.isUUID(bytes) {
      self = .looksLikeUUID
    } else if Self.isBase64(bytes) {
      self = .looksLikeBase64
    } else {
      let rest = String(decoding: bytes[offset...].prefix(16), as: UTF8.self)
      self = .notHex(character: rest.first ?? "?", offset: offset)
    }
  }

  private static func isUUID(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard bytes.count == 36 else { return false }
    let dashes = [8, 13, 18, 23]
    return bytes.indices.allSatisfy {
      dashes.contains($0) ? bytes[$0] == UInt8(ascii: "-") : bytes[$0].isHexDigit
    }
  }

  // A token with a slip of the pen also uses only Base64's alphabet: ask for many other letters.
  private static func isBase64(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard bytes.count >= 24, bytes.count.isMultiple(of: 4) else { return false }
    let text = bytes.dropLast(bytes.reversed().prefix(2).count { $0 == UInt8(ascii: "=") })
    let others = text.count { !$0.isHexDigit }
    return text.allSatisfy(\.isBase64Digit) && others * 4 >= bytes.count
  }
}

extension UInt8 {
  /// Whether this is the ASCII code of a hex digit of either case.
  var isHexDigit: Bool { self &- 0x30 < 10 || (self | 0x20) &- 0x61 < 6 }

  /// Whether this is the ASCII code of a digit of base64, `=` aside.
  var isBase64Digit: Bool {
    let isLetter = (self | 0x20) &- 0x61 < 26
    return isLetter || self &- 0x30 < 10 || self == UInt8(ascii: "+") || self == UInt8(ascii: "/")
  }
}
