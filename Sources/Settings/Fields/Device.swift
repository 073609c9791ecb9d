package import APNS
internal import Recipients

/// A device token under a name, and what goes with it.
package struct Device: Sendable, Hashable {
  package let name: String
  package let token: DeviceToken
  package var environment: Setting<EnvironmentSetting>?
  /// The authority to trust for the server of its `environment`.
  package var serverCA: Setting<String>?
  package var bundleID: Setting<String>?

  package init(name: String, token: DeviceToken) { (self.name, self.token) = (name, token) }

  /// The longest name, in characters: device tokens are longer.
  package static let longestName = 40

  /// What a name is, as a phrase.
  package static let nameRule =
    "a name that begins with a letter or @ and has a character other than 0-9 and a-f, "
    + "from letters, digits, '-', '_', '.', '@' and '+'"

  /// Whether devices and groups can have this name. No device token is one.
  package static func isName(_ text: String) -> Bool {
    guard let first = text.first, first.isLetter || first == "@" else { return false }
    return text.count <= longestName && text.contains { !$0.isHexDigit } && !isSlip(text)
      && text.allSatisfy { $0.isLetter || $0.isNumber || "-_.@+".contains($0) }
  }

  /// Whether a text is a device token but for a few wrong characters.
  package static func isSlip(_ text: String) -> Bool {
    let others = text.count { !$0.isHexDigit }
    return text.count >= 16 && others * 8 <= text.count && text.contains(where: \.isNumber)
  }
}

extension DeviceTokenError {
  /// Whether a text that cannot be read as a device token was meant to be one, and not a name or a
  /// path.
  package func isOfToken(_ text: String) -> Bool {
    if ListFormat(path: text) != nil || text.contains("/") && !text.hasSuffix("=") { return false }
    return switch self {
    case .looksLikeUUID, .elided, .looksLikeExpo, .looksLikeFCM: true
    case .looksLikeBase64: text.hasSuffix("=")
    case .oddLength(let count): count >= 16
    case .notHex: Device.isSlip(text)
    case .empty, .tooLong: false
    }
  }
}

/// Who one `--to` names.
package enum Addressee: Sendable, Hashable {
  case token(DeviceToken)
  /// What is looked up before anything is sent: a name. Or base64, which is refused once it is known
  /// whether device tokens may be shown.
  case written(String)
  /// A device that was found under its name.
  case device(Device)

  /// The device token; nil before it was looked up.
  package var token: DeviceToken? {
    switch self {
    case .token(let token): token
    case .device(let device): device.token
    case .written: nil
    }
  }

  package var device: Device? {
    if case .device(let device) = self { device } else { nil }
  }
}
