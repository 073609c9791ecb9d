import COpenSSL
import Testing

@testable import HTTP2

@Suite("Dialing", .timeLimit(.minutes(15)))
struct DialTests {
  private let authority: TestCertificate
  private let roots: TemporaryFile

  init() throws {
    authority = try TestCertificate(for: nil)
    roots = try TemporaryFile(authority.pem)
  }

  private func server(
    name: String = "localhost", days: ClosedRange<Int> = -1...1, protocols: [String] = ["h2"],
    leaves: LoopbackServer.Leaving = .withGoodbye
  ) throws -> LoopbackServer {
    let leaf = try TestCertificate(for: name, days: days, issuer: authority)
    return try LoopbackServer(
      ServerTLS(certificates: [leaf.der, authority.der], key: leaf.key, protocols: protocols),
      leaves: leaves)
  }

  private func target(_ port: UInt16) -> DialTarget {
    DialTarget(host: "localhost", port: port, additionalRoots: roots.path)
  }

  /// Why dialing failed; nil when it did not.
  private func failure(_ target: DialTarget) -> DialError? {
    do {
      _ = try Dialer.dial(target)
      return nil
    } catch { return error }
  }

  @Test("opens a link that carries requests and answers")
  func works() throws {
    let server = try server()
    let link = try Dialer.dial(target(server.port))
    try expectAnswers(over: link)
  }

  private func expectAnswers(over link: borrowing TLSConnection) throws {
    let (session, wake) = (try ClientSession(), try #require(Wake()))
    let large = String(repeating: "x", count: 100_000)
    let pushes = [prepared("aa", id: "one"), prepared("bb", body: large, id: "two")]
    for push in pushes { try session.submit(push) }
    try session.talk(over: link, wake: wake)
    #expect(pushes.map(\.status) == [200, 200])
    #expect(pushes.map { $0.headers["apns-id"] } == ["one", "two"])
  }

  @Test("says that the link was closed when the server goes")
  func closed() throws {
    let server = try server()
    let link = try Dialer.dial(target(server.port))
    let session = try ClientSession()
    session.close()
    #expect(try session.send(over: link))
    let wake = try #require(Wake())
    let end = link.end(wake)
    #expect(end == .closed)
  }

  @Test(
    "tells a server that left without TLS's goodbye from one that broke off",
    arguments: [(LoopbackServer.Leaving.withoutGoodbye, true), (.withReset, false)])
  func left(leaving: LoopbackServer.Leaving, isClosed: Bool) throws {
    let server = try server(leaves: leaving)
    let link = try Dialer.dial(target(server.port))
    let wake = try #require(Wake())
    let end = link.end(wake)
    #expect(end != nil)
    #expect((end == .closed) == isClosed)
  }

  @Test(
    "names what is wrong with a certificate",
    arguments: [
      ("localhost", -9 ... -2, DialError.CertificateFault.expired),
      ("localhost", 2...9, .notYetValid),
      ("other.example.com", -1...1, .wrongName),
    ])
  func badCertificate(
    name: String, days: ClosedRange<Int>, fault: DialError.CertificateFault
  ) throws {
    let server = try server(name: name, days: days)
    let error = failure(target(server.port))
    #expect(error?.layer == .certificate(fault))
    #expect(error?.presented?.commonName == name)
    #expect(error?.presented?.issuerCommonName == "Test authority")
  }

  @Test("does not take a common name alone for the host's name")
  func commonNameAlone() throws {
    let leaf = try TestCertificate(for: "localhost", namesHost: false, issuer: authority)
    let server = try LoopbackServer(
      ServerTLS(certificates: [leaf.der, authority.der], key: leaf.key))
    let error = failure(target(server.port))
    #expect(error?.layer == .certificate(.wrongName))
    #expect(error?.presented?.commonName == "localhost")
  }

  @Test("does not trust an authority that nobody named")
  func untrusted() throws {
    let server = try server()
    var target = target(server.port)
    target.additionalRoots = nil
    #expect(failure(target)?.layer == .certificate(.untrusted))
    let other = try TemporaryFile(TestCertificate(for: nil).pem)
    target.additionalRoots = other.path
    #expect(failure(target)?.layer == .certificate(.untrusted))
  }

  @Test("does not trust a certificate that signed itself")
  func selfSigned() throws {
    let leaf = try TestCertificate(for: "localhost")
    let server = try LoopbackServer(ServerTLS(certificates: [leaf.der], key: leaf.key))
    let error = failure(target(server.port))
    #expect(error?.layer == .certificate(.untrusted))
    #expect(error?.presented?.issuerCommonName == "localhost")
  }

  @Test("wants HTTP/2", arguments: [["http/1.1"], []])
  func noHTTP2(protocols: [String]) throws {
    let server = try server(protocols: protocols)
    #expect(failure(target(server.port))?.layer == .alpn(chosen: nil))
  }

  @Test("takes HTTP/2 from a server that would rather speak something else")
  func secondChoice() throws {
    let server = try server(protocols: ["http/1.1", "h2"])
    #expect(failure(target(server.port)) == nil)
  }

  @Test("refuses a server that speaks no TLS after 1.1")
  func oldTLS() throws {
    let leaf = try TestCertificate(for: "localhost", issuer: authority)
    let tls = try ServerTLS(certificates: [leaf.der], key: leaf.key)
    fanfare_ssl_ctx_set_min_proto_version(tls.context, TLS1_1_VERSION)
    fanfare_ssl_ctx_set_max_proto_version(tls.context, TLS1_1_VERSION)
    SSL_CTX_set_cipher_list(tls.context, "ALL:@SECLEVEL=0")
    let server = try LoopbackServer(tls)
    let error = failure(target(server.port))
    #expect(error?.layer == .tls)
    #expect(error?.detail.contains("protocol") == true)
  }

  @Test("reaches ::1, unless told to use IPv4", .enabled(if: (try? Listener(family: .v6)) != nil))
  func ipv6() throws {
    let leaf = try TestCertificate(for: "localhost", issuer: authority)
    let tls = try ServerTLS(certificates: [leaf.der], key: leaf.key)
    let server = try LoopbackServer(tls, family: .v6)
    var target = target(server.port)
    #expect(try Dialer.dial(target).facts.remoteAddress == "::1")
    target.addressFamily = .v6
    try expectAnswers(over: Dialer.dial(target))
    target.addressFamily = .v4
    #expect([.tcp, .dns].contains(failure(target)?.layer))
  }

  @Test("finds nobody on a port where nobody listens")
  func refused() throws {
    let port = try Listener().port
    #expect(failure(target(port))?.layer == .tcp)
  }

  @Test("does not wait for a server that never speaks")
  func silent() throws {
    let listener = try Listener()
    var target = target(listener.port)
    for milliseconds in [50, 0] {
      target.timeoutMilliseconds = milliseconds
      #expect(failure(target)?.layer == .timeout)
    }
  }

  @Test("finds no address for a name that has none", arguments: ["nothing.invalid", "no name"])
  func unknownName(host: String) {
    #expect(failure(DialTarget(host: host))?.layer == .dns)
  }

  @Test("says when the file of roots cannot be used")
  func badRoots() throws {
    let server = try server()
    var target = target(server.port)
    target.additionalRoots = roots.path + ".missing"
    #expect(failure(target)?.layer == .roots)
    let empty = try TemporaryFile("no certificate")
    target.additionalRoots = empty.path
    #expect(failure(target)?.layer == .roots)
  }

  @Test("says when the server speaks no TLS")
  func plainText() throws {
    let server = try #require(PlainServer(reply: "HTTP/1.1 400 Bad Request\r\n\r\n"))
    #expect(failure(target(server.port))?.layer == .tls)
  }
}
