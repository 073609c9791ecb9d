/// Where to connect, and how.
public struct DialTarget: Sendable, Hashable {
  /// A host name, an IPv4 address, or an IPv6 address without brackets.
  public var host: String

  /// The TCP port.
  public var port: UInt16

  /// The proxy to go through, whatever the environment says. Nil: none.
  public var proxy: ProxySetting?

  /// The kind of addresses to use; with a proxy this is about the proxy's address. Nil: both,
  /// whichever answers first (RFC 8305).
  public var addressFamily: AddressFamily?

  /// A PEM file whose certificates are trusted in addition to the system's. Nil adds none.
  public var additionalRoots: String?

  /// How long DNS, TCP, proxy and TLS may take together, in milliseconds; at least 1.
  public var timeoutMilliseconds: Int

  /// Whether libcurl may write the keys of the connection into the file that `SSLKEYLOGFILE`
  /// names, with which whoever has recorded the traffic can read it. No unless said otherwise:
  /// then the file stays empty even if the variable is set. (libcurl creates it all the same, when
  /// the first connection of a process is dialed.)
  public var allowsKeyLog: Bool

  /// A target; ten seconds for connecting unless said otherwise.
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

  /// The proxy that this host is reached through; nil when it is reached directly.
  public var proxyInUse: ProxySetting? {
    proxy.flatMap { $0.applies(to: host) ? $0 : nil }
  }

  /// Host and port as in a URL and in `:authority`; the port is left out when it is 443.
  public var authority: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return port == 443 ? name : "\(name):\(port)"
  }
}
