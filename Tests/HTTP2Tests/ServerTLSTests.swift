import HTTP2
import Testing

@Suite("A server's TLS material", .timeLimit(.minutes(15)))
struct ServerTLSTests {
  private let leaf: TestCertificate

  init() throws { leaf = try TestCertificate(for: "localhost") }

  @Test("that belongs together is what a client sees, which is asked for its own")
  func good() throws {
    let server = try AskingServer()
    let (facts, shown) = try converse(with: server.target)
    #expect(facts.asksForIdentity && shown == "")
    #expect(facts.chain.map(\.commonName) == ["localhost", "Test authority"])
  }

  @Test("needs certificates that can be read")
  func badCertificates() {
    for certificates in [[], [[]], [[1, 2, 3]], [leaf.der, []], [leaf.der, [0x30, 0x00]]] {
      #expect(throws: ServerTLS.Failure.badCertificate) {
        try ServerTLS(certificates: certificates, key: leaf.key)
      }
    }
  }

  @Test("needs a key that can be read", arguments: [[], [1, 2, 3]] as [[UInt8]])
  func badKey(key: [UInt8]) {
    #expect(throws: ServerTLS.Failure.badKey) {
      try ServerTLS(certificates: [leaf.der], key: key)
    }
  }

  @Test("needs the key of the leaf")
  func otherKey() throws {
    let other = try TestCertificate(for: "localhost")
    #expect(throws: ServerTLS.Failure.keyDoesNotMatch) {
      try ServerTLS(certificates: [leaf.der], key: other.key)
    }
  }

  @Test("leaves a listener's port free when listening fails")
  func portInUse() throws {
    let first = try Listener()
    let failure = #expect(throws: Listener.Failure.self) { try Listener(port: first.port) }
    #expect(failure?.call == "listen" || failure?.call == "bind")
  }
}
