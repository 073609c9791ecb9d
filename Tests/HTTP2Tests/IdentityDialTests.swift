import COpenSSL
import Testing

@testable import HTTP2

@Suite("Dialing with a client certificate", .timeLimit(.minutes(15)))
struct IdentityDialTests {
  private let authority: TestCertificate
  private let roots: TemporaryFile

  init() throws {
    authority = try TestCertificate(for: nil)
    roots = try TemporaryFile(authority.pem)
  }

  private func tls(asks: Bool = true, version: Int32 = TLS1_3_VERSION) throws -> ServerTLS {
    let leaf = try TestCertificate(for: "localhost", issuer: authority)
    let tls = try ServerTLS(
      certificates: [leaf.der], key: leaf.key, asksForClientCertificate: asks)
    fanfare_ssl_ctx_set_max_proto_version(tls.context, version)
    return tls
  }

  private func target(_ server: LoopbackServer) -> DialTarget {
    DialTarget(host: "localhost", port: server.port, additionalRoots: roots.path)
  }

  /// Why no answer comes; nil when one comes.
  private func refusal(
    _ server: LoopbackServer, _ identity: ClientIdentity?
  ) throws -> (any Error)? {
    do {
      let link = try Dialer.dial(target(server), identity: identity)
      let wake = try #require(Wake())
      return link.end(wake)
    } catch { return error }
  }

  @Test(
    "shows leaf and issuers, in the order given, to a server that asks",
    arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
  func roundTrip(version: Int32) throws {
    let issuers = try (1...3).map { _ in try TestCertificate(for: nil) }
    let leaf = try TestCertificate(for: "com.example.app", issuer: issuers[0])
    let server = try LoopbackServer(tls(version: version))
    let chain = [leaf] + issuers
    let identity = try ClientIdentity(leaf, issuers: issuers)
    // One identity serves many links.
    for _ in 1...2 {
      try expectShown(signatureEnds(chain.map(\.der)), to: server, identity)
    }
    try expectShown("", to: server, nil)
  }

  @Test("shows nothing to a server that does not ask")
  func notAsked() throws {
    let server = try LoopbackServer(tls(asks: false))
    let identity = try ClientIdentity(TestCertificate(for: "com.example.app"))
    try expectShown("", to: server, identity, isAsked: false)
  }

  private func expectShown(
    _ chain: String, to server: LoopbackServer, _ identity: ClientIdentity?, isAsked: Bool = true
  ) throws {
    let (facts, shown) = try converse(with: target(server), identity)
    #expect(facts.asksForIdentity == isAsked)
    #expect(shown == chain)
  }

  static let verdicts: [(Int32, TLSAlert)] = [
    (X509_V_ERR_CERT_REJECTED, .badCertificate), (X509_V_ERR_CERT_HAS_EXPIRED, .certificateExpired),
    (X509_V_ERR_CERT_REVOKED, .certificateRevoked),
    (X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, .unknownAuthority),
    (X509_V_ERR_INVALID_PURPOSE, .unsupportedCertificate),
  ]

  @Test(
    "names the alert with which the server refuses it, in the handshake or after it",
    arguments: [TLS1_2_VERSION, TLS1_3_VERSION], verdicts)
  func refused(version: Int32, verdict: (error: Int32, alert: TLSAlert)) throws {
    let tls = try tls(version: version)
    let number = UnsafeMutableRawPointer(bitPattern: Int(verdict.error))
    SSL_CTX_set_cert_verify_callback(
      tls.context,
      { store, number in
        X509_STORE_CTX_set_error(store, Int32(Int(bitPattern: number)))
        return 0
      }, number)
    SSL_CTX_set_verify(tls.context, SSL_VERIFY_PEER, nil)
    let identity = try ClientIdentity(TestCertificate(for: "com.example.app"))
    let error = try refusal(LoopbackServer(tls), identity)
    expect(error, is: verdict.alert, version)
  }

  @Test(
    "says that the server wants a certificate",
    arguments: [
      (TLS1_2_VERSION, TLSAlert.handshakeFailure), (TLS1_3_VERSION, .certificateRequired),
    ])
  func missing(version: Int32, alert: TLSAlert) throws {
    let tls = try tls(version: version)
    SSL_CTX_set_verify(tls.context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
    expect(try refusal(LoopbackServer(tls), nil), is: alert, version)
  }

  private func expect(_ error: (any Error)?, is alert: TLSAlert, _ version: Int32) {
    if version == TLS1_3_VERSION {
      #expect(error as? ChannelFailure == .identityRefused(alert))
    } else {
      #expect((error as? DialError)?.layer == .identity(alert))
    }
  }

  @Test("does not take another fault for a refused certificate")
  func otherAlert() throws {
    let tls = try tls(version: TLS1_2_VERSION)
    SSL_CTX_set_cipher_list(tls.context, "AES128-SHA256")
    let identity = try ClientIdentity(TestCertificate(for: "com.example.app"))
    let error = try refusal(LoopbackServer(tls), identity) as? DialError
    #expect(error?.layer == .tls)
  }

  @Test("names every alert as the specification does, and others by number")
  func names() {
    #expect(TLSAlert.unknownAuthority.name == "unknown_ca")
    #expect(TLSAlert(rawValue: 49).name == "access_denied")
    #expect(TLSAlert(rawValue: 200).name == "alert 200")
  }
}

@Suite("The key log")
struct KeyLogTests {
  @Test("is libcurl's, and is written only if that is allowed", arguments: [false, true])
  func keyLog(isAllowed: Bool) throws {
    let context = try #require(SSL_CTX_new(TLS_client_method()))
    defer { SSL_CTX_free(context) }
    // As libcurl does when SSLKEYLOGFILE is set, before it hands the context over.
    SSL_CTX_set_keylog_callback(context) { _, _ in }
    let tls = ClientTLS(allowsKeyLog: isAllowed)
    #expect(tls.prepare(context))
    #expect((SSL_CTX_get_keylog_callback(context) != nil) == isAllowed)
  }
}
