internal import CCurl
internal import POSIX

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

  /// True if the URL contains a user name.
  let hasLogin: Bool

  /// Parses a URL; nil if libcurl cannot, if the scheme is not supported, or if it is not certain
  /// where user name and password end: part of a password would be taken for the host.
  ///
  /// `https://`, which is TLS to the proxy itself, is not supported: libcurl would negotiate HTTP/2
  /// with the proxy and present the client certificate to it.
  public init?(_ text: String) {
    guard URLLogin.isCertain(in: text), let url = curl_url() else { return nil }
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
    hasLogin = part(CURLUPART_USER, of: url) != nil
  }

  /// The URL without user name and password.
  public var description: String { "\(scheme.rawValue)://\(host):\(port)" }
}

/// The user name and password in a URL.
package enum URLLogin {
  /// The advice on writing them.
  package static let advice =
    "In a user name or password write @ : / # ? as %40 %3A %2F %23 %3F."

  /// Returns true if it is certain where they end, or that there are none: before the only `@`
  /// comes nothing that ends a host.
  package static func isCertain(in url: String) -> Bool {
    let start = url.firstRange(of: "://").flatMap { sign in
      url[..<sign.lowerBound].allSatisfy { $0.isLetter || $0.isNumber } ? sign.upperBound : nil
    }
    let parts = url[(start ?? url.startIndex)...]
      .split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 1 || parts.count == 2 && !parts[0].contains { "/?#".contains($0) }
  }

  /// The URL without them, to show; an ellipsis alone if it is not certain where they end.
  package static func cut(from url: String) -> String {
    guard isCertain(in: url) else { return "…" }
    return url.lastIndex(of: "@").map { "…" + url[$0...] } ?? url
  }
}

/// A component of a URL; nil if it is absent.
private func part(_ part: CURLUPart, of url: OpaquePointer) -> String? {
  var text: UnsafeMutablePointer<CChar>?
  guard curl_url_get(url, part, &text, 0) == CURLUE_OK, let text else { return nil }
  defer { curl_free(text) }
  return String(cString: text)
}

/// The hosts in a `NO_PROXY` value, by curl's rules: `*` alone matches every host; otherwise a
/// list, separated by commas or spaces, of names (including their subdomains), addresses, and since
/// curl 7.86 networks such as `10.0.0.0/8`.
struct ProxyExceptions {
  private let text: String

  init(_ text: String) { self.text = text }

  /// - Parameter host: a name, or an address without brackets.
  func contains(_ host: String) -> Bool {
    if text == "*" { return true }
    let entries = text.split { $0 == "," || $0 == " " || $0 == "\t" }
    if let address = AddressBytes(host) { return entries.contains { address.isIn($0) } }
    let name = withoutDot(host[...])
    return entries.contains { isName(name, in: $0) }
  }

  private func isName(_ name: Substring, in entry: Substring) -> Bool {
    let domain = withoutDot(entry.hasPrefix(".") ? entry.dropFirst() : entry).lowercased()
    let name = name.lowercased()
    return !domain.isEmpty && (name == domain || name.hasSuffix("." + domain))
  }

  private func withoutDot(_ name: Substring) -> Substring {
    name.hasSuffix(".") ? name.dropLast() : name
  }
}

/// A numeric address in network byte order.
private struct AddressBytes {
  private let bytes: [UInt8]

  init?(_ text: some StringProtocol) {
    for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
      var bytes = [UInt8](repeating: 0, count: count)
      if inet_pton(family, String(text), &bytes) == 1 {
        self.bytes = bytes
        return
      }
    }
    return nil
  }

  /// True if this is the entry's address or lies in the entry's network.
  func isIn(_ entry: Substring) -> Bool {
    let parts = entry.split(separator: "/", maxSplits: 1)
    guard let first = parts.first, let network = AddressBytes(first),
      network.bytes.count == bytes.count
    else { return false }
    guard parts.count == 2 else { return network.bytes == bytes }
    guard let bits = Int(parts[1]), 0...bytes.count * 8 ~= bits else { return false }
    // curl takes a prefix length of 0 to mean all bits.
    return agrees(with: network, bits: bits == 0 ? bytes.count * 8 : bits)
  }

  private func agrees(with network: AddressBytes, bits: Int) -> Bool {
    let (whole, rest) = bits.quotientAndRemainder(dividingBy: 8)
    guard bytes.prefix(whole) == network.bytes.prefix(whole) else { return false }
    return rest == 0 || (bytes[whole] ^ network.bytes[whole]) >> (8 - rest) == 0
  }
}
