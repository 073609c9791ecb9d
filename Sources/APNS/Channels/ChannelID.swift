/// The ID of a broadcast channel, created by APNs: the value of `apns-channel-id`.
public struct ChannelID: Sendable, Hashable, CustomStringConvertible {
  /// The maximum number of characters accepted. Apple says not to assume a length; no ID near this
  /// one has been seen.
  package static let maximumLength = 512

  /// The ID as APNs returned it.
  public let text: String

  /// Parses a channel ID: base64 (RFC 4648 section 4) of at least one byte, with padding.
  public init(_ text: some StringProtocol) throws(ChannelIDError) {
    if text.isEmpty { throw .empty }
    if text.utf8.count > Self.maximumLength { throw .tooLong(text.utf8.count) }
    let digits = text.prefix { $0 != "=" }
    if let invalid = digits.firstIndex(where: { !$0.isBase64Digit }) {
      throw .character(
        digits[invalid], offset: digits.distance(from: digits.startIndex, to: invalid))
    }
    let padding = text.dropFirst(digits.count)
    guard text.utf8.count.isMultiple(of: 4), padding.utf8.count <= 2,
      padding.allSatisfy({ $0 == "=" })
    else { throw .cutOff }
    self.text = String(text)
  }

  /// The ID as APNs returned it.
  public var description: String { text }
}

/// The reason a text is not a channel ID.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum ChannelIDError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The text is empty.
  case empty
  /// The number of characters, which is over the limit.
  case tooLong(Int)
  /// A character that is not base64, with the number of characters before it.
  case character(Character, offset: Int)
  /// The text is truncated or too long: base64 comes in groups of four characters.
  case cutOff
}

extension ChannelIDError {
  /// The problem with the channel ID, in one sentence.
  package var message: String { "The channel ID " + fault + "." }

  /// The problem and the advice.
  public var description: String { "\(message) \(fix)" }

  /// The advice, in one sentence.
  package var fix: String {
    switch self {
    case .empty, .tooLong: "Use the ID that APNs returned in apns-channel-id."
    case .character("-", _), .character("_", _):
      "Copy it as APNs returned it, in plain base64, which has + for - and / for _."
    case .character: "Copy it as APNs returned it, without anything before or after it."
    case .cutOff: "Copy all of it as APNs returned it, any = at its end included."
    }
  }

  /// The predicate of a sentence about the channel ID.
  var fault: String {
    switch self {
    case .empty: "is empty"
    case .tooLong(let count):
      "is \(count) bytes long; at most \(ChannelID.maximumLength) are expected"
    case .character(let character, let offset):
      "is not base64: it must not contain \(quoted(String(character))) (character \(offset + 1))"
    case .cutOff:
      "is not complete: base64 comes in groups of four characters, the last one filled up with ="
    }
  }
}

extension Character {
  fileprivate var isBase64Digit: Bool {
    isASCII && (isLetter || isNumber || self == "+" || self == "/")
  }
}
