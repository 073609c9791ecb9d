/// The proxy to use, and the hosts that bypass it.
public struct ProxySetting: Sendable, Hashable, CustomStringConvertible {
  /// `http://`, `socks5://`, `socks5h://`, `socks4://` or `socks4a://` URL, with the user name and
  /// password that the proxy wants. Empty: no proxy.
  public var url: String

  /// Hosts that are reached directly, in the form of `NO_PROXY`. Empty: none.
  public var exceptions: String

  /// Where the setting was found, for messages: an option or a variable. Empty: not known.
  public var origin: String

  /// A setting without exceptions unless they are given.
  public init(url: String, exceptions: String = "", origin: String = "") {
    self.url = url
    self.exceptions = exceptions
    self.origin = origin
  }

  /// Whether a host is to be reached through the proxy.
  public func applies(to host: String) -> Bool {
    !url.isEmpty && !ProxyExceptions(exceptions).contains(host)
  }

  /// The proxy without user name and password: it is safe to print once it is escaped.
  public var description: String {
    if url.isEmpty { return "none" }
    return ProxyURL(url)?.description ?? "a URL that cannot be read"
  }
}
