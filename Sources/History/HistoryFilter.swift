public import APNS
public import PushModel

/// A filter on the runs and pushes of a history. Unset fields match everything.
public struct HistoryFilter: Sendable, Hashable {
  /// These runs only; empty for any.
  public var runs: Set<RunNumber> = []
  /// Runs that began at this time or later, in milliseconds since 1970 UTC.
  public var since: Int64?
  /// Runs that began before this time, in milliseconds since 1970 UTC.
  public var until: Int64?
  /// Runs of this scenario.
  public var scenario: String?
  /// Runs in this environment.
  public var environment: String?
  /// Runs of this kind.
  public var kind: RunKind?
  /// Runs of this app: its topic with the suffix of any push type.
  public var bundleID: String?
  /// Runs of this push type.
  public var pushType: String?
  /// Runs whose payload, or template, has this text, as JSON writes it; ignoring the case of
  /// ASCII letters.
  public var text: String?
  /// Runs with something left to send at this time, in milliseconds since 1970 UTC.
  public var unfinishedAt: Int64?
  /// Pushes with one of these outcomes; empty for any.
  public var outcomes: Set<Outcome> = []
  /// Pushes answered with one of these reasons, ignoring case; empty for any.
  public var reasons: [String] = []
  /// Pushes to matching device tokens.
  public var token: TokenPattern?
  /// The push with this id.
  public var apnsID: APNSID?

  /// Creates a filter that matches everything.
  public init() {}

  /// The filter has conditions on pushes, not only on runs.
  public var wantsPushes: Bool {
    !outcomes.isEmpty || !reasons.isEmpty || token != nil || apnsID != nil
  }
}

/// The last digits of a device token; all of them to match a single token.
public struct TokenPattern: Sendable, Hashable {
  /// The digits, in lowercase.
  public let digits: String

  /// Parses digits of a device token, in either case, ignoring an ellipsis before them.
  ///
  /// - Returns: nil for text that is not hex, and for no digits or too many.
  public init?(_ text: some StringProtocol) {
    let bare = text.drop { $0 == "…" || $0 == "." }
    guard 1...DeviceToken.maximumDigits ~= bare.utf8.count,
      bare.allSatisfy({ $0.isASCII && $0.isHexDigit })
    else { return nil }
    digits = bare.lowercased()
  }

  /// The value of the last digits, at most eight, and the mask of the bits they determine.
  package var tail: (bits: UInt32, mask: UInt32) {
    let last = digits.suffix(8)
    let mask = UInt32.max >> UInt32(32 - 4 * last.count)
    return (UInt32(last, radix: 16) ?? 0, mask)
  }
}
