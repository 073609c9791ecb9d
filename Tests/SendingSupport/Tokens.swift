package import APNS
import Testing

/// Different device tokens, each with its number in its last digits.
package func deviceTokens(_ count: Int) throws -> [DeviceToken] { try deviceTokens(0..<count) }

/// The device tokens with these numbers.
package func deviceTokens(_ numbers: Range<Int>) throws -> [DeviceToken] {
  try numbers.map { try DeviceToken(tokenText($0)) }
}

/// The 64 digits that stand for a number.
package func tokenText(_ number: Int) -> String {
  let digits = String(number, radix: 16)
  return String(repeating: "0", count: 64 - digits.count) + digits
}

/// The 64 digits that end in these: an emulator takes no fewer.
package func device(_ end: String) -> String {
  String(repeating: "0", count: max(0, 64 - end.count)) + end
}

/// The last eight digits, as a screen shows a device token.
package func deviceTail(_ end: String) -> String { "…" + device(end).suffix(8) }

/// Device tokens from 1 on, one a line.
package func tokenList(_ count: Int) -> String { (1...count).map { tokenText($0) + "\n" }.joined() }

extension DeviceToken {
  /// The number that ``deviceTokens(_:)`` gave it.
  package var number: Int { Int(hex.suffix(15), radix: 16) ?? -1 }
}

/// The token of an `IncomingPush`, of which a request about channels has none.
extension DeviceToken? {
  /// The digits; none without a token.
  package var hex: String { self?.hex ?? "" }
  /// The number that ``deviceTokens(_:)`` gave it; -1 without a token.
  package var number: Int { self?.number ?? -1 }
}
