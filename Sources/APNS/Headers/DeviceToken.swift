/// The address of one app on one device: hex digits, stored in lowercase.
///
/// The length is even but otherwise open: 64 digits for most devices, 160 for simulators and Live
/// Activities; Apple asks not to assume one ("Sending notification requests to APNs"). Printing a
/// token shows only its last digits; use ``hex`` for the whole token.
public struct DeviceToken: Sendable, Hashable {
  /// The maximum length in digits. Apple once mentioned 100 bytes (200 digits); twice that leaves
  /// room but still prevents a stray file or key from being read as a token.
  package static let maximumDigits = 400

  /// The number of digits of most device tokens; no shorter ones are known from Apple.
  package static let usualDigits = 64

  /// The number of digits of the tokens of simulators and Live Activities.
  package static let longDigits = 160

  /// The numbers of digits that Apple's device tokens have today. Others are sent with a warning.
  package static let usualLengths = [usualDigits, longDigits]

  /// All digits, in lowercase.
  public let hex: String

  /// Parses a token of hex digits, of either case, and nothing else.
  public init(_ text: some StringProtocol) throws(DeviceTokenError) {
    var text = String(text)
    self = try text.withUTF8 { bytes in
      Result { () throws(DeviceTokenError) in try Self(ascii: bytes) }
    }.get()
  }

  /// Parses a token from text in memory, without copying it first.
  package init(ascii bytes: UnsafeBufferPointer<UInt8>) throws(DeviceTokenError) {
    try Self.checkLength(bytes)
    var isHex = true
    hex = String(unsafeUninitializedCapacity: bytes.count) { digits in
      isHex = Self.lowercase(bytes, into: digits)
      return bytes.count
    }
    guard isHex else { throw DeviceTokenError(notHex: bytes) }
  }

  /// Parses a token in the decorations it is often pasted with: `<0a1b 2c3d>`, `0x0a1b`, quotes and
  /// commas around it, or `{length = 32, bytes = 0x0a1b… }` as iOS 13 and later print it.
  package init(tidying text: some StringProtocol) throws(DeviceTokenError) {
    var text = String(text)
    self = try text.withUTF8 { bytes in
      Result { () throws(DeviceTokenError) in try Self(tidying: bytes) }
    }.get()
  }
}

extension DeviceToken {
  /// Parses a decorated token from text in memory.
  package init(tidying bytes: UnsafeBufferPointer<UInt8>) throws(DeviceTokenError) {
    if let token = try? Self(ascii: bytes) {
      self = token
      return
    }
    self = try PastedToken(bytes).token
  }

  /// The device tokens in pasted text: one, with blanks in it or not, or several whole ones with
  /// blanks between them.
  package static func all(in text: some StringProtocol) throws(DeviceTokenError) -> [DeviceToken] {
    try PastedToken(text.utf8).tokens
  }

  /// True for a length that Apple's device tokens have.
  package var hasUsualLength: Bool { Self.usualLengths.contains(hex.utf8.count) }

  /// The last eight digits after an ellipsis, `…3f2a91cc`: the form for screens, logs and errors.
  package var tail: String { hex.utf8.count > 8 ? "…" + hex.suffix(8) : hex }

  /// Writes the digits of a token in lowercase, without creating a value or allocating.
  ///
  /// - Parameters:
  ///   - bytes: The token's text: hex digits only.
  ///   - digits: The destination of the digits; at least as long as `bytes`.
  /// - Throws: The errors of ``init(ascii:)``; the contents of `digits` are then undefined.
  package static func read(
    _ bytes: UnsafeBufferPointer<UInt8>, into digits: UnsafeMutableBufferPointer<UInt8>
  ) throws(DeviceTokenError) {
    try checkLength(bytes)
    precondition(digits.count >= bytes.count, "no room for the digits of a device token")
    guard lowercase(bytes, into: digits) else { throw DeviceTokenError(notHex: bytes) }
  }

  private static func checkLength(
    _ bytes: UnsafeBufferPointer<UInt8>
  ) throws(DeviceTokenError) {
    if bytes.isEmpty { throw .empty }
    if bytes.count > maximumDigits { throw .tooLong(bytes.count) }
    if !bytes.count.isMultiple(of: 2) {
      if let error = DeviceTokenError(notHexIn: bytes) { throw error }
      throw .oddLength(bytes.count)
    }
    if usualLengths.contains(bytes.count / 2), isEncodedTwice(bytes) { throw .encodedTwice }
  }

  /// True for the ASCII codes of hex digits: 3 and 0 to 9, 4 or 6 and 1 to 6.
  private static func isEncodedTwice(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    stride(from: 0, to: bytes.count, by: 2).allSatisfy { index in
      let low = bytes[index + 1]
      return switch bytes[index] {
      case UInt8(ascii: "3"): low &- 0x30 < 10
      case UInt8(ascii: "4"), UInt8(ascii: "6"): low &- 0x31 < 6
      default: false
      }
    }
  }

  // Branch-free in the loop, so that the compiler can vectorize it.
  private static func lowercase(
    _ bytes: UnsafeBufferPointer<UInt8>, into digits: UnsafeMutableBufferPointer<UInt8>
  ) -> Bool {
    var others: UInt8 = 0
    for index in bytes.indices {
      let byte = bytes[index]
      let isDigit = byte &- 0x30 < 10
      let isLetter = (byte | 0x20) &- 0x61 < 6
      others |= isDigit || isLetter ? 0 : 1
      digits[index] = byte | 0x20
    }
    return others == 0
  }
}

extension DeviceToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The ``tail``.
  public var description: String { tail }
  /// The ``tail``.
  public var debugDescription: String { tail }
  /// Only the ``tail``, so that `dump` does not print the token either.
  public var customMirror: Mirror { Mirror(self, children: ["tail": tail]) }
}
