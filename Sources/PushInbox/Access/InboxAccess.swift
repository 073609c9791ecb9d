internal import HTTP2

/// Who may ask the inbox. A page of another site must not reach it through a browser on this
/// machine: neither under a name of its own for 127.0.0.1 (DNS rebinding) nor by a script.
struct InboxAccess: Sendable {
  let key: InboxKey
  let port: UInt16
  /// Whether it listens on other addresses than loopback, maybe behind a mapped port.
  let isBound: Bool
  /// The host names that are good besides, when it does.
  let names: [String]

  /// The name of the cookie that the page gets. Cookies of different ports are not kept apart.
  var cookieName: String { "fanfare-inbox-\(port)" }

  /// The header that sets it.
  var cookie: String { "\(cookieName)=\(key.text); Path=/; HttpOnly; SameSite=Strict" }

  /// - Throws: `Refusal`.
  func check(_ head: HTTPRequest) throws(Refusal) {
    guard let host = head.headers["host"], isOwn(host) else {
      throw Refusal(
        Refusal.misdirected, "The Host header does not name this inbox.",
        fix: "Use the URL that 'fanfare emulator' printed.")
    }
    if let origin = head.headers["origin"], origin.lowercased() != "http://\(host.lowercased())" {
      throw Refusal(
        Refusal.forbidden, "The request comes from a page of another site.",
        fix: "Ask from the inbox's own page, or from outside a browser.")
    }
    // The key may be in a query that cannot be read.
    if head.query == nil { _ = try Parameters(head) }
    guard keys(in: head).contains(where: key.matches) else {
      throw Refusal(
        Refusal.unauthorized, "The key is missing or wrong.",
        fix: "Open the URL that 'fanfare emulator' printed, or send 'Authorization: Bearer KEY' "
          + "with the key in it.")
    }
  }

  private func keys(in head: HTTPRequest) -> [String] {
    let query = (head.query ?? []).filter { $0.name == "key" }.map(\.value)
    let bearer = head.headers["authorization"].flatMap { value in
      let words = value.split(separator: " ", maxSplits: 1)
      return words.count == 2 && words[0].lowercased() == "bearer" ? String(words[1]) : nil
    }
    return query + [bearer, head.cookies[cookieName]].compactMap(\.self)
  }

  private func isOwn(_ host: String) -> Bool {
    let host = host.lowercased()
    if loopbackNames.contains(where: { host == "\($0):\(port)" }) { return true }
    // Port 80 is left out.
    if port == 80, loopbackNames.contains(host) { return true }
    return isBound && isAddressOrName(host)
  }

  private var loopbackNames: [String] { ["127.0.0.1", "localhost", "[::1]"] }

  /// No other site can make a browser write an address there, unlike a name.
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
