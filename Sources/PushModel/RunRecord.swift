/// What the history keeps of a run from its start, so that it can be shown, and resumed.
///
/// Nothing in it is secret: the texts must not hold a key, a password or a provider token.
public struct RunRecord: Sendable, Hashable {
  /// When it began, in milliseconds since 1970 UTC.
  public var started: Int64
  /// What made it.
  public var kind: RunKind
  /// The environment's name.
  public var environment: String
  /// The server's URL; nil for the emulator in the process.
  public var server: String?
  /// The version of this tool.
  public var version: String
  /// The scenario's name; nil when there is none.
  public var scenario: String?
  /// The number of the scenario's step, from 1; nil when there is none.
  public var step: Int?
  /// The push type; nil when the draft had none.
  public var pushType: String?
  /// The topic, or the bundle ID of the app whose channel it goes to; nil when the draft had none.
  public var topic: String?
  /// The broadcast channel that it goes to; nil when it goes to devices.
  public var channel: String?
  /// The headers as a JSON object, without `authorization`.
  public var headers: String
  /// The payload's or the template's text.
  public var payload: String
  /// The variables that hold for every push, as a JSON object.
  public var variables: String
  /// What resuming needs besides: a JSON object that the caller alone understands.
  public var settings: String
  /// Whether a push in doubt must not be sent again.
  public var atMostOnce: Bool
  /// What its apns-ids are made of.
  public var identity: RunIdentity
  /// `apns-expiration` in seconds since 1970 UTC; nil when it was not given.
  public var expiration: Int64?
  /// The run whose pushes it sends again; nil when it is not a resend.
  public var resends: RunNumber?
  /// How many pushes it sends again; nil when it is not a resend, and when an older version of this
  /// tool began it, which did not record all of them.
  public var resent: Int?

  /// The record of a `send` with neither headers nor settings, to be filled in.
  public init(started: Int64, environment: String, version: String, identity: RunIdentity) {
    self.started = started
    self.environment = environment
    self.version = version
    self.identity = identity
    kind = .send
    headers = "{}"
    payload = ""
    variables = "{}"
    settings = "{}"
    atMostOnce = false
  }

  /// Whether the notification has expired, at a time in milliseconds since 1970 UTC. An
  /// `apns-expiration` of 0 asks for one try, and never expires.
  public func hasExpired(at now: Int64) -> Bool {
    guard let expiration, expiration > 0 else { return false }
    return expiration <= now / 1000
  }

  /// Whether a push that is `unknown` would be sent again at a time in milliseconds since 1970 UTC.
  public func resendsUnknown(at now: Int64) -> Bool { !atMostOnce && !hasExpired(at: now) }
}
