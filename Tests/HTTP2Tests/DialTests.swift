import HTTP2
import Testing

@Suite("Dialing", .timeLimit(.minutes(1)))
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

  private func target(_ port: UInt16, proxy: String? = "") -> DialTarget {
    DialTarget(host: "localhost", port: port, proxy: proxy, additionalRoots: roots.path)
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

  private func expectAnswers(over link: borrowing Link) throws {
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
    #expect(failure(target(server.port))?.layer == .certificate(fault))
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
    #expect(failure(target(server.port))?.layer == .certificate(.untrusted))
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
    #expect(failure(DialTarget(host: host, proxy: ""))?.layer == .dns)
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

  @Test("goes through a proxy's tunnel")
  func tunnel() throws {
    let server = try server()
    let proxy = try #require(
      PlainServer(
        reply: "HTTP/1.1 200 Connection established\r\n\r\n", tunnelTo: server.port))
    try expectAnswers(
      over: Dialer.dial(target(server.port, proxy: "http://127.0.0.1:\(proxy.port)")))
  }

  @Test(
    "blames the proxy for what the proxy did",
    arguments: [
      "HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n",
      "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n",
    ])
  func refusedTunnel(reply: String) throws {
    let proxy = try #require(PlainServer(reply: reply))
    let error = failure(target(443, proxy: "http://127.0.0.1:\(proxy.port)"))
    #expect(error?.layer == .proxy)
    #expect(error?.detail.contains(reply.split(separator: " ")[1]) == true)
  }

  @Test("blames the proxy when it is not there")
  func missingProxy() throws {
    let port = try Listener().port
    for url in ["http://127.0.0.1:\(port)", "socks5h://127.0.0.1:\(port)", "gopher://x"] {
      #expect(failure(target(443, proxy: url))?.layer == .proxy)
    }
    #expect(failure(target(443, proxy: "http://nothing.invalid:1"))?.layer == .proxy)
  }
}

extension Link {
  /// Why the link ends; nil when ten seconds pass without a word.
  fileprivate borrowing func end(_ wake: Wake) -> Failure? {
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
      do throws(Failure) {
        while wait(forRoom: false, wake: wake, milliseconds: 10_000) == .readable {
          while try receive(into: buffer) > 0 {}
        }
        return nil
      } catch { return error }
    }
  }
}
