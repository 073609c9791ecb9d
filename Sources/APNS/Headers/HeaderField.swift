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
