/// The address of one app on one device: hex digits, stored in lower case.
///
/// The length is even and otherwise open: 64 digits for most devices, 160 for simulators and Live
/// Activities; Apple asks not to assume one ("Sending notification requests to APNs").
/// A token printed by accident shows only its last digits; ask for ``hex`` to get the whole.
public struct DeviceToken: Sendable, Hashable {
  /// The longest token taken, in digits. Apple once spoke of 100 bytes (200 digits); twice that
  /// leaves room, and still keeps a stray file or key from being read as a token.
  public static let maximumDigits = 400

  /// All the digits, in lower case.
  public let hex: String

  /// Reads a token that holds hex digits, of either case, and nothing else.
  public init(_ text: some StringProtocol) throws(DeviceTokenError) {
    var text = String(text)
    self = try text.withUTF8 { bytes in
      Result { () throws(DeviceTokenError) in try Self(ascii: bytes) }
    }.get()
  }

  /// Reads a token from text that lies in memory, without copying it first.
  public init(ascii bytes: UnsafeBufferPointer<UInt8>) throws(DeviceTokenError) {
    try Self.checkLength(bytes)
    var isHex = true
    hex = String(unsafeUninitializedCapacity: bytes.count) { digits in
      isHex = Self.lowercase(bytes, into: digits)
      return bytes.count
    }
    guard isHex else { throw DeviceTokenError(notHex: bytes) }
  }

  /// Reads a token out of the decoration it is often pasted with: `<0a1b 2c3d>`, `0x0a1b`, quotes
  /// and commas around it, and `{length = 32, bytes = 0x0a1b… }` as iOS 13 and later print it.
  public init(tidying text: some StringProtocol) throws(DeviceTokenError) {
    var text = String(text)
    self = try text.withUTF8 { bytes in
      Result { () throws(DeviceTokenError) in try Self(tidying: bytes) }
    }.get()
  }
}

extension DeviceToken {
  /// Reads a token out of its decoration, from text that lies in memory.
  public init(tidying bytes: UnsafeBufferPointer<UInt8>) throws(DeviceTokenError) {
    if let token = try? Self(ascii: bytes) {
      self = token
      return
    }
    self = try PastedToken(bytes).token
  }

  /// The last eight digits after an ellipsis, `…3f2a91cc`: the form for screens, logs and errors.
  public var tail: String { hex.utf8.count > 8 ? "…" + hex.suffix(8) : hex }

  /// Writes the digits of a token in lower case, without making a value or allocating.
  ///
  /// - Parameters:
  ///   - bytes: The token's text: hex digits only.
  ///   - digits: Where the digits go; at least as long as `bytes`.
  /// - Throws: What ``init(ascii:)`` throws; `digits` then holds nothing of use.
  public static func read(
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
  }

  // Without a branch in the loop, so that the compiler can take many digits at a time.
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
  /// Nothing but the ``tail``, so that `dump` does not print a token either.
  public var customMirror: Mirror { Mirror(self, children: ["tail": tail]) }
}
