/// The topic of a push: a bundle ID with the suffix of its push type, in `apns-topic`.
public struct Topic: Sendable, Hashable, CustomStringConvertible {
  /// The maximum length of a bundle ID or topic, in characters. APNs states no limit; this one only
  /// keeps pasted text out of a header.
  public static let maximumLength = 255

  /// The prefixes of pass type IDs and order type IDs, the topics of Wallet (Apple: Adding a Web
  /// Service to Update Passes; Register a device for update notifications).
  private static let walletPrefixes = ["pass.", "order."]

  /// Returns true for a pass or order type ID, whose pushes have an empty object as payload.
  static func isOfWallet(_ topic: String) -> Bool {
    walletPrefixes.contains { topic.utf8.starts(with: $0.utf8) }
  }

  /// Returns true for a topic of device management (Apple: MDM, the profile's payload).
  package static func isOfManagement(_ topic: String) -> Bool {
    topic.utf8.starts(with: "com.apple.mgmt.".utf8)
  }

  /// The topic as it goes into the header.
  public let text: String

  /// Parses a topic without adding anything. It may contain the characters of a ``BundleID``.
  public init(_ text: some StringProtocol) throws(TopicError) {
    try TopicError.check(text)
    self.text = String(text)
  }

  /// Creates the topic of an app for a push type: the bundle ID followed by the type's suffix. A
  /// push type that is not in ``PushType/table`` has no suffix.
  public init(_ bundleID: BundleID, for type: PushType) {
    text = bundleID.text + (type.info?.suffix ?? "")
  }

  /// The app's bundle ID: the topic without the type's suffix; nil if the topic does not have it.
  public func bundleID(for type: PushType) -> BundleID? {
    let suffix = type.info?.suffix ?? ""
    guard text.hasSuffix(suffix), text.utf8.count > suffix.utf8.count else { return nil }
    return BundleID(checked: text.dropLast(suffix.count))
  }

  /// The topic as it goes into the header.
  public var description: String { text }
}

/// The reason a text is neither a bundle ID nor a topic.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum TopicError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The text is empty.
  case empty
  /// The number of bytes, which is over the limit.
  case tooLong(Int)
  /// A character that is not allowed, with the number of characters before it.
  case character(Character, offset: Int)
  /// A dot at the start, at the end or next to another, with the number of characters before it.
  case misplacedDot(offset: Int)
}

extension TopicError {
  /// The problem in one sentence.
  public var description: String { "The topic or bundle ID \(fault)." }

  /// The problem, as the end of a sentence.
  var fault: String {
    switch self {
    case .empty: "is empty"
    case .tooLong(let count): "is \(count) bytes long; the limit is \(Topic.maximumLength)"
    case .character(let character, let offset):
      "must not contain \(quoted(String(character))) (character \(offset + 1))"
    case .misplacedDot(let offset): "has a misplaced dot (character \(offset + 1))"
    }
  }

  static func check(_ text: some StringProtocol) throws(TopicError) {
    if text.isEmpty { throw .empty }
    if text.utf8.count > Topic.maximumLength { throw .tooLong(text.utf8.count) }
    guard text.utf8.allSatisfy(isAllowed) else { throw invalidCharacter(in: text) }
    var isAfterDot = true
    for (offset, byte) in text.utf8.enumerated() {
      let isDot = byte == UInt8(ascii: ".")
      if isDot, isAfterDot { throw .misplacedDot(offset: offset) }
      isAfterDot = isDot
    }
    if isAfterDot { throw .misplacedDot(offset: text.utf8.count - 1) }
  }

  private static func invalidCharacter(in text: some StringProtocol) -> TopicError {
    let invalid = text.enumerated().first { !$1.utf8.allSatisfy(isAllowed) }
    return invalid.map { .character($1, offset: $0) } ?? .empty
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"): true
    default: byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26
    }
  }
}

/// The identifier of an app, for example `com.example.shop`.
public struct BundleID: Sendable, Hashable, CustomStringConvertible {
  /// The identifier as text.
  public let text: String

  /// Parses a bundle ID: letters, digits, `.`, `-` and `_`, with at least one character between
  /// dots, at most 255 characters.
  public init(_ text: some StringProtocol) throws(TopicError) {
    try TopicError.check(text)
    self.text = String(text)
  }

  /// Creates a bundle ID from part of a checked topic.
  init(checked text: some StringProtocol) { self.text = String(text) }

  /// The identifier as text.
  public var description: String { text }
}
