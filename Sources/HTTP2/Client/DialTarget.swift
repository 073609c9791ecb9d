/// Where to connect, and how.
public struct DialTarget: Sendable, Hashable {
  /// A host name, an IPv4 address, or an IPv6 address without brackets.
  public var host: String

  /// The TCP port.
  public var port: UInt16

  /// `http://`, `socks5://`, `socks5h://`, `socks4://` or `socks4a://` URL of a proxy, used
  /// whatever the environment says. Nil follows `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY` as curl
  /// does; an empty text uses none.
  public var proxy: String?

  /// A PEM file whose certificates are trusted in addition to the system's. Nil adds none.
  public var additionalRoots: String?

  /// How long DNS, TCP, proxy and TLS may take together, in milliseconds; at least 1.
  public var timeoutMilliseconds: Int

  /// A target; ten seconds for connecting unless said otherwise.
  public init(
    host: String, port: UInt16 = 443, proxy: String? = nil, additionalRoots: String? = nil,
    timeoutMilliseconds: Int = 10_000
  ) {
    self.host = host
    self.port = port
    self.proxy = proxy
    self.additionalRoots = additionalRoots
    self.timeoutMilliseconds = timeoutMilliseconds
  }

  /// Host and port as they stand in a URL and in `:authority`; the port is left out when it is 443.
  public var authority: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return port == 443 ? name : "\(name):\(port)"
  }
}
