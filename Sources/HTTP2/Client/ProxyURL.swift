internal import CCurl

/// The URL of a proxy, as libcurl reads it.
public struct ProxyURL: Sendable, Hashable, CustomStringConvertible {
  /// How the proxy is spoken to.
  public enum Scheme: String, Sendable {
    /// An HTTP proxy that opens a tunnel with CONNECT. Also what a URL without a scheme means.
    case http
    /// SOCKS 4; names are looked up here.
    case socks4
    /// SOCKS 4a: the proxy looks names up.
    case socks4a
    /// SOCKS 5 (RFC 1928); names are looked up here.
    case socks5
    /// SOCKS 5; the proxy looks names up.
    case socks5h
  }

  /// How the proxy is spoken to.
  public let scheme: Scheme

  /// A name, or an address; IPv6 in brackets.
  public let host: String

  /// The port; 1080 when the URL names none.
  public let port: UInt16

  /// Whether the URL holds a password.
  public let hasPassword: Bool

  /// Reads a URL; nil when libcurl cannot, or when its scheme is another one.
  ///
  /// `https://`, TLS on the way to the proxy itself, is not among them: the proxy would be asked
  /// for HTTP/2 and shown the client certificate.
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

/// A part of a URL; nil when it has none.
private func part(_ part: CURLUPart, of url: OpaquePointer) -> String? {
  var text: UnsafeMutablePointer<CChar>?
  guard curl_url_get(url, part, &text, 0) == CURLUE_OK, let text else { return nil }
  defer { curl_free(text) }
  return String(cString: text)
}
