/// Names a broadcast channel: the value of `apns-channel-id`, as APNs made it.
public struct ChannelID: Sendable, Hashable, CustomStringConvertible {
  /// The most characters that are taken. Apple says not to assume a length; no ID near this has been
  /// seen.
  public static let maximumLength = 512

  /// The ID as APNs returned it.
  public let text: String

  /// Reads a channel ID: base64 (RFC 4648 section 4) of at least one byte, padded.
  public init(_ text: some StringProtocol) throws(ChannelIDError) {
    if text.isEmpty { throw .empty }
    if text.utf8.count > Self.maximumLength { throw .tooLong(text.utf8.count) }
    let digits = text.prefix { $0 != "=" }
    if let invalid = digits.first(where: { !$0.isBase64Digit }) { throw .character(invalid) }
    let padding = text.dropFirst(digits.count)
    guard text.utf8.count.isMultiple(of: 4), padding.utf8.count <= 2,
      padding.allSatisfy({ $0 == "=" })
    else { throw .cutOff }
    self.text = String(text)
  }

  /// The ID as APNs returned it.
  public var description: String { text }
}

/// Why a text is not a channel ID.
public enum ChannelIDError: Error, Sendable, Hashable {
  /// There is nothing.
  case empty
  /// The number of characters, which is over ``ChannelID/maximumLength``.
  case tooLong(Int)
  /// A character that base64 does not use.
  case character(Character)
  /// A part is missing, or there is too much: base64 comes in groups of four characters.
  case cutOff
}

extension Character {
  fileprivate var isBase64Digit: Bool {
    isASCII && (isLetter || isNumber || self == "+" || self == "/")
  }
}
