/// One header of a request, safe to put on the wire.
public struct HeaderField: Sendable, Hashable {
  /// The longest value taken, in bytes. APNs announces 8000 bytes for all headers of a request.
  public static let maximumValueBytes = 4096

  /// The name.
  public let name: HeaderName
  /// The value.
  public let value: String

  /// A header with a value of printable ASCII, without a space at either end (RFC 9113 section
  /// 8.2.1). The value of `apns-collapse-id`, which APNs counts in bytes, may be any UTF-8 without
  /// control characters.
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

/// Why a name or a value cannot be a header.
public enum HeaderFieldError: Error, Sendable, Hashable {
  /// The name is empty.
  case emptyName
  /// A character that a name must not hold.
  case nameCharacter(Unicode.Scalar)
  /// A character that a value must not hold.
  case valueCharacter(Unicode.Scalar)
  /// The value begins or ends with a space.
  case surroundingSpace
  /// The number of bytes, which is over ``HeaderField/maximumValueBytes``.
  case valueTooLong(Int)
}
