internal import Delivery
internal import HTTP2
public import PushModel

extension PushClient {
  /// Limits and time-outs, named as the program's options and with their defaults. A time of more
  /// than a day counts as a day, and one below a millisecond as that.
  public struct Options: Sendable, Hashable {
    /// The number of connections: as many as help, or a fixed number from 1 to 64.
    public var connections = ConnectionCount.auto

    /// The limit on attempts over all connections; nil for none.
    public var rate: PushRate?

    /// The time to wait for the answer to one attempt. A push that is never answered has four
    /// attempts, so this does not bound a send: its `deadline` does.
    public var timeout = Duration.seconds(30)

    /// The time to wait for one try at a connection. There are three tries before the first answer
    /// and ten in a row later, with pauses of up to a minute between them, so this does not bound a
    /// send: its `deadline` does.
    public var connectTimeout = Duration.seconds(10)

    /// The number of resends after APNs asked to come back later (5xx).
    public var retries = 0

    /// The wait before the first of these; it doubles each time. Apple asks for 15 minutes.
    public var retryDelay = Duration.seconds(15 * 60)

    /// A push that may have been processed is never sent again: it ends `unknown`.
    public var atMostOnce = false

    /// Which pushes are kept back for a while when push after push is refused.
    public var breaker = BreakerScope.perTopic

    /// The time after which a client that has nothing to send closes its connections and ends its
    /// threads. The next push connects anew.
    public var idleTimeout = Duration.seconds(10 * 60)

    /// A proxy; nil for none. The environment's `HTTPS_PROXY` is not read.
    public var proxy: Proxy?

    /// Creates the defaults.
    public init() {}
  }

  /// The pushes that are kept back for a while when push after push is refused.
  #if hasAttribute(nonexhaustive)
  @nonexhaustive
  #endif
  public enum BreakerScope: Sendable, Hashable {
    /// Those of the topic that is refused. Refusals of device tokens keep back the rest of their
    /// list, when nearly all of it is refused, and no single push.
    case perTopic
    /// All pushes of the client.
    case client
    /// None.
    case off
  }

  /// The address of a proxy, with the user name and password for it. No description shows those.
  public struct Proxy: Sendable, Hashable, CustomStringConvertible {
    let setting: ProxySetting

    /// Reads the URL of a proxy: `http://`, `socks5://`, `socks5h://`, `socks4://` or `socks4a://`.
    ///
    /// - Throws: ``ProxyError``.
    public init(_ url: String) throws(ProxyError) {
      guard ProxyURL(url) != nil else { throw ProxyError() }
      setting = ProxySetting(url: url)
    }

    /// The URL without user name and password.
    public var description: String { setting.description }
  }
}

/// The reason a text is not the URL of a proxy.
public struct ProxyError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What the URL must be. The text itself may hold a password.
  public var description: String {
    "A proxy is a URL that begins with http://, socks5://, socks5h://, socks4:// or socks4a://."
  }
}

extension PushClient.Options {
  func plan(_ target: DialTarget, _ events: EventQueue?) -> DeliveryPlan {
    var plan = DeliveryPlan(
      target: target, fields: [], payload: nil, connections: connections.inRange,
      attemptTimeoutMilliseconds: timeout.milliseconds)
    plan.rate = rate
    plan.retryRules = RetryRules(
      retries: max(0, retries), retryDelayMilliseconds: retryDelay.milliseconds,
      isAtMostOnce: atMostOnce)
    if let events { plan.observer = { events.add(PushClient.Event($0)) } }
    return plan
  }
}

extension ConnectionCount {
  fileprivate var inRange: ConnectionCount {
    guard case .fixed(let count) = self else { return self }
    return .fixed(min(max(count, Self.numbers.lowerBound), Self.numbers.upperBound))
  }
}
