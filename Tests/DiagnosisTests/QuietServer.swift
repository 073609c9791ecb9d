import Foundation
import HTTP2

import TestSupport
@testable import PushEmulator

/// A server on loopback that opens TLS for one client, chooses `h2`, says so many bytes and then
/// nothing.
final class QuietServer: Sendable {
  let target: DialTarget
  private let folder: KeptFolder
  private let wake: Wake

  init(saying words: [UInt8] = []) throws {
    let authority = try CertificateAuthority()
    let identity = try authority.issue(CertificateTerms())
    let tls = try ServerTLS(certificates: [identity.certificate], key: identity.key)
    let listener = try Listener()
    guard let wake = Wake() else { throw POSIXError(.EMFILE) }
    self.wake = wake
    folder = try KeptFolder()
    target = DialTarget(
      host: "127.0.0.1", port: listener.port,
      additionalRoots: try folder.file("roots.pem", authority.pem()), timeoutMilliseconds: 1500)
    Thread.detachNewThread {
      while let socket = try? listener.accept(wake: wake) {
        // A probe opens a connection and says nothing.
        guard let link = socket.handshake(tls, wake: wake) else { continue }
        _ = words.withUnsafeBytes { try? link.send($0) }
        wake.wait(milliseconds: 10_000, keepsCalls: true)
        return
      }
    }
  }

  deinit { wake.call() }
}
