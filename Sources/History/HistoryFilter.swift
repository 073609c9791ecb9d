public import APNS
public import PushModel

/// Which runs and pushes of a history are wanted. What is not set wants all.
public struct HistoryFilter: Sendable, Hashable {
  /// Only these runs; empty for any.
  public var runs: Set<RunNumber> = []
  /// Runs that began then or later, in milliseconds since 1970 UTC.
  public var since: Int64?
  /// Runs that began before then, in milliseconds since 1970 UTC.
  public var until: Int64?
  /// Runs of this scenario.
  public var scenario: String?
  /// Runs in this environment.
  public var environment: String?
  /// Runs that were made so.
  public var kind: RunKind?
  /// Pushes that ended in one of these; empty for any.
  public var outcomes: Set<Outcome> = []
  /// Pushes that were answered one of these, in any case; empty for any.
  public var reasons: [String] = []
  /// Pushes to device tokens that fit.
  public var token: TokenPattern?
  /// The push with this id.
  public var apnsID: APNSID?

  /// Everything.
  public init() {}

  /// Whether it asks for something that is a push's own, not its run's.
  public var wantsPushes: Bool {
    !outcomes.isEmpty || !reasons.isEmpty || token != nil || apnsID != nil
  }
}

/// The digits in which a device token ends; all of them for one token alone.
public struct TokenPattern: Sendable, Hashable {
  /// The digits, in lower case.
  public let digits: String

  /// Digits of a device token, of either case; an ellipsis before them is left out.
  ///
  /// - Returns: nil for what is not hex, and for none or too many digits.
  public init?(_ text: some StringProtocol) {
    let bare = text.drop { $0 == "…" || $0 == "." }
    guard 1...DeviceToken.maximumDigits ~= bare.utf8.count,
      bare.allSatisfy({ $0.isASCII && $0.isHexDigit })
    else { return nil }
    digits = bare.lowercased()
  }

  /// What the last digits, at most eight, are as a number, and which bits of a tail they decide.
  package var tail: (bits: UInt32, mask: UInt32) {
    let last = digits.suffix(8)
    let mask = UInt32.max >> UInt32(32 - 4 * last.count)
    return (UInt32(last, radix: 16) ?? 0, mask)
  }
}
