internal import Foundation

/// One client of a proxy. It belongs to one thread.
final class ProxyConnection {
  private let client: ProxySocket
  let context: ProxyContext
  private var unread: ArraySlice<UInt8> = []
  /// What a SOCKS client signed in with.
  var credentials: TestProxy.Credentials?

  init(client: ProxySocket, context: ProxyContext) {
    self.client = client
    self.context = context
  }

  /// Hears the client out and does what the proxy does to its clients.
  func serve() {
    switch context.kind {
    case .http: serveHTTP()
    case .socks5: serveSOCKS()
    }
  }

  /// The client's next bytes; nil when it has gone, or the proxy stops.
  func take(_ count: Int) -> [UInt8]? {
    while unread.count < count {
      guard let more = client.read(until: context.stopSignal) else { return nil }
      context.hear(more)
      unread += more
    }
    defer { unread = unread.dropFirst(count) }
    return Array(unread.prefix(count))
  }

  func say(_ bytes: [UInt8]) { client.write(bytes, until: context.stopSignal) }

  /// Waits until the client has gone, so that closing destroys no last word.
  func waitForEnd() { while client.read(until: context.stopSignal) != nil {} }

  /// Connects to what a destination leads to; nil when that cannot be reached.
  func server(_ destination: String) -> ProxySocket? {
    context.port(for: destination).flatMap {
      ProxySocket.connected(to: $0, until: context.stopSignal)
    }
  }

  /// Carries bytes both ways until one side ends, or enough have come from the server.
  func carry(to server: ProxySocket, limit: Int = .max) {
    if !unread.isEmpty { server.write(Array(unread), until: context.stopSignal) }
    var count = 0
    while count < limit,
      let ready = ProxySocket.wait(
        for: [(client, POLLIN), (server, POLLIN)], until: context.stopSignal)
    {
      if ready[0] {
        guard let bytes = client.readNow() else { return }
        context.hear(bytes)
        server.write(bytes, until: context.stopSignal)
      }
      if ready[1] {
        guard let bytes = server.readNow() else { return }
        count += bytes.count
        say(bytes)
      }
    }
  }
}
