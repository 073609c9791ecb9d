package import APNS
internal import Recipients

/// A named device token and the settings that go with it.
package struct Device: Sendable, Hashable {
  package let name: String
  package let token: DeviceToken
  package var environment: Setting<EnvironmentSetting>?
  /// The authority to trust for the server of its `environment`.
  package var serverCA: Setting<String>?
  package var bundleID: Setting<String>?

  package init(name: String, token: DeviceToken) { (self.name, self.token) = (name, token) }

  /// The maximum length of a name, in characters: device tokens are longer.
  package static let longestName = 40

  /// The rule for names, as a phrase.
  package static let nameRule =
    "at most \(longestName) letters, digits, '-', '_', '.', '@' and '+', beginning with a letter or "
    + "@ and not all of them 0-9 and a-f"

  /// True if devices and groups can have this name. A device token is never a name.
  package static func isName(_ text: String) -> Bool {
    guard let first = text.first, first.isLetter || first == "@" else { return false }
    return text.count <= longestName && text.contains { !$0.isHexDigit } && !isSlip(text)
      && text.allSatisfy { $0.isLetter || $0.isNumber || "-_.@+".contains($0) }
  }

  /// True if a text is a device token apart from a few wrong characters.
  package static func isSlip(_ text: String) -> Bool {
    let others = text.count { !$0.isHexDigit }
    return text.count >= 16 && others * 8 <= text.count && text.contains(where: \.isNumber)
  }
}

extension DeviceTokenError {
  /// True if a text that cannot be read as a device token was probably meant as one, and not as a
  /// name or a path.
  package func isOfToken(_ text: String) -> Bool {
    if ListFormat(path: text) != nil || text.contains("/") && !text.hasSuffix("=") { return false }
    return switch self {
    case .looksLikeUUID, .elided, .looksLikeExpo, .looksLikeFCM, .several, .looksLikeCount,
      .looksLikeByteList, .looksLikeObject, .looksLikeURL, .looksLikeARN, .encodedTwice:
      true
    case .looksLikeBase64: text.hasSuffix("=")
    case .oddLength(let count): count >= 16
    case .notHex: Device.isSlip(text)
    case .empty, .tooLong, .looksLikeNull: false
    }
  }
}
