/// The host and port of a server that is spoken to over TLS.
public struct ServerAddress: Sendable, Hashable, CustomStringConvertible {
  /// A host name, an IPv4 address, or an IPv6 address without brackets.
  public var host: String

  /// The TCP port.
  public var port: UInt16

  /// A host and a port.
  public init(host: String, port: UInt16 = 443) {
    self.host = host
    self.port = port
  }

  /// Reads `https://host`, `https://host:port` or `https://[::1]:port`, with or without a slash at
  /// the end.
  ///
  /// - Throws: `ServerAddressError`.
  public init(url: String) throws(ServerAddressError) {
    guard let scheme = url.firstRange(of: "://") else { throw .noScheme }
    guard url[..<scheme.lowerBound].lowercased() == "https" else { throw .notHTTPS(String(url[..<scheme.lowerBound])) }
    var rest = url[scheme.upperBound...]
    if rest.hasSuffix("/") { rest.removeLast() }
    if rest.contains(where: { "/?#@".contains($0) }) { throw .notOnlyHost }
    let (host, port) = Self.split(rest)
    guard Self.isHost(host) else { throw .badHost(String(host)) }
    guard let port = port.map({ UInt16($0) }) ?? 443, port > 0 else { throw .badPort }
    self.init(host: String(host), port: port)
  }

  /// The URL, without the port when it is 443.
  public var description: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return "https://" + (port == 443 ? name : "\(name):\(port)")
  }

  private static func split(_ text: Substring) -> (host: Substring, port: Substring?) {
    if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
      let host = text[text.index(after: text.startIndex)..<end]
      let rest = text[text.index(after: end)...]
      return (host, rest.isEmpty ? nil : rest.dropFirst())
    }
    guard let colon = text.lastIndex(of: ":") else { return (text, nil) }
    return (text[..<colon], text[text.index(after: colon)...])
  }

  private static func isHost(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.count <= 255
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: "."),
          UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }
}

/// Why a text is not the address of a server.
public enum ServerAddressError: Error, Sendable, Hashable {
  /// It does not begin with `https://`.
  case noScheme
  /// It begins with another scheme.
  case notHTTPS(String)
  /// It holds a path, a query, a fragment or a user name.
  case notOnlyHost
  /// The host is empty or holds a character that none can.
  case badHost(String)
  /// The port is not 1 to 65535.
  case badPort
}
