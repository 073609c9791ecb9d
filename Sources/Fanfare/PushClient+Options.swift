public import APNS
internal import Delivery
internal import HTTP2
public import PushModel

extension PushClient {
  /// Limits and time-outs, named as the program's options and with their defaults.
  public struct Options: Sendable, Hashable {
    /// The number of connections: as many as help, or a fixed number.
    public var connections = ConnectionCount.auto

    /// The limit on attempts over all connections; nil for none.
    public var rate: PushRate?

    /// The time to wait for an answer to each attempt. A server that never answers gets four.
    public var timeout = Duration.seconds(30)

    /// The time to wait for a connection.
    public var connectTimeout = Duration.seconds(10)

    /// The number of resends after APNs asked to come back later (5xx).
    public var retries = 0

    /// The wait before the first of these; it doubles each time. Apple asks for 15 minutes.
    public var retryDelay = Duration.seconds(15 * 60)

    /// A push that may have been processed is never sent again: it ends `unknown`.
    public var atMostOnce = false

    /// Stops sending for a while when push after push is refused.
    public var usesBreaker = true

    /// The URL of a proxy: `http://`, `socks5://`, `socks5h://`, `socks4://` or `socks4a://`; nil
    /// for none. The environment's `HTTPS_PROXY` is not read.
    public var proxy: String?

    /// Creates the defaults.
    public init() {}
  }

  /// An event for logs and metrics.
  public enum Event: Sendable {
    /// A connection was opened.
    case connectionOpened
    /// A connection ended, for this reason; nil when it was no longer needed. The text may come
    /// from the server.
    case connectionClosed(String?)
    /// A connection goes on with a new provider token.
    case providerTokenReplaced
    /// A push is sent again after this answer; nils when none came, or it had no reason.
    case resent(DeviceToken?, Status?, Reason?)
    /// Pushes fail for a while.
    case stopped(Obstacle)
  }
}

extension PushClient.Options {
  func plan(
    _ target: DialTarget, _ events: @escaping @Sendable (PushClient.Event) -> Void
  ) -> DeliveryPlan {
    var plan = DeliveryPlan(
      target: target, fields: [], payload: nil, connections: connections,
      attemptTimeoutMilliseconds: timeout.milliseconds)
    plan.rate = rate
    plan.retryRules = RetryRules(
      retries: retries, retryDelayMilliseconds: retryDelay.milliseconds, isAtMostOnce: atMostOnce)
    plan.observer = { events(PushClient.Event($0)) }
    return plan
  }
}

extension PushClient.Event {
  init(_ event: DeliveryEvent) {
    self =
      switch event {
      case .opened: .connectionOpened
      case .closed(let reason): .connectionClosed(reason)
      case .tokenReplaced: .providerTokenReplaced
      case .resent(let push, let answer):
        .resent(try? DeviceToken(push.token), answer?.status, answer?.reason)
      }
  }
}

extension Duration {
  /// Whole milliseconds, at least one.
  var milliseconds: Int {
    let (seconds, attoseconds) = components
    return Int(clamping: max(1, seconds * 1000 + attoseconds / 1_000_000_000_000_000))
  }
}
