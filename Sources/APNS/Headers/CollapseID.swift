/// The ID by which a notification replaces an earlier one: the value of `apns-collapse-id`.
public struct CollapseID: Sendable, Hashable, CustomStringConvertible {
  /// The limit in bytes of UTF-8 (Apple: Sending notification requests to APNs).
  public static let maximumBytes = 64

  /// The ID as it goes into the header.
  public let text: String

  /// Parses a collapse ID: 1 to 64 bytes of UTF-8 without control characters and without a space at
  /// either end.
  public init(_ text: some StringProtocol) throws(CollapseIDError) {
    if text.isEmpty { throw .empty }
    if text.utf8.count > Self.maximumBytes { throw .tooLong(text.utf8.count) }
    if let invalid = text.unicodeScalars.first(where: \.isControl) {
      throw .controlCharacter(invalid)
    }
    if text.first == " " || text.last == " " { throw .surroundingSpace }
    self.text = String(text)
  }

  /// The ID as it goes into the header.
  public var description: String { text }
}

/// The reason a text is not a collapse ID.
public enum CollapseIDError: Error, Sendable, Hashable {
  /// The text is empty.
  case empty
  /// The number of bytes, which is over ``CollapseID/maximumBytes``.
  case tooLong(Int)
  /// A control character or line separator.
  case controlCharacter(Unicode.Scalar)
  /// A space at the start or the end, which HTTP/2 forbids in a field value.
  case surroundingSpace
}

extension Unicode.Scalar {
  /// True for a control character (C0, DEL, C1) or one of Unicode's two line separators.
  var isControl: Bool {
    value < 0x20 || 0x7F...0x9F ~= value || 0x2028...0x2029 ~= value
  }
}
