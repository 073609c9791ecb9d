/// Names a broadcast channel: the value of `apns-channel-id`, as APNs made it.
public struct ChannelID: Sendable, Hashable, CustomStringConvertible {
  /// The most characters that are taken. Apple says not to assume a length; no ID near this has
  /// been seen.
  public static let maximumLength = 512

  /// The ID as APNs returned it.
  public let text: String

  /// Reads a channel ID: base64 (RFC 4648 section 4) of at least one byte, padded.
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

/// Why a text is not a channel ID.
public enum ChannelIDError: Error, Sendable, Hashable {
  /// There is nothing.
  case empty
  /// The number of characters, which is over ``ChannelID/maximumLength``.
  case tooLong(Int)
  /// A character that base64 does not use, and how many characters precede it.
  case character(Character, offset: Int)
  /// A part is missing, or there is too much: base64 comes in groups of four characters.
  case cutOff
}

extension ChannelIDError {
  /// What is wrong with a channel ID, in one sentence.
  public var message: String { "The channel ID " + fault + "." }

  /// What to do about it, in one sentence.
  public var fix: String {
    switch self {
    case .empty, .tooLong: "Use the ID that APNs returned in apns-channel-id."
    case .character("-", _), .character("_", _):
      "Copy it as APNs returned it, in plain base64, which has + for - and / for _."
    case .character: "Copy it as APNs returned it, without anything before or after it."
    case .cutOff: "Copy all of it as APNs returned it, any = at its end included."
    }
  }

  /// What goes on from what is called a channel ID.
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
