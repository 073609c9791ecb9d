/// The host and port of a TLS server.
public struct ServerAddress: Sendable, Hashable, CustomStringConvertible {
  /// A host name, an IPv4 address, or an IPv6 address without brackets.
  public var host: String

  /// The TCP port.
  public var port: UInt16

  /// Creates an address.
  public init(host: String, port: UInt16 = 443) {
    self.host = host
    self.port = port
  }

  /// Parses `https://host`, `https://host:port` or `https://[::1]:port`, with or without a trailing
  /// slash.
  ///
  /// - Parameter port: the default port.
  /// - Throws: `ServerAddressError`.
  public init(url: String, port usual: UInt16 = 443) throws(ServerAddressError) {
    guard let scheme = url.firstRange(of: "://") else { throw .noScheme }
    let name = url[..<scheme.lowerBound]
    guard name.lowercased() == "https" else { throw .notHTTPS(String(name)) }
    var rest = url[scheme.upperBound...]
    if rest.hasSuffix("/") { rest.removeLast() }
    if rest.contains(where: { "/?#@".contains($0) }) { throw .notOnlyHost }
    let (host, port) = try Self.split(rest)
    self.init(host: String(host), port: try Self.number(port) ?? usual)
  }

  /// The URL, without port 443.
  public var description: String { "https://" + authority }

  /// Host and port as in a URL, without port 443.
  public var authority: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return port == 443 ? name : "\(name):\(port)"
  }

  /// Splits text into the host, and the port with its colon.
  private static func split(
    _ text: Substring
  ) throws(ServerAddressError) -> (host: Substring, port: Substring) {
    if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
      let host = text[..<end].dropFirst()
      let isAddress = host.contains(":") && host.allSatisfy { $0.isHexDigit || ":.".contains($0) }
      guard host.isASCII, isAddress else { throw .badHost(String(host)) }
      return (host, text[end...].dropFirst())
    }
    let host = text.prefix { $0 != ":" }
    guard !host.isEmpty, host.utf8.count <= 255, host.allSatisfy(\.isHostCharacter) else {
      throw .badHost(String(host))
    }
    return (host, text[host.endIndex...])
  }

  private static func number(_ port: Substring) throws(ServerAddressError) -> UInt16? {
    if port.isEmpty { return nil }
    let digits = port.dropFirst()
    guard port.hasPrefix(":"), digits.allSatisfy({ "0"..."9" ~= $0 }), let number = UInt16(digits),
      number > 0
    else { throw .badPort }
    return number
  }
}

extension Substring {
  fileprivate var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }
}

extension Character {
  /// True for a character of a host name or an IPv4 address.
  fileprivate var isHostCharacter: Bool {
    isASCII && (isLetter || isNumber || self == "-" || self == "." || self == "_")
  }
}

/// The reason a text is not a server address.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum ServerAddressError: Error, Sendable, Hashable, CustomStringConvertible {
  /// It does not begin with `https://`.
  case noScheme
  /// It begins with a different scheme.
  case notHTTPS(String)
  /// It contains a path, a query, a fragment or a user name.
  case notOnlyHost
  /// The host is empty or contains an invalid character.
  case badHost(String)
  /// The port is not in the range 1 to 65535.
  case badPort
}

extension ServerAddressError {
  /// What a server's address must be, in one sentence.
  public var description: String {
    if self == .badPort { return "The port of a server's address is from 1 to 65535." }
    return "A server's address is \(expectation)."
  }

  /// A phrase for the expected value.
  package var expectation: String {
    switch self {
    case .noScheme, .badHost: "https://HOST or https://HOST:PORT"
    case .notHTTPS: "a URL that begins with https://: APNs is never reached without TLS"
    case .notOnlyHost: "https://HOST:PORT without a path, a query or a user name"
    case .badPort: "a port from 1 to 65535 behind the host"
    }
  }
}
