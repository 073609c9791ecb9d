internal import APNS
internal import Delivery
internal import HTTP2

/// The reason a push was not attempted, or no longer waited for.
public struct Obstacle: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of a reason.
  public enum Kind: Sendable, Hashable {
    /// The task that waited for the push was cancelled, or its list was.
    case cancelled
    /// The client is closed.
    case closed
    /// No connection could be opened, or none stayed open.
    case connection
    /// No provider token could be signed, or APNs refuses the credentials.
    case credentials
    /// APNs refused push after push, and would refuse this one too.
    case refusals
    /// The process has no threads or file descriptors left.
    case system
  }

  /// The kind.
  public let kind: Kind

  /// The reason in one sentence.
  public let description: String

  init(_ kind: Kind, _ description: String) { (self.kind, self.description) = (kind, description) }

  static let cancelled = Obstacle(.cancelled, "The task was cancelled.")
  static let closed = Obstacle(.closed, "The client is closed.")
  static let system = Obstacle(.system, "No threads or file descriptors are left.")
}

extension Obstacle {
  init(_ cause: StopCause) {
    switch cause {
    case .interrupted, .stopped, .list, .history: self = .closed
    case .connecting(let error):
      self.init(
        .connection, "No connection to \(error.target.authority): \(error.layer) \(error.detail)")
    case .connectionLost(let text):
      self.init(.connection, "Connection after connection was lost before an answer came: \(text).")
    case .goodbye(let reason):
      self.init(.credentials, "The server closed the connection: \(reason).")
    case .breaker(let response):
      self.init(
        response.refusesCredentials ? .credentials : .refusals,
        "Push after push was refused, the last with "
          + (response.reason?.rawValue ?? "HTTP \(response.status)") + ".")
    case .signing(let error): self.init(.credentials, "The key cannot sign: \(error).")
    case .outOfDescriptors, .outOfThreads: self = .system
    }
  }
}
