import Foundation
import HTTP2
import Synchronization

@testable import PushEmulator

/// A server on loopback that takes one connection, and whose session a script may command at each
/// request before the 200.
final class ScriptedServer: Sendable {
  /// What happens at a request: its number from 1, and the session it came on.
  typealias Script = @Sendable (_ number: Int, ServerSession) throws -> Void

  let target: DialTarget
  private let roots: RootsFile
  private let wake: Wake

  /// - Parameter streams: how many streams a client may open at first.
  init(streams: Int, script: @escaping Script) throws {
    let authority = try CertificateAuthority()
    let identity = try authority.issue(CertificateTerms())
    let tls = try ServerTLS(certificates: [identity.certificate], key: identity.key)
    let listener = try Listener()
    guard let wake = Wake() else { throw POSIXError(.EMFILE) }
    self.wake = wake
    roots = try RootsFile(authority.pem())
    target = DialTarget(
      host: "127.0.0.1", port: listener.port,
      additionalRoots: roots.path)
    Thread.detachNewThread {
      guard let socket = try? listener.accept(wake: wake),
        let link = socket.handshake(tls, wake: wake)
      else { return }
      try? Self.serve(link, wake, ServerSession(maxConcurrentStreams: streams), script)
    }
  }

  deinit { wake.call() }

  private static func serve(
    _ link: consuming ServerLink, _ wake: Wake, _ session: ServerSession, _ script: Script
  ) throws {
    var number = 0
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 8)
    defer { buffer.deallocate() }
    while !session.isFinished {
      while case let count = try link.receive(into: buffer), count > 0 {
        try session.receive(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      }
      try session.takeRequests { request in
        number += 1
        try script(number, session)
        try session.respond(to: request, status: 200, fields: [])
      }
      let isSent = try session.send(over: link)
      if link.wait(forRoom: !isSent, wake: wake, milliseconds: 10_000).contains(.woken) { return }
    }
  }
}
