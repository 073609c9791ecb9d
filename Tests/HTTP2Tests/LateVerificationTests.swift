import CCurl
import COpenSSL
import Testing

@testable import HTTP2

/// libcurl 8.17 and newer let the handshake succeed with any certificate, and look at it afterwards:
/// they set `SSL_VERIFY_NONE` before they hand the context out.
@Suite("A libcurl that verifies late", .timeLimit(.minutes(15)))
struct LateVerificationTests {
  private let authority: TestCertificate
  private let roots: TemporaryFile

  init() throws {
    authority = try TestCertificate(for: nil)
    roots = try TemporaryFile(authority.pem)
  }

  /// Prepares a context as such a libcurl does, and connects.
  ///
  /// - Returns: whether the handshake succeeded.
  private func shakesHands(_ tls: ClientTLS, days: ClosedRange<Int>) throws -> Bool {
    let leaf = try TestCertificate(for: "localhost", days: days, issuer: authority)
    let server = try LoopbackServer(ServerTLS(certificates: [leaf.der], key: leaf.key))
    let context = try #require(SSL_CTX_new(TLS_client_method()))
    defer { SSL_CTX_free(context) }
    SSL_CTX_set_verify(context, SSL_VERIFY_NONE, nil)
    #expect(tls.prepare(context))
    let socket = try #require(PlainSocket(port: server.port))
    defer { socket.close() }
    let ssl = try #require(SSL_new(context))
    defer { SSL_free(ssl) }
    SSL_set_fd(ssl, socket.descriptor)
    return SSL_connect(ssl) == 1
  }

  @Test("accepts a good certificate")
  func good() throws {
    let tls = ClientTLS(additionalRoots: roots.path)
    #expect(try shakesHands(tls, days: -1...1))
    #expect(tls.handshake.chosenProtocol == "h2")
  }

  @Test(
    "names what is wrong with a certificate",
    arguments: [
      (-9 ... -2, true, DialError.CertificateFault.expired), (2...9, true, .notYetValid),
      (-1...1, false, .untrusted),
    ])
  func bad(days: ClosedRange<Int>, isTrusted: Bool, fault: DialError.CertificateFault) throws {
    let tls = ClientTLS(additionalRoots: isTrusted ? roots.path : nil)
    #expect(try !shakesHands(tls, days: days))
    let layer = DialError.Layer(
      code: CURLE_PEER_FAILED_VERIFICATION, tls: tls, proxyFault: nil, detail: "")
    #expect(layer == .certificate(fault))
    #expect(tls.handshake.chain.map { $0.parsed.first?.commonName } == "localhost")
  }
}
