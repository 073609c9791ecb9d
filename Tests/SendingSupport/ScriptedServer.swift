import Foundation
package import HTTP2

@testable import PushEmulator

/// A server on loopback whose sessions a script may command at each request before the 200, and a
/// test between two requests.
package final class ScriptedServer: Sendable {
  /// What happens at a request: its number from 1, over all connections, and the session it came
  /// on.
  package typealias Script = @Sendable (_ number: Int, ServerSession) throws -> Void

  /// What a connection does after an order.
  package enum Conduct {
    case goesOn
    case hangsUp
    /// It neither reads nor sends any more, and stays open.
    case fallsSilent
  }

  package let target: DialTarget
  private let roots: RootsFile
  private let stage: ScriptedStage

  /// - Parameter streams: how many streams a client may open at first.
  package init(streams: Int, script: @escaping Script) throws {
    let authority = try CertificateAuthority()
    let identity = try authority.issue(CertificateTerms())
    let tls = try ServerTLS(certificates: [identity.certificate], key: identity.key)
    let listener = try Listener()
    roots = try RootsFile(authority.pem())
    target = DialTarget(
      host: "127.0.0.1", port: listener.port,
      additionalRoots: roots.path)
    guard let wake = Wake() else { throw POSIXError(.EMFILE) }
    let stage = ScriptedStage(wake, script)
    self.stage = stage
    Thread.detachNewThread {
      while let socket = try? listener.accept(wake: wake), let wake = stage.enter() {
        let accepted = AcceptedBox(socket)
        Thread.detachNewThread {
          guard let link = accepted.take()?.handshake(tls, wake: wake) else { return }
          stage.serve(link, ServerSession.scripted(streams), wake)
        }
      }
    }
  }

  deinit { stage.stop() }

  /// How many clients have connected.
  package var connectionCount: Int { stage.connectionCount }

  /// Has the newest connection do something between two requests, and returns when it is done.
  package func order(_ order: @escaping @Sendable (ServerSession) throws -> Conduct) -> Bool {
    stage.order(order)
  }

  /// Waits for the end of a connection: whether the client said GOAWAY before it went; nil when
  /// none ends.
  package func nextEnd() -> Bool? { stage.nextEnd() }
}

extension ServerSession {
  fileprivate static func scripted(_ streams: Int) -> ServerSession? {
    try? ServerSession(maxConcurrentStreams: streams)
  }
}

/// Hands a socket to the thread that serves it.
///
/// `@unchecked Sendable` because the one thread that takes it begins after the other has put it.
private final class AcceptedBox: @unchecked Sendable {
  private var socket: AcceptedSocket?

  init(_ socket: consuming AcceptedSocket) { self.socket = consume socket }

  func take() -> AcceptedSocket? { socket.take() }
}
