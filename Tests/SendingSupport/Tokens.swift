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

/// Device tokens from 1 on, one a line.
package func tokenList(_ count: Int) -> String { (1...count).map { tokenText($0) + "\n" }.joined() }

extension DeviceToken {
  /// The number that ``deviceTokens(_:)`` gave it.
  package var number: Int { Int(hex.suffix(15), radix: 16) ?? -1 }
}
