internal import CCurl

/// The URL of a proxy, as libcurl reads it.
public struct ProxyURL: Sendable, Hashable, CustomStringConvertible {
  /// The protocol for talking to the proxy.
  public enum Scheme: String, Sendable {
    /// An HTTP proxy that opens a tunnel with CONNECT; the default for a URL without a scheme.
    case http
    /// SOCKS 4; names are resolved locally.
    case socks4
    /// SOCKS 4a; the proxy resolves names.
    case socks4a
    /// SOCKS 5 (RFC 1928); names are resolved locally.
    case socks5
    /// SOCKS 5; the proxy resolves names.
    case socks5h
  }

  /// The protocol for talking to the proxy.
  public let scheme: Scheme

  /// A name or an address; IPv6 in brackets.
  public let host: String

  /// The port; 1080 if the URL has none.
  public let port: UInt16

  /// True if the URL contains a password.
  public let hasPassword: Bool

  /// Parses a URL; nil if libcurl cannot, or if the scheme is not supported.
  ///
  /// `https://`, which is TLS to the proxy itself, is not supported: libcurl would negotiate HTTP/2
  /// with the proxy and present the client certificate to it.
  public init?(_ text: String) {
    guard let url = curl_url() else { return nil }
    defer { curl_url_cleanup(url) }
    let flags = UInt32(CURLU_NON_SUPPORT_SCHEME | CURLU_GUESS_SCHEME)
    guard curl_url_set(url, CURLUPART_URL, text, flags) == CURLUE_OK,
      let name = part(CURLUPART_SCHEME, of: url), let host = part(CURLUPART_HOST, of: url),
      let scheme = Scheme(rawValue: name == "socks" ? "socks4" : name)
    else { return nil }
    let port = part(CURLUPART_PORT, of: url).map { UInt16($0) ?? 0 } ?? 1080
    if port == 0 { return nil }
    self.scheme = scheme
    self.host = host
    self.port = port
    hasPassword = part(CURLUPART_PASSWORD, of: url) != nil
  }

  /// The URL without user name and password.
  public var description: String { "\(scheme.rawValue)://\(host):\(port)" }
}

/// A component of a URL; nil if it is absent.
private func part(_ part: CURLUPart, of url: OpaquePointer) -> String? {
  var text: UnsafeMutablePointer<CChar>?
  guard curl_url_get(url, part, &text, 0) == CURLUE_OK, let text else { return nil }
  defer { curl_free(text) }
  return String(cString: text)
}
