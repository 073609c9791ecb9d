/// What has to happen before a push that was not accepted may be sent again.
public enum RetryClass: String, Sendable, Hashable, CaseIterable {
  /// Nothing helps this push.
  case never
  /// The request has to be mended; every push of the run is likely to fail the same way.
  case afterFix
  /// The key or certificate has to be mended; every push will fail until then.
  case credentials
  /// Send it at once on a new connection.
  case newConnection
  /// Send it at once with a new provider token, on a new connection.
  case newProviderToken
  /// Keep the provider token in use and wait; a newer one makes it worse.
  case keepToken
  /// Send to this device token more slowly.
  case slowToken
  /// Send it much later: Apple asks for 15 minutes, then longer.
  case later

  /// What a status alone says, for a reason that is absent or unknown; nil for 200.
  public init?(_ status: Status) {
    switch status.rawValue {
    case 200: return nil
    case 403: self = .credentials
    case 404, 405, 410, 413: self = .never
    case 429: self = .slowToken
    case 408: self = .later
    case 400..<500: self = .afterFix
    default: self = .later
    }
  }
}

/// Whether an answer says that a device token is dead.
public enum DeadToken: String, Sendable, Hashable, CaseIterable {
  /// It says nothing about the token.
  case no
  /// The token is dead, unless the app registered it again later than the answer's timestamp.
  case yes
  /// Perhaps: a wrong environment or topic gives the same answer, for every token.
  case candidate
}
