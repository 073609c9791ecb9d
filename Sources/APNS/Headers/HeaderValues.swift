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
  package init(wire text: some StringProtocol) throws(ExpirationError) {
    if text.isEmpty { throw .empty }
    guard text.utf8.allSatisfy({ $0 &- 0x30 < 10 }) else { throw .unreadable }
    guard let seconds = Int64(text) else { throw .outOfRange }
    self.seconds = seconds
  }

  /// Parses user input: the wire format, `ISO8601`, or a `TimeSpan` from now.
  ///
  /// - Parameters:
  ///   - text: `0`, `1795255200`, `2026-11-21T10:00:00Z`, `2026-11-21` or `1h`.
  ///   - now: Seconds since 1970, to which a time span is added.
  /// - Throws: `ExpirationError` for text in no known format, or a time that cannot be sent.
  package init(_ text: some StringProtocol, now: Int64) throws(ExpirationError) {
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
public enum ExpirationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The text is empty.
  case empty
  /// The text has none of the formats.
  case unreadable
  /// The time is before 1970 or does not fit in 64 bits.
  case outOfRange

  /// The problem in one sentence.
  public var description: String {
    switch self {
    case .empty: "The expiration is empty."
    case .unreadable:
      "The expiration is not 0, seconds since 1970, an ISO 8601 date, or a time such as 1h."
    case .outOfRange: "The expiration is before 1970, or too far away."
    }
  }
}

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
public enum CollapseIDError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The text is empty.
  case empty
  /// The number of bytes, which is over ``CollapseID/maximumBytes``.
  case tooLong(Int)
  /// A control character or line separator.
  case controlCharacter(Unicode.Scalar)
  /// A space at the start or the end, which HTTP/2 forbids in a field value.
  case surroundingSpace

  /// The problem in one sentence.
  public var description: String {
    switch self {
    case .empty: "The collapse ID is empty."
    case .tooLong(let count):
      "The collapse ID is \(count) bytes long; the limit is \(CollapseID.maximumBytes)."
    case .controlCharacter: "The collapse ID has a control character."
    case .surroundingSpace: "The collapse ID begins or ends with a space."
    }
  }
}

extension Unicode.Scalar {
  /// True for a control character (C0, DEL, C1) or one of Unicode's two line separators.
  var isControl: Bool {
    value < 0x20 || 0x7F...0x9F ~= value || 0x2028...0x2029 ~= value
  }
}

/// The urgency of a push's delivery: the value of `apns-priority`.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum Priority: Int, Sendable, Hashable, CaseIterable, CustomStringConvertible {
  /// 10: immediately. APNs assumes it when the header is absent.
  case immediate = 10
  /// 5: considers the device's power; may be bundled or throttled.
  case powerAware = 5
  /// 1: favors power over all else; the device is not woken.
  case powerFirst = 1

  /// Parses exactly `10`, `5` or `1`.
  package init?(_ text: some StringProtocol) {
    guard let priority = Self.allCases.first(where: { $0.description == text }) else { return nil }
    self = priority
  }

  /// `10, 5 or 1`.
  static var choices: String { alternatives(allCases.map(\.description)) }

  /// The digits for the header.
  public var description: String { String(rawValue) }
}
