import APNS

extension FuzzTarget {
  /// A device token out of whatever was pasted: from memory and from text, with the same outcome.
  static let deviceToken = FuzzTarget("DeviceToken") { bytes in
    let reading = read(bytes)
    if let text = String(validating: bytes, as: UTF8.self) {
      let other = Result { () throws(DeviceTokenError) in try DeviceToken(tidying: text) }
      try expect(other == reading, "text and its bytes are read alike", "\(reading), \(other)")
    }
    guard case .success(let token) = reading else { return }
    let digits = Array(token.hex.utf8)
    let isHex = digits.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    try expect(isHex, "a token is hex in lower case", token.hex)
    try expect(
      2...DeviceToken.maximumDigits ~= digits.count && digits.count.isMultiple(of: 2),
      "a token has an even number of digits, up to the maximum", "\(digits.count)")
    try expect(try DeviceToken(token.hex) == token, "a token's digits are that token")
  }

  private static func read(_ bytes: [UInt8]) -> Result<DeviceToken, DeviceTokenError> {
    bytes.withUnsafeBufferPointer { bytes in
      Result { () throws(DeviceTokenError) in try DeviceToken(tidying: bytes) }
    }
  }
}
