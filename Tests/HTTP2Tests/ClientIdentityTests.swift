import HTTP2
import Testing

@Suite("A client identity", .timeLimit(.minutes(15)))
struct ClientIdentityTests {
  private let leaf: TestCertificate

  init() throws { leaf = try TestCertificate(for: "com.example.app") }

  @Test("signs in a handshake with a key in any of the forms that DER knows")
  func keyForms() throws {
    let rsa = try TestCertificate(for: "com.example.app", rsaBits: 2048)
    let server = try AskingServer()
    for certificate in [leaf, rsa] {
      for key in [certificate.key, certificate.traditionalKey] {
        let identity = try ClientIdentity(certificates: [certificate.der], keyBytes: key)
        #expect(
          try converse(with: server.target, identity).shown == signatureEnds([certificate.der]))
      }
    }
  }

  @Test("needs certificates that can be read, and nothing behind them")
  func badCertificates() {
    for certificates in [[], [[]], [[1, 2, 3]], [leaf.der, []], [leaf.der + [0]]] {
      #expect(throws: ClientIdentity.Failure.badCertificate) {
        try ClientIdentity(certificates: certificates, keyBytes: leaf.key)
      }
    }
  }

  @Test("needs a key that can be read")
  func badKey() {
    for key in [[], [1, 2, 3], Array(leaf.key.dropLast()), leaf.key + [0], leaf.der] {
      #expect(throws: ClientIdentity.Failure.badKey) {
        try ClientIdentity(certificates: [leaf.der], keyBytes: key)
      }
    }
  }

  @Test("needs the key of the first certificate")
  func otherKey() throws {
    let other = try TestCertificate(for: "com.example.app")
    for certificates in [[leaf.der], [leaf.der, other.der]] {
      #expect(throws: ClientIdentity.Failure.keyDoesNotMatch) {
        try ClientIdentity(certificates: certificates, keyBytes: other.key)
      }
    }
  }

  @Test("is refused in OpenSSL's words when a key is too weak, the leaf's or an issuer's")
  func weakKey() throws {
    let weak = try TestCertificate(for: "com.example.app", rsaBits: 512)
    #expect(throws: ClientIdentity.Failure.refused("ee key too small")) {
      try ClientIdentity(weak)
    }
    #expect(throws: ClientIdentity.Failure.refused("ca key too small")) {
      try ClientIdentity(leaf, issuers: [weak])
    }
  }
}
