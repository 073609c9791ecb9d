import Foundation
import Synchronization

/// A server without TLS that takes one connection and follows a script: it answers each read with
/// the next bytes. As a proxy it then carries bytes between its client and a port.
final class PlainServer: Sendable {
  let port: UInt16
  private let heard = Mutex<[[UInt8]]>([])

  /// What the client said before each answer.
  var words: [String] { heard.withLock { $0.map { String(decoding: $0, as: UTF8.self) } } }

  /// - Parameters:
  ///   - replies: what to answer, one after the other.
  ///   - target: the port to carry bytes to after the last answer; nil for none.
  ///   - drops: whether to close after the last answer; otherwise the client goes first.
  init?(replies: [[UInt8]], tunnelTo target: UInt16? = nil, drops: Bool = false) {
    guard let listener = PlainSocket.listening() else { return nil }
    port = listener.port
    Thread.detachNewThread { [self] in
      defer { listener.close() }
      guard let client = listener.accepted() else { return }
      defer { client.close() }
      guard follow(replies, client) else { return }
      if let target, let server = PlainSocket(port: target) {
        Self.carry(client, server)
        server.close()
      } else if !drops {
        // Until the client has gone, so that its last words are no reset.
        while client.read() != nil {}
      }
    }
  }

  convenience init?(reply: String, tunnelTo target: UInt16? = nil) {
    self.init(replies: [Array(reply.utf8)], tunnelTo: target)
  }

  private func follow(_ replies: [[UInt8]], _ client: PlainSocket) -> Bool {
    replies.allSatisfy { reply in
      guard let words = client.read() else { return false }
      heard.withLock { $0.append(words) }
      return reply.isEmpty || client.write(reply)
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
