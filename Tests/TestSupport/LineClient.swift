internal import Foundation

/// A client on loopback that sends lines and reads lines. It waits two minutes at most.
package final class LineClient {
  private let socket: ProxySocket
  private var unread: [UInt8] = []
  /// No descriptor: nothing but time ends a wait.
  private static let noStop: Int32 = -1

  /// Connects to a port.
  package init(port: UInt16) throws {
    guard let socket = ProxySocket.connected(to: port, until: Self.noStop) else {
      throw POSIXError(.ECONNREFUSED)
    }
    self.socket = socket
  }

  /// Sends a line, and reads one; nil when the other side has closed.
  package func ask(_ line: String) -> String? {
    send(line + "\n")
    return readLine()
  }

  /// Sends a text as it is.
  package func send(_ text: String) { socket.write(Array(text.utf8), until: Self.noStop) }

  /// Whether something has come that was not read, or the other side has closed.
  package var hasUnread: Bool {
    !unread.isEmpty
      || ProxySocket.wait(for: [(socket, POLLIN)], until: Self.noStop, milliseconds: 0) == [true]
  }

  /// Tells the other side that nothing more comes.
  package func endSending() { shutdown(socket.descriptor, Int32(SHUT_WR)) }

  /// The next bytes, so many of them; fewer when the other side has closed.
  package func read(_ count: Int) -> [UInt8] {
    while unread.count < count, let bytes = socket.read(until: Self.noStop) { unread += bytes }
    defer { unread.removeFirst(min(count, unread.count)) }
    return Array(unread.prefix(count))
  }

  /// The next line, without its line feed; nil when the other side has closed.
  package func readLine() -> String? {
    while true {
      if let end = unread.firstIndex(of: 0x0A) {
        defer { unread.removeSubrange(...end) }
        return String(decoding: unread[..<end], as: UTF8.self)
      }
      guard let bytes = socket.read(until: Self.noStop) else { return nil }
      unread += bytes
    }
  }
}
