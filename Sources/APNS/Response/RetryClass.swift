/// The condition for resending a push that was not accepted.
public enum RetryClass: String, Sendable, Hashable, CaseIterable {
  /// The push cannot succeed.
  case never
  /// The request has to be fixed; every push of the run is likely to fail the same way.
  case afterFix
  /// The key or certificate has to be fixed; every push will fail until then.
  case credentials
  /// Resend immediately on a new connection.
  case newConnection
  /// Resend immediately with a new provider token, on a new connection.
  case newProviderToken
  /// Keep the current provider token and wait; a new one would make it worse.
  case keepToken
  /// Send to this device token more slowly.
  case slowToken
  /// Resend much later: Apple asks for 15 minutes, then longer.
  case later

  /// The class for a status alone, without a known reason; nil for 200.
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

/// The verdict of an answer on a device token.
public enum DeadToken: String, Sendable, Hashable, CaseIterable {
  /// The answer says nothing about the token.
  case no
  /// The token is dead, unless the app registered it again after the answer's timestamp.
  case yes
  /// The token may be dead, but a wrong environment or topic gives the same answer for every token.
  case candidate
}
