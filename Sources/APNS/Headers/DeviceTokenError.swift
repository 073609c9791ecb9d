internal import PlainText

/// The reason a text is not a device token.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum DeviceTokenError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The text is empty.
  case empty
  /// The number of digits, which must be even: two per byte.
  case oddLength(Int)
  /// The number of digits, which is over the limit.
  case tooLong(Int)
  /// A character that is not a hex digit, with the number of bytes before it.
  case notHex(character: Character, offset: Int)
  /// Five groups of hex with dashes: usually the ID of a simulator, not of an app on it.
  case looksLikeUUID
  /// Base64, as some logging code prints a token's bytes.
  case looksLikeBase64
  /// Truncated when it was printed, as an ellipsis shows.
  case elided
  /// A token of Expo's push service.
  case looksLikeExpo
  /// A registration token of Firebase Cloud Messaging.
  case looksLikeFCM
  /// What Swift prints of the token's bytes: their number.
  case looksLikeCount
  /// The token's bytes in decimal.
  case looksLikeByteList
  /// A JSON object that may have the token in it.
  case looksLikeObject
  /// The address of a web push subscription.
  case looksLikeURL
  /// The Amazon resource name of an endpoint, as in SNS.
  case looksLikeARN
  /// A word for no value.
  case looksLikeNull
  /// The ASCII codes of a token's digits, in hexadecimal.
  case encodedTwice
  /// Parts with blanks between them that are several device tokens, or may be, and the number of
  /// digits in all of them.
  case several(digits: Int)
}

extension DeviceTokenError {
  /// The best explanation for text known to contain something other than hex digits.
  init(notHex bytes: UnsafeBufferPointer<UInt8>) {
    self = Self(notHexIn: bytes) ?? .empty
  }

  /// The best explanation for text that may not be hex digits; nil if it is.
  init?(notHexIn bytes: UnsafeBufferPointer<UInt8>) {
    guard let offset = bytes.firstIndex(where: { !$0.isHexDigit }) else { return nil }
    if Self.isUUID(bytes) {
      self = .looksLikeUUID
    } else if let foreign = Self(foreign: bytes) {
      self = foreign
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

  /// Recognizes the tokens of other services, and truncated tokens.
  private init?(foreign bytes: UnsafeBufferPointer<UInt8>) {
    let text = String(decoding: bytes, as: UTF8.self)
    if text.hasSuffix("]"),
      ["ExponentPushToken[", "ExpoPushToken["].contains(where: text.hasPrefix)
    {
      self = .looksLikeExpo
    } else if text.contains(":APA91") {
      self = .looksLikeFCM
    } else if Self.isElided(bytes) {
      self = .elided
    } else if let known = Self.forms.first(where: { $0.isMet(text) }) {
      self = known.error
    } else {
      return nil
    }
  }

  /// Other texts that take the place of a token; blanks may have been removed from them.
  private static let forms: [(error: DeviceTokenError, isMet: @Sendable (String) -> Bool)] = [
    (.looksLikeCount, { $0.count < 32 && ($0.hasSuffix("bytes") || $0.hasSuffix("bytes)")) }),
    (.looksLikeObject, { $0.hasPrefix("{") && $0.contains("\":") }),
    (.looksLikeURL, { $0.hasPrefix("https://") }),
    (.looksLikeARN, { $0.hasPrefix("arn:aws") }),
    (.looksLikeNull, { nulls.contains($0.lowercased()) }),
    (
      .looksLikeByteList,
      { text in
        text.count { $0 == "," } >= 8 && text.allSatisfy { "[],".contains($0) || $0.isNumber }
      }
    ),
  ]

  private static let nulls = ["null", "(null)", "nil", "none", "undefined", "[objectobject]"]

  /// True for hex digits with an ellipsis: `..` alone may be part of a path.
  private static func isElided(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let digits = bytes.count(where: \.isHexDigit)
    let dots = bytes.count { $0 == UInt8(ascii: ".") }
    let isOnlyThose = digits + dots == bytes.count && dots >= 2
    return digits > 0 && (isOnlyThose || digits + 3 == bytes.count && PastedToken.isElided(bytes))
  }

  // A mistyped token also fits Base64's alphabet, so many other letters are required.
  private static func isBase64(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    // 32 bytes are 43 digits without padding.
    guard bytes.count >= 24, bytes.count.isMultiple(of: 4) || bytes.count == 43 else {
      return false
    }
    let text = bytes.dropLast(bytes.reversed().prefix(2).count { $0 == UInt8(ascii: "=") })
    let others = text.count { !$0.isHexDigit }
    let isWhole = 43...44 ~= bytes.count
    return others * 4 >= bytes.count
      && text.allSatisfy { $0.isBase64Digit || isWhole && $0.isBase64URLSign }
  }
}

extension DeviceTokenError {
  /// The problem in one sentence.
  public var description: String { "This is not a device token: \(clause)." }

  /// The problem, without a full stop.
  package var clause: String {
    switch self {
    case .empty: "it is empty"
    case .oddLength(let count):
      "it has an odd number of digits (\(count)), so part of it is missing"
    case .tooLong(let count): "it has \(count) characters, too many for a device token"
    case .notHex(let character, let offset):
      "'\(String(character).printable)' at position \(offset + 1) is not a hexadecimal digit"
    case .looksLikeUUID:
      "it looks like the ID of a simulator or device, not the app's device token"
    case .looksLikeBase64: "it looks like base64; write the token's bytes in hexadecimal"
    case .elided: "it is not whole: digits were left out where it was printed"
    case .looksLikeExpo:
      "it is a token of Expo's push service, not of APNs; getDevicePushTokenAsync() returns the "
        + "device token"
    case .looksLikeFCM:
      "it is a registration token of Firebase, not of APNs; Messaging.messaging().apnsToken is the "
        + "device token"
    case .looksLikeCount:
      "it is what Swift prints of Data, the number of its bytes; print each byte as %02x instead"
    case .looksLikeByteList: "it is a list of bytes in decimal; write them in hexadecimal"
    case .looksLikeObject: "it is a JSON object; give only the text of the device token in it"
    case .looksLikeURL:
      "it is a URL, as browsers get for web push, which is sent to that URL and not through APNs"
    case .looksLikeARN:
      "it is the ARN of an endpoint of Amazon SNS, whose attribute Token is the device token"
    case .looksLikeNull: "it is a word for no value: the app had no device token"
    case .encodedTwice:
      "its digits are hexadecimal once more, of a device token; 'xxd -r -p' gives that back"
    case .several(let digits):
      "it has \(digits) digits with blanks between, which is more than one device token"
    }
  }
}

extension UInt8 {
  /// True for the ASCII code of a hex digit of either case.
  var isHexDigit: Bool { self &- 0x30 < 10 || (self | 0x20) &- 0x61 < 6 }

  /// True for the ASCII code of a base64 digit, not including `=`.
  var isBase64Digit: Bool {
    let isLetter = (self | 0x20) &- 0x61 < 26
    return isLetter || self &- 0x30 < 10 || self == UInt8(ascii: "+") || self == UInt8(ascii: "/")
  }

  /// True for `-` or `_`, which replace `+` and `/` in URLs (RFC 4648, 5).
  fileprivate var isBase64URLSign: Bool { self == UInt8(ascii: "-") || self == UInt8(ascii: "_") }
}

/// A device token as printed by a log, a debugger or a source file.
struct PastedToken {
  private let text: [UInt8]

  init(_ bytes: some Collection<UInt8>) { text = Self.bare(bytes) }

  /// The token without its decoration.
  var token: DeviceToken {
    get throws(DeviceTokenError) {
      if text.first == UInt8(ascii: "{") { return try described() }
      return try Self.token(text)
    }
  }

  /// Parses `{length = 32, bytes = 0x0a1b… }`; a long token has an ellipsis in the middle.
  private func described() throws(DeviceTokenError) -> DeviceToken {
    let parts = text.split(separator: UInt8(ascii: "="))
    guard parts.count == 3, parts[2].last == UInt8(ascii: "}"),
      parts[1].split(separator: UInt8(ascii: " ")).last == Self.word("bytes")
    else { return try Self.token(text) }
    let length = String(decoding: parts[1].filter { $0 &- 0x30 < 10 }, as: UTF8.self)
    if Self.isElided(parts[2]) { throw .elided }
    let token = try Self.token(Array(parts[2].dropLast()))
    if Int(length) != token.hex.utf8.count / 2 { throw .elided }
    return token
  }

  private static func token(_ text: [UInt8]) throws(DeviceTokenError) -> DeviceToken {
    let parts = text.split(whereSeparator: \.isDecoration).map { part in
      part.starts(with: "0x".utf8) || part.starts(with: "0X".utf8) ? part.dropFirst(2) : part
    }
    let digits = parts.flatMap(\.self)
    if parts.count > 1, digits.allSatisfy(\.isHexDigit), !arePieces(parts.map(\.count)) {
      throw .several(digits: digits.count)
    }
    return try digits.withUnsafeBufferPointer { bytes in
      Result { () throws(DeviceTokenError) in try DeviceToken(ascii: bytes) }
    }.get()
  }

  /// True if parts of these lengths are one token that has blanks in it. A part as long as a whole
  /// token is one of its own, unless the rest makes it a long one; what could be two is not one.
  private static func arePieces(_ lengths: [Int]) -> Bool {
    let (total, whole) = (lengths.reduce(0, +), DeviceToken.usualDigits)
    if total == DeviceToken.longDigits { return lengths.count(where: { $0 == whole }) < 2 }
    let others = lengths.filter { $0 > 0 }
    return others.count < 2 || total < 2 * whole && others.allSatisfy { $0 < whole }
  }

  /// One token, or several whole ones with blanks between them.
  var tokens: [DeviceToken] {
    get throws(DeviceTokenError) {
      do throws(DeviceTokenError) { return [try token] } catch {
        guard case .several = error else { throw error }
        let parts = try text.split(whereSeparator: \.isDecoration).map {
          (part) throws(DeviceTokenError) in try Self.token(Array(part))
        }
        if parts.allSatisfy(\.hasUsualLength) { return parts }
        throw error
      }
    }
  }

  /// True if part of the token was left out, as `...` or `…` shows.
  static func isElided(_ bytes: some Collection<UInt8>) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    return text.contains("…") || text.contains("..")
  }

  private static func word(_ text: String) -> ArraySlice<UInt8> { Array(text.utf8)[...] }
}

// Characters that people paste around a token.
extension PastedToken {
  private static let around = [
    " ", "\t", "\r", "\n", "\"", "'", "`", ",", ";", "“", "”", "„", "‘", "’", "«", "»", "\u{A0}",
    "\u{200B}", "\u{FEFF}", "\\n", "\\r",
  ].map { Array($0.utf8) }

  /// What Swift prints around an optional value.
  private static let optional = (start: Array("Optional(".utf8), end: UInt8(ascii: ")"))

  /// The text without quotes, separators and spaces at both ends.
  private static func bare(_ bytes: some Collection<UInt8>) -> [UInt8] {
    let text = withoutMarks(bytes)
    guard text.starts(with: optional.start), text.last == optional.end else { return text }
    return bare(text.dropFirst(optional.start.count).dropLast())
  }

  private static func withoutMarks(_ bytes: some Collection<UInt8>) -> [UInt8] {
    var text = Array(bytes)[...]
    while let mark = around.first(where: { text.starts(with: $0) }) { text.removeFirst(mark.count) }
    while let mark = around.first(where: { text.reversed().starts(with: $0.reversed()) }) {
      text.removeLast(mark.count)
    }
    return Array(text)
  }
}

extension UInt8 {
  fileprivate var isDecoration: Bool {
    switch self {
    case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: " "): true
    case UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): true
    default: false
    }
  }
}
