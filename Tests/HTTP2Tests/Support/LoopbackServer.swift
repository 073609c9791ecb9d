import Foundation
import HTTP2

/// A TLS server on loopback that answers each request with 200 until nobody holds it any more. The
/// answer's field `client-chain` has the signatures' ends of the certificates that the client
/// showed.
final class LoopbackServer: Sendable {
  /// When and how it leaves.
  enum Leaving {
    /// After the client's GOAWAY, and says so.
    case withGoodbye
    /// At once, with a bare FIN.
    case withoutGoodbye
    /// At once, with RST.
    case withReset
  }

  let port: UInt16
  private let wake: Wake

  init(_ tls: ServerTLS, leaves leaving: Leaving = .withGoodbye, family: AddressFamily = .v4) throws
  {
    let listener = try Listener(family: family)
    guard let wake = Wake() else { throw TestCertificate.Failure() }
    port = listener.port
    self.wake = wake
    Thread.detachNewThread {
      while let accepted = try? listener.accept(wake: wake) {
        guard let link = accepted.handshake(tls, wake: wake) else { continue }
        switch leaving {
        case .withGoodbye: try? Self.serve(link, wake)
        case .withoutGoodbye: break
        case .withReset: link.resetOnClose()
        }
      }
    }
  }

  deinit { wake.call() }

  private static func serve(_ link: consuming ServerTLSConnection, _ wake: Wake) throws {
    let session = try ServerSession(maxConcurrentStreams: 100)
    let shown = (link.clientCertificate.map { [$0] } ?? []) + link.clientIssuers
    let chain = Field("client-chain", signatureEnds(shown))
    while true {
      try session.receiveAll(from: link)
      try session.takeRequests {
        let echo = Field("apns-id", $0.headers["apns-id"] ?? "none")
        try session.respond(to: $0, status: 200, fields: [echo, chain])
      }
      let sentAll = try session.send(over: link)
      if session.isFinished { break }
      let ready = link.wait(forRoom: !sentAll, wake: wake, milliseconds: 10_000)
      if ready.isEmpty || ready.contains(.woken) { return }
    }
    link.sayGoodbye()
  }
}

/// The last eight bytes of each certificate, which are its signature's.
func signatureEnds(_ certificates: [[UInt8]]) -> String {
  certificates.map { "\($0.suffix(8))" }.joined()
}

extension ServerSession {
  fileprivate func receiveAll(from link: borrowing ServerTLSConnection) throws {
    try withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 8) { buffer in
      while case let count = try link.receive(into: buffer), count > 0 {
        try receive(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      }
    }
  }
}

extension ClientSession {
  /// Talks over a link until nothing is open, or ten seconds pass without a word.
  func talk(over link: borrowing TLSConnection, wake: Wake) throws {
    while openCount > 0 {
      let sentAll = try send(over: link)
      if link.wait(forRoom: !sentAll, wake: wake, milliseconds: 10_000).isEmpty { return }
      try withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 8) { buffer in
        while case let count = try link.receive(into: buffer), count > 0 {
          try receive(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
      }
    }
  }
}

extension TLSConnection {
  /// Why the link ends; nil when ten seconds pass without a word.
  borrowing func end(_ wake: Wake) -> ChannelFailure? {
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
      do throws(ChannelFailure) {
        while wait(forRoom: false, wake: wake, milliseconds: 10_000) == .readable {
          while try receive(into: buffer) > 0 {}
        }
        return nil
      } catch { return error }
    }
  }
}

/// A server that asks for a client certificate, and where a client that trusts it finds it.
struct AskingServer {
  let target: DialTarget
  private let server: LoopbackServer
  private let roots: TemporaryFile

  init() throws {
    let authority = try TestCertificate(for: nil)
    let leaf = try TestCertificate(for: "localhost", issuer: authority)
    let tls = try ServerTLS(
      certificates: [leaf.der], key: leaf.key, asksForClientCertificate: true)
    (server, roots) = (try LoopbackServer(tls), try TemporaryFile(authority.pem))
    target = DialTarget(host: "localhost", port: server.port, additionalRoots: roots.path)
  }
}

/// Sends a request to a server of this file: what is known of the link, and which chain the server
/// saw; nil when it did not answer.
func converse(
  with target: DialTarget, _ identity: ClientIdentity? = nil
) throws -> (facts: TLSConnectionFacts, shown: String?) {
  let link = try Dialer.dial(target, identity: identity)
  let facts = link.facts
  guard let wake = Wake() else { throw TestCertificate.Failure() }
  let (session, push) = (try ClientSession(), prepared("aa", id: "one"))
  try session.submit(push)
  try session.talk(over: link, wake: wake)
  return (facts, push.headers["client-chain"])
}
