/// The name of a header, in lowercase as HTTP/2 requires.
public struct HeaderName: Sendable, Hashable, CustomStringConvertible {
  /// The name.
  public let text: String

  /// Parses a name: one or more token characters (RFC 9110 section 5.6.2), converted to lowercase
  /// because names are case-insensitive.
  public init(_ text: some StringProtocol) throws(HeaderFieldError) {
    if text.isEmpty { throw .emptyName }
    if let invalid = text.unicodeScalars.first(where: { !$0.isTokenCharacter }) {
      throw .nameCharacter(invalid)
    }
    self.text = text.lowercased()
  }

  private init(known text: String) { self.text = text }

  /// `apns-topic`
  public static let topic = Self(known: "apns-topic")
  /// `apns-push-type`
  public static let pushType = Self(known: "apns-push-type")
  /// `apns-priority`
  public static let priority = Self(known: "apns-priority")
  /// `apns-expiration`
  public static let expiration = Self(known: "apns-expiration")
  /// `apns-collapse-id`
  public static let collapseID = Self(known: "apns-collapse-id")
  /// `apns-id`
  public static let id = Self(known: "apns-id")
  /// `apns-channel-id`
  public static let channelID = Self(known: "apns-channel-id")
  /// The name `apns-request-id`: the `apns-id` of requests about channels.
  public static let requestID = Self(known: "apns-request-id")

  /// The headers for which fanfare has a type and an option of their own.
  public static let typed: [HeaderName] = [
    .topic, .pushType, .priority, .expiration, .collapseID, .id,
  ]

  /// The name.
  public var description: String { text }
}

extension Unicode.Scalar {
  fileprivate var isTokenCharacter: Bool {
    switch self {
    case "a"..."z", "A"..."Z", "0"..."9": true
    default: "!#$%&'*+-.^_`|~".unicodeScalars.contains(self)
    }
  }
}
