// The SOCKS proxy (RFC 1928, RFC 1929).
extension ProxyConnection {
  func serveSOCKS() {
    guard greets(), let request = socksRequest() else { return }
    context.record(request)
    switch context.behaviour {
    case .carries: openSOCKS(request)
    case .drops(let count): openSOCKS(request, limit: count)
    case .refuses: reply(2)
    case .saysGarbage: say(Array("SSH-2.0-garbage\r\n\r\n".utf8))
    case .keepsSilent: waitForEnd()
    case .hangsUp: break
    }
  }

  private func openSOCKS(_ request: TestProxy.Request, limit: Int = .max) {
    guard let server = server(request.destination) else { return reply(4) }
    reply(0)
    carry(to: server, limit: limit)
  }

  /// Agrees on a method and takes the credentials; false when the client is refused.
  private func greets() -> Bool {
    guard let head = take(2), head[0] == 5, let methods = take(Int(head[1])) else { return false }
    let method: UInt8 = context.credentials == nil ? 0 : 2
    guard methods.contains(method) else {
      say([5, 0xFF])
      return false
    }
    say([5, method])
    return context.credentials.map(signsIn) ?? true
  }

  private func signsIn(as wanted: TestProxy.Credentials) -> Bool {
    credentials = socksCredentials()
    say([1, credentials == wanted ? 0 : 1])
    return credentials == wanted
  }

  private func socksCredentials() -> TestProxy.Credentials? {
    guard take(1) == [1], let user = shortText(), let password = shortText() else { return nil }
    return TestProxy.Credentials(user: user, password: password)
  }

  private func shortText() -> String? {
    take(1).flatMap { take(Int($0[0])) }.map { String(decoding: $0, as: UTF8.self) }
  }

  private func socksRequest() -> TestProxy.Request? {
    guard let head = take(4), head[0] == 5, head[1] == 1, let host = host(kind: head[3]),
      let port = take(2)
    else { return nil }
    let number = Int(port[0]) << 8 | Int(port[1])
    return TestProxy.Request(line: "SOCKS \(host):\(number)", credentials: credentials)
  }

  private func host(kind: UInt8) -> String? {
    switch kind {
    case 1: take(4)?.map(String.init).joined(separator: ".")
    case 3: shortText()
    case 4: take(16).map { _ in "[IPv6]" }
    default: nil
    }
  }

  private func reply(_ code: UInt8) { say([5, code, 0, 1, 0, 0, 0, 0, 0, 0]) }
}
