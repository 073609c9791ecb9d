import Foundation
import HTTP2
import SendingSupport
import Synchronization

@testable import PushEmulator

/// A server on loopback that takes every connection, waits for the first request, and then says the
/// same bytes again and again, as fast as they are read, until the client leaves.
final class HostileServer: Sendable {
  let target: DialTarget
  private let roots: RootsFile
  private let wake: Wake

  /// - Parameters:
  ///   - start: what it says first.
  ///   - again: what it says then without end; nothing says nothing.
  init(start: [UInt8] = settings, again: [UInt8]) throws {
    let authority = try CertificateAuthority()
    let identity = try authority.issue(CertificateTerms())
    let tls = try ServerTLS(certificates: [identity.certificate], key: identity.key)
    let listener = try Listener()
    guard let wake = Wake() else { throw POSIXError(.EMFILE) }
    self.wake = wake
    roots = try RootsFile(authority.pem())
    target = DialTarget(host: "127.0.0.1", port: listener.port, additionalRoots: roots.path)
    Thread.detachNewThread {
      while let socket = try? listener.accept(wake: wake) {
        guard let link = socket.handshake(tls, wake: wake) else { continue }
        try? Self.talk(link, wake, start, again)
      }
    }
  }

  deinit { wake.call() }

  /// An empty SETTINGS frame, and the acknowledgement of the client's.
  static let settings: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0]

  private static func talk(
    _ link: consuming ServerTLSConnection, _ wake: Wake, _ start: [UInt8], _ again: [UInt8]
  ) throws {
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 8)
    defer { room.deallocate() }
    while try link.receive(into: room) == 0 {
      if link.wait(forRoom: false, wake: wake, milliseconds: 10_000) != .readable { return }
    }
    var rest = start[...]
    while true {
      if rest.isEmpty { rest = again[...] }
      rest = rest.dropFirst(try rest.withUnsafeBytes { try link.send($0) })
      while try link.receive(into: room) > 0 {}
      let ready = link.wait(
        forRoom: !rest.isEmpty || !again.isEmpty, wake: wake, milliseconds: 10_000)
      if ready.isEmpty || ready.contains(.woken) { return }
    }
  }
}

extension [UInt8] {
  /// A frame as it stands on the wire (RFC 9113 section 4.1).
  static func frame(
    _ kind: UInt8, flags: UInt8 = 0, stream: UInt8 = 0, _ payload: [UInt8] = []
  ) -> [UInt8] {
    let count = payload.count
    return [UInt8(count >> 16), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF), kind, flags]
      + [0, 0, 0, stream] + payload
  }

  /// The same so many times.
  func times(_ count: Int) -> [UInt8] { (0..<count).flatMap { _ in self } }
}
