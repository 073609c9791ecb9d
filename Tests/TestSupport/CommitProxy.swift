internal import Foundation
internal import Synchronization

/// How a connection breaks, at a COMMIT or in other bytes.
public enum CommitCut: CaseIterable, Sendable {
  /// The server never gets it.
  case unsent
  /// The server gets it and finds nobody to answer.
  case underWay
  /// It took effect, and the answer is lost.
  case unanswered
}

/// A proxy on loopback to a PostgreSQL server, which breaks connections when it is told to.
public final class CommitProxy: Sendable {
  private let port: UInt16
  private let relay: CommitRelay

  /// Starts a proxy.
  public init(to server: PostgresServer) throws {
    let listener = try ProxySocket.listening()
    port = listener.port
    relay = CommitRelay(server: server.socketPath, stop: try Gate())
    Thread.detachNewThread { [relay] in
      while let client = listener.accept(until: relay.stop.descriptor) {
        Thread.detachNewThread { relay.serve(client) }
      }
    }
  }

  deinit { relay.stop.open() }

  /// How to reach one of the server's databases.
  public func address(of database: String) -> String {
    "postgresql://fanfare@127.0.0.1:\(port)/\(database)?sslmode=disable"
  }

  /// Breaks the connection that next sends COMMIT, or another word, and no other.
  public func cutNext(_ cut: CommitCut, at word: String = "COMMIT") { relay.cutNext(cut, word) }
}

/// The work of a proxy's threads, one for each connection.
private final class CommitRelay: Sendable {
  private let server: String
  let stop: Gate
  private let next = Mutex<(cut: CommitCut, word: [UInt8])?>(nil)

  init(server: String, stop: Gate) { (self.server, self.stop) = (server, stop) }

  func cutNext(_ cut: CommitCut, _ word: String) {
    next.withLock { $0 = (cut, Array(word.utf8)) }
  }

  /// What is to be done to the connection that sends these bytes.
  private func cut(at bytes: [UInt8]) -> CommitCut? {
    next.withLock { next in
      guard let (cut, word) = next, bytes.contains(word) else { return nil }
      next = nil
      return cut
    }
  }

  func serve(_ client: ProxySocket) {
    guard let server = ProxySocket.connected(toFile: server) else { return }
    while let ready = ProxySocket.wait(
      for: [(client, POLLIN), (server, POLLIN)], until: stop.descriptor, milliseconds: -1)
    {
      if ready[1], !carry(from: server, to: client) { return }
      if ready[0], !carryOrCut(from: client, to: server) { return }
    }
  }

  private func carry(from source: ProxySocket, to destination: ProxySocket) -> Bool {
    guard let bytes = source.readNow() else { return false }
    return destination.write(bytes, until: stop.descriptor)
  }

  /// A statement that waits for the answer to the one before it arrives as a whole.
  private func carryOrCut(from client: ProxySocket, to server: ProxySocket) -> Bool {
    guard let bytes = client.readNow() else { return false }
    guard let cut = cut(at: bytes) else {
      return server.write(bytes, until: stop.descriptor)
    }
    if cut != .unsent { server.write(bytes, until: stop.descriptor) }
    if cut == .unanswered { _ = server.read(until: stop.descriptor) }
    return false
  }
}
