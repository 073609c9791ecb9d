import Foundation

/// A server without TLS that takes one connection, reads once and says one thing. As a CONNECT proxy
/// it then carries bytes between its client and a port.
struct PlainServer {
  let port: UInt16

  init?(reply: String, tunnelTo target: UInt16? = nil) {
    guard let listener = PlainSocket.listening() else { return nil }
    port = listener.port
    Thread.detachNewThread { Self.serve(listener, reply, target) }
  }

  private static func serve(_ listener: PlainSocket, _ reply: String, _ target: UInt16?) {
    defer { listener.close() }
    guard let client = listener.accepted() else { return }
    defer { client.close() }
    guard client.read() != nil, client.write(Array(reply.utf8)) else { return }
    if let target, let server = PlainSocket(port: target) {
      carry(client, server)
      server.close()
    } else {
      // Until the client has gone, so that its last words are no reset.
      while client.read() != nil {}
    }
  }

  private static func carry(_ one: PlainSocket, _ other: PlainSocket) {
    while true {
      var waiting = [one, other].map {
        pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0)
      }
      guard poll(&waiting, 2, 10_000) > 0 else { return }
      for (from, to, state) in [(one, other, waiting[0]), (other, one, waiting[1])]
      where state.revents != 0 {
        guard let bytes = from.read(), to.write(bytes) else { return }
      }
    }
  }
}
