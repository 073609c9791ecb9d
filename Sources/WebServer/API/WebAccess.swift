internal import HTTP2

/// Access control. Pages of other sites must not reach it through a browser on this
/// machine, neither by resolving their own name to 127.0.0.1 (DNS rebinding) nor by a script.
struct WebAccess: Sendable {
  let site: Website.Name
  let key: AccessKey
  let port: UInt16
  /// It listens on other addresses than loopback, possibly behind a mapped port.
  let isBound: Bool
  /// The additional host names accepted in that case.
  let names: [String]

  /// Checks host and origin and, for calls of the API, the key. The page's files need none: they
  /// hold no secret, and the key in the URL's fragment never reaches the server.
  func check(_ head: HTTPRequest) throws(HTTPRefusal) {
    guard let host = head.headers["host"], isOwn(host) else {
      throw HTTPRefusal(
        HTTPRefusal.misdirected, "The Host header does not name this \(site.noun).",
        fix: "Use the URL that '\(site.command)' printed.")
    }
    if let origin = head.headers["origin"], origin.lowercased() != "http://\(host.lowercased())" {
      throw HTTPRefusal(
        HTTPRefusal.forbidden, "The request comes from a page of another site.",
        fix: "Ask from the \(site.noun)'s own page, or from outside a browser.")
    }
    guard head.isCall else { return }
    // A malformed query gets its own error, because the key may be in it.
    if head.query == nil { _ = try Parameters(head) }
    guard hasKey(head) else {
      throw HTTPRefusal(
        HTTPRefusal.unauthorized, "The key is missing or wrong.",
        fix: "Open the URL that '\(site.command)' printed, or send 'Authorization: Bearer KEY' "
          + "with the key in it.")
    }
  }

  /// Returns true if the request has the key.
  func hasKey(_ head: HTTPRequest) -> Bool { keys(in: head).contains(where: key.matches) }

  private func keys(in head: HTTPRequest) -> [String] {
    let query = site.takesKeyInQuery ? (head.query ?? []).filter { $0.name == "key" } : []
    let bearer = head.headers["authorization"].flatMap { value in
      let words = value.split(separator: " ", maxSplits: 1)
      return words.count == 2 && words[0].lowercased() == "bearer" ? String(words[1]) : nil
    }
    return query.map(\.value) + [bearer].compactMap(\.self)
  }

  private func isOwn(_ host: String) -> Bool {
    let host = host.lowercased()
    if loopbackNames.contains(where: { host == "\($0):\(port)" }) { return true }
    // Clients omit port 80.
    if port == 80, loopbackNames.contains(host) { return true }
    return isBound && isAddressOrName(host)
  }

  private var loopbackNames: [String] { ["127.0.0.1", "localhost", "[::1]"] }

  /// Accepts addresses and known names. A site can use its own name here, but not an address.
  private func isAddressOrName(_ host: String) -> Bool {
    let isBracketed = host.hasPrefix("[")
    let name = isBracketed ? host.dropFirst().prefix { $0 != "]" } : host.prefix { $0 != ":" }
    let port = host[name.endIndex...].dropFirst(isBracketed ? 1 : 0)
    guard port.isEmpty || (port.first == ":" && port.dropFirst().allSatisfy("0123456789".contains))
    else { return false }
    let address = HostAddress(String(name))
    if isBracketed { return address != nil && host[name.endIndex...].hasPrefix("]") }
    return address != nil || name == "localhost" || names.contains { $0.lowercased() == name }
  }
}

/// The secret that gives access to the API of a page.
public struct AccessKey: Sendable, Equatable {
  /// The minimum length in characters.
  public static let shortest = 16
  /// The maximum length in characters.
  public static let longest = 256

  /// The characters: letters, digits, `-` and `_`, so it can be part of a URL.
  public let text: String

  /// Generates a key of 128 random bits.
  public init() {
    var generator = SystemRandomNumberGenerator()
    text = (0..<2).map { _ in
      let digits = String(generator.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  /// Uses a given key; nil if it is too short, too long or contains other characters.
  public init?(_ text: some StringProtocol) {
    let isFitting = text.utf8.allSatisfy { byte in
      let character = Character(UnicodeScalar(byte))
      return character.isASCII
        && (character.isLetter || character.isNumber || "-_".contains(character))
    }
    guard isFitting, Self.shortest...Self.longest ~= text.utf8.count else { return nil }
    self.text = String(text)
  }

  /// Compares in a time that does not depend on where the texts differ.
  func matches(_ other: String) -> Bool {
    let (own, others) = (Array(text.utf8), Array(other.utf8))
    guard own.count == others.count else { return false }
    return zip(own, others).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

extension AccessKey: CustomStringConvertible, CustomReflectable {
  /// A description without the key.
  public var description: String { "AccessKey" }
  /// A description without the key.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
