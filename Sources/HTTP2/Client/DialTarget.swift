/// The server to connect to, and the options for connecting.
public struct DialTarget: Sendable, Hashable {
  /// A host name, an IPv4 address, or an IPv6 address without brackets.
  public var host: String

  /// The TCP port.
  public var port: UInt16

  /// The proxy to use, regardless of the environment; nil for none.
  public var proxy: ProxySetting?

  /// The address family to use, with a proxy for the proxy's address. Nil tries both and takes the
  /// first to answer (RFC 8305).
  public var addressFamily: AddressFamily?

  /// A PEM file of certificates to trust in addition to the system's; nil for none.
  public var additionalRoots: String?

  /// The time limit for DNS, TCP, proxy and TLS together, in milliseconds; at least 1.
  public var timeoutMilliseconds: Int

  /// Allows libcurl to write the connection's keys to the file named by `SSLKEYLOGFILE`, with which
  /// anyone who recorded the traffic can decrypt it. Off by default: the file then stays empty even
  /// if the variable is set. (libcurl creates it regardless when the process dials its first
  /// connection.)
  public var allowsKeyLog: Bool

  /// Creates a target, with a connection time-out of ten seconds by default.
  public init(
    host: String, port: UInt16 = 443, proxy: ProxySetting? = nil,
    addressFamily: AddressFamily? = nil, additionalRoots: String? = nil,
    timeoutMilliseconds: Int = 10_000, allowsKeyLog: Bool = false
  ) {
    self.host = host
    self.port = port
    self.proxy = proxy
    self.addressFamily = addressFamily
    self.additionalRoots = additionalRoots
    self.timeoutMilliseconds = timeoutMilliseconds
    self.allowsKeyLog = allowsKeyLog
  }

  /// The proxy through which this host is reached; nil for a direct connection.
  public var proxyInUse: ProxySetting? {
    proxy.flatMap { $0.applies(to: host) ? $0 : nil }
  }

  /// Host and port as in a URL and in `:authority`; port 443 is omitted.
  public var authority: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return port == 443 ? name : "\(name):\(port)"
  }
}
