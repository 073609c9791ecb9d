import Foundation
import HTTP2
import Testing

@Suite("Dialing through a proxy", .timeLimit(.minutes(15)))
struct ProxyDialTests {
  private static let welcome = "HTTP/1.1 200 Connection established\r\n\r\n"

  private let roots: TemporaryFile
  private let server: LoopbackServer

  init() throws {
    let authority = try TestCertificate(for: nil)
    let leaf = try TestCertificate(for: "localhost", issuer: authority)
    roots = try TemporaryFile(authority.pem)
    server = try LoopbackServer(ServerTLS(certificates: [leaf.der], key: leaf.key))
  }

  private func target(_ proxy: ProxySetting) -> DialTarget {
    DialTarget(host: "localhost", port: server.port, proxy: proxy, additionalRoots: roots.path)
  }

  private func failure(_ url: String, exceptions: String = "") -> DialError? {
    do {
      _ = try Dialer.dial(target(ProxySetting(url: url, exceptions: exceptions)))
      return nil
    } catch { return error }
  }

  private func expectTunnel(_ url: String, port: UInt16) throws {
    let link = try Dialer.dial(target(ProxySetting(url: url)))
    let facts = link.facts
    #expect(facts.wentThroughProxy && facts.remotePort == port)
    let (session, wake) = (try ClientSession(), try #require(Wake()))
    let push = prepared("aa", id: "one")
    try session.submit(push)
    try session.talk(over: link, wake: wake)
    #expect(push.status == 200)
  }

  @Test("goes through an HTTP proxy's tunnel, with name and password if there are any")
  func http() throws {
    for (login, header) in [("", nil), ("me:p%40ss@", "Proxy-Authorization: Basic bWU6cEBzcw==")] {
      let proxy = try #require(PlainServer(reply: Self.welcome, tunnelTo: server.port))
      try expectTunnel("http://\(login)127.0.0.1:\(proxy.port)", port: proxy.port)
      let request = try #require(proxy.words.first)
      #expect(request.hasPrefix("CONNECT localhost:\(server.port) HTTP/1.1\r\n"))
      #expect(request.contains("Proxy-Authorization") == (header != nil))
      if let header { #expect(request.contains(header)) }
    }
  }

  @Test("goes through a SOCKS proxy, which looks the name up, with name and password")
  func socks() throws {
    let granted: [UInt8] = [5, 0, 0, 1, 0, 0, 0, 0, 0, 0]
    let proxy = try #require(
      PlainServer(replies: [[5, 2], [1, 0], granted], tunnelTo: server.port))
    try expectTunnel("socks5h://me:pass@127.0.0.1:\(proxy.port)", port: proxy.port)
    #expect(proxy.words[1] == "\u{1}\u{2}me\u{4}pass")
    #expect(proxy.words[2].hasPrefix("\u{5}\u{1}\0\u{3}\u{9}localhost"))
  }

  @Test(
    "blames the proxy for its refusal, with the status",
    arguments: ["502 Bad Gateway", "403 Forbidden"])
  func refusal(status: String) throws {
    let proxy = try #require(
      PlainServer(reply: "HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n"))
    let error = failure("http://127.0.0.1:\(proxy.port)")
    #expect(error?.layer == .proxy(.refused))
    #expect(error?.detail.contains(status.prefix(3)) == true)
  }

  @Test(
    "tells what a proxy has against a login, and offers it once",
    arguments: [
      ("", ["Basic realm=x"], DialError.ProxyFault.loginMissing), ("", [], .loginMissing),
      ("me:secret@", ["Basic realm=x", "NTLM"], .loginRefused), ("me:secret@", [], .loginRefused),
      ("me:secret@", ["NTLM"], .loginScheme(["NTLM"])),
      ("", ["Negotiate", "NTLM"], .loginScheme(["Negotiate", "NTLM"])),
    ])
  func login(_ row: (login: String, offered: [String], fault: DialError.ProxyFault)) throws {
    let fields = row.offered.map { "Proxy-Authenticate: \($0)\r\n" }.joined()
    let proxy = try #require(
      PlainServer(reply: "HTTP/1.1 407 No\r\n\(fields)Content-Length: 0\r\n\r\n"))
    let error = failure("http://\(row.login)127.0.0.1:\(proxy.port)")
    #expect(error?.layer == .proxy(row.fault))
    let sentence = error?.sentence ?? ""
    #expect(!sentence.contains("refused the connection") && !sentence.contains("secret"))
    #expect(proxy.words.joined().components(separatedBy: "CONNECT ").count == 2)
  }

  struct Fault: CustomTestStringConvertible {
    var testDescription: String
    var scheme = "http"
    var replies: [[UInt8]]
    var drops = true
    var fault = DialError.ProxyFault.refused
  }

  static let faults = [
    Fault(testDescription: "hangs up at once", replies: [[]]),
    Fault(testDescription: "hangs up in its answer", replies: [Array("HTTP/1.1 20".utf8)]),
    Fault(testDescription: "speaks something else", replies: [Array("SSH-2.0-x\r\n".utf8)]),
    Fault(testDescription: "drops the tunnel", replies: [Array(welcome.utf8)]),
    Fault(
      testDescription: "fills the tunnel with text",
      replies: [Array(welcome.utf8), Array("this is a captive portal\r\n".utf8)], drops: false),
    Fault(
      testDescription: "wants another login", scheme: "socks5h", replies: [[5, 0xff]],
      fault: .loginRefused),
    Fault(
      testDescription: "does not know the password", scheme: "socks5h",
      replies: [[5, 2], [1, 1]],
      fault: .loginRefused),
    Fault(
      testDescription: "cannot reach the server", scheme: "socks5h",
      replies: [[5, 0], [5, 5, 0, 1, 0, 0, 0, 0, 0, 0]]),
    Fault(
      testDescription: "is no SOCKS proxy", scheme: "socks5h",
      replies: [Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)]),
  ]

  @Test("blames the proxy that", arguments: faults)
  func fault(_ fault: Fault) throws {
    let proxy = try #require(PlainServer(replies: fault.replies, drops: fault.drops))
    let error = failure("\(fault.scheme)://me:secret@127.0.0.1:\(proxy.port)")
    #expect(error?.layer == .proxy(fault.fault))
    #expect(error?.detail.isEmpty == false)
  }

  @Test("blames the server for what comes through the tunnel")
  func serverFault() throws {
    let proxy = try #require(PlainServer(reply: Self.welcome, tunnelTo: server.port))
    var target = target(ProxySetting(url: "http://127.0.0.1:\(proxy.port)"))
    target.additionalRoots = nil
    let error = #expect(throws: DialError.self) { _ = try Dialer.dial(target) }
    #expect(error?.layer == .certificate(.untrusted))
  }

  @Test("blames the proxy when it is not there, or its URL is none")
  func missing() throws {
    let port = try Listener().port
    for (url, fault) in [
      ("http://127.0.0.1:\(port)", DialError.ProxyFault.unreachable),
      ("socks5h://127.0.0.1:\(port)", .unreachable), ("http://nothing.invalid:1", .dns),
      ("gopher://x", .url), ("https://127.0.0.1:\(port)", .url), ("http://a b", .url),
      ("http://ada:Top@Zecret/pw@127.0.0.1:9", .url),
    ] {
      let error = failure(url)
      #expect(error?.layer == .proxy(fault), "\(url)")
      #expect(error?.sentence.contains("Zecret") == false)
    }
  }

  @Test("reaches an exception directly, and blames the server then")
  func exception() throws {
    let port = try Listener().port
    let proxy = ProxySetting(url: "http://127.0.0.1:\(port)", exceptions: "localhost")
    let link = try Dialer.dial(target(proxy))
    let facts = link.facts
    #expect(!facts.wentThroughProxy && facts.remotePort == server.port)
    var other = target(proxy)
    other.port = port
    let error = #expect(throws: DialError.self) { _ = try Dialer.dial(other) }
    #expect(error?.layer == .tcp)
  }

  @Test("tells no name and no password")
  func secrets() throws {
    let port = try Listener().port
    for url in ["http://me:secret@127.0.0.1:\(port)", "gopher://me:secret@x", "me:secret@"] {
      let error = try #require(failure(url))
      let text = "\(error) \(error.detail) \(error.target) \(String(reflecting: error))"
      #expect(!text.contains("secret") && !text.contains("me:"))
    }
  }
}
