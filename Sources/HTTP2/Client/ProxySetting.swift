/// The proxy to use, and the hosts that bypass it.
public struct ProxySetting: Sendable, Hashable, CustomStringConvertible {
  /// An `http://`, `socks5://`, `socks5h://`, `socks4://` or `socks4a://` URL, with the user name
  /// and password for the proxy. Empty for no proxy.
  public var url: String

  /// The hosts to reach directly, in the form of `NO_PROXY`; empty for none.
  public var exceptions: String

  /// The option or variable that the setting comes from, for messages; empty if unknown.
  public var origin: String

  /// Creates a setting, by default without exceptions.
  public init(url: String, exceptions: String = "", origin: String = "") {
    self.url = url
    self.exceptions = exceptions
    self.origin = origin
  }

  /// Returns true if the host is reached through the proxy.
  public func applies(to host: String) -> Bool {
    !url.isEmpty && !ProxyExceptions(exceptions).contains(host)
  }

  /// The proxy without user name and password; safe to print once escaped.
  public var description: String {
    if url.isEmpty { return "none" }
    return ProxyURL(url)?.description ?? "a URL that cannot be read"
  }
}
