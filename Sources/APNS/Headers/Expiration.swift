/// Until when APNs keeps trying to deliver: the value of `apns-expiration`.
public struct Expiration: Sendable, Hashable, CustomStringConvertible {
  /// Seconds since 1970; 0 means one attempt and no storing.
  public let seconds: Int64

  /// One attempt; never stored (the value 0).
  public static let neverStored = Expiration(unchecked: 0)

  private init(unchecked seconds: Int64) { self.seconds = seconds }

  /// Until a moment, in seconds since 1970; nil when that is negative.
  public init?(seconds: Int64) {
    guard seconds >= 0 else { return nil }
    self.seconds = seconds
  }

  /// Reads the header's own form: digits, seconds since 1970 or `0`.
  public init(wire text: some StringProtocol) throws(ExpirationError) {
    if text.isEmpty { throw .empty }
    guard text.utf8.allSatisfy({ $0 &- 0x30 < 10 }) else { throw .unreadable }
    guard let seconds = Int64(text) else { throw .outOfRange }
    self.seconds = seconds
  }

  /// Reads what a person may write: the header's own form, ``ISO8601`` or a ``TimeSpan`` from now.
  ///
  /// - Parameters:
  ///   - text: `0`, `1795255200`, `2026-11-21T10:00:00Z`, `2026-11-21` or `1h`.
  ///   - now: Seconds since 1970, which a time span is added to.
  /// - Throws: `ExpirationError` for text of no form, or a moment that cannot be sent.
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

  /// The digits that go into the header.
  public var description: String { String(seconds) }
}

/// Why a text is not an expiration.
public enum ExpirationError: Error, Sendable, Hashable {
  /// There is nothing.
  case empty
  /// The text has none of the forms.
  case unreadable
  /// The moment lies before 1970 or does not fit 64 bits.
  case outOfRange
}
