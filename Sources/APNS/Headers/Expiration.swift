/// The time until which APNs tries to deliver: the value of `apns-expiration`.
public struct Expiration: Sendable, Hashable, CustomStringConvertible {
  /// Seconds since 1970; 0 means one attempt without storing.
  public let seconds: Int64

  /// One attempt, never stored (the value 0).
  public static let neverStored = Expiration(unchecked: 0)

  private init(unchecked seconds: Int64) { self.seconds = seconds }

  /// Creates an expiration at a time in seconds since 1970; nil if negative.
  public init?(seconds: Int64) {
    guard seconds >= 0 else { return nil }
    self.seconds = seconds
  }

  /// Parses the wire format: digits, seconds since 1970 or `0`.
  public init(wire text: some StringProtocol) throws(ExpirationError) {
    if text.isEmpty { throw .empty }
    guard text.utf8.allSatisfy({ $0 &- 0x30 < 10 }) else { throw .unreadable }
    guard let seconds = Int64(text) else { throw .outOfRange }
    self.seconds = seconds
  }

  /// Parses user input: the wire format, ``ISO8601``, or a ``TimeSpan`` from now.
  ///
  /// - Parameters:
  ///   - text: `0`, `1795255200`, `2026-11-21T10:00:00Z`, `2026-11-21` or `1h`.
  ///   - now: Seconds since 1970, to which a time span is added.
  /// - Throws: `ExpirationError` for text in no known format, or a time that cannot be sent.
  public init(_ text: some StringProtocol, now: Int64) throws(ExpirationError) {
    if let span = TimeSpan.seconds(text) {
      let (end, overflow) = now.addingReportingOverflow(span)
      if overflow || end < 0 { throw .outOfRange }
      self.init(unchecked: end)
    } else if let moment = ISO8601.seconds(text) {
      guard moment >= 0 else { throw .outOfRange }
      self.init(unchecked: moment)
    } else {
      try self.init(wire: text)
    }
  }

  /// The digits for the header.
  public var description: String { String(seconds) }
}

/// The reason a text is not an expiration.
public enum ExpirationError: Error, Sendable, Hashable {
  /// The text is empty.
  case empty
  /// The text has none of the formats.
  case unreadable
  /// The time is before 1970 or does not fit in 64 bits.
  case outOfRange
}
