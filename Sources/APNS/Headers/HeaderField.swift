/// A header of a request, safe to send.
public struct HeaderField: Sendable, Hashable {
  /// The maximum length of a value in bytes. APNs announces 8000 for all headers of a request.
  public static let maximumValueBytes = 4096

  /// The name.
  public let name: HeaderName
  /// The value.
  public let value: String

  /// Creates a header with a value of printable ASCII without a space at either end (RFC 9113
  /// section 8.2.1). The value of `apns-collapse-id`, which APNs measures in bytes, may be any
  /// UTF-8 without control characters.
  public init(_ name: HeaderName, _ value: String) throws(HeaderFieldError) {
    let isOpen = name == .collapseID
    let invalid = value.unicodeScalars.first { $0.isControl || !(isOpen || $0.isASCII) }
    if let invalid { throw .valueCharacter(invalid) }
    if value.first == " " || value.last == " " { throw .surroundingSpace }
    if value.utf8.count > Self.maximumValueBytes { throw .valueTooLong(value.utf8.count) }
    self.init(name, checked: value)
  }

  init(_ name: HeaderName, checked value: String) {
    self.name = name
    self.value = value
  }
}

/// The reason a name or a value is not valid in a header.
public enum HeaderFieldError: Error, Sendable, Hashable {
  /// The name is empty.
  case emptyName
  /// A character not allowed in a name.
  case nameCharacter(Unicode.Scalar)
  /// A character not allowed in a value.
  case valueCharacter(Unicode.Scalar)
  /// The value begins or ends with a space.
  case surroundingSpace
  /// The number of bytes, which is over ``HeaderField/maximumValueBytes``.
  case valueTooLong(Int)
}

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
