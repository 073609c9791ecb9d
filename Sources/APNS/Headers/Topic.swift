/// What a push is about: a bundle ID with the suffix of its push type, in `apns-topic`.
public struct Topic: Sendable, Hashable, CustomStringConvertible {
  /// The longest bundle ID or topic taken, in characters. APNs states no limit; this one only keeps
  /// pasted text out of a header.
  public static let maximumLength = 255

  /// How every pass type ID begins, the topic of Wallet passes (Apple: Adding a Web Service to
  /// Update Passes).
  private static let passPrefix = "pass."

  /// Whether a topic is a pass type ID: the payload of its pushes is an empty object.
  static func isOfPass(_ topic: String) -> Bool {
    topic.utf8.starts(with: passPrefix.utf8)
  }

  /// The topic as it goes into the header.
  public let text: String

  /// Reads a topic as it is; nothing is added. The characters are those of a ``BundleID``.
  public init(_ text: some StringProtocol) throws(TopicError) {
    try TopicError.check(text)
    self.text = String(text)
  }

  /// The topic of a push type for an app: the bundle ID and the suffix of the type. A push type
  /// that is not in ``PushType/table`` adds nothing.
  public init(_ bundleID: BundleID, for type: PushType) {
    text = bundleID.text + (type.info?.suffix ?? "")
  }

  /// The app's bundle ID: the topic without the suffix of the type; nil when it has not got it.
  public func bundleID(for type: PushType) -> BundleID? {
    let suffix = type.info?.suffix ?? ""
    guard text.hasSuffix(suffix), text.utf8.count > suffix.utf8.count else { return nil }
    return BundleID(checked: text.dropLast(suffix.count))
  }

  /// The topic as it goes into the header.
  public var description: String { text }
}

/// Why a text is neither a bundle ID nor a topic.
public enum TopicError: Error, Sendable, Hashable {
  /// There is nothing.
  case empty
  /// The number of bytes, which is over ``Topic/maximumLength``.
  case tooLong(Int)
  /// A character that is not allowed, and how many characters precede it.
  case character(Character, offset: Int)
  /// A dot at the start, at the end or beside another, and how many characters precede it.
  case misplacedDot(offset: Int)
}

extension TopicError {
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
