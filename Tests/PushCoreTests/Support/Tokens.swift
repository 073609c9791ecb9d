import APNS
import PushCore
import Testing

/// Different device tokens, each with its number in its last digits.
func deviceTokens(_ count: Int) throws -> [DeviceToken] {
  try (0..<count).map { number in
    let digits = String(number, radix: 16)
    return try DeviceToken(String(repeating: "0", count: 64 - digits.count) + digits)
  }
}

extension DeviceToken {
  /// The number that ``deviceTokens(_:)`` gave it.
  var number: Int { Int(hex.suffix(15), radix: 16) ?? -1 }
}
