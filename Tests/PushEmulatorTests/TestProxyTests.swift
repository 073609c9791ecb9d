import Foundation
import PushEmulator
import TestSupport
import Testing

/// The proxy that other tests rely on, held against `curl`.
@Suite("TestProxy", .needs("curl"))
struct TestProxyTests {
  static let apple = "https://api.push.apple.com"
  static let destination = "api.push.apple.com:443"
  static let kinds: [TestProxy.Kind] = [.http, .socks5]

  /// A push to Apple's name, which leads to an emulator.
  private func push(
    _ kind: TestProxy.Kind, _ behaviour: TestProxy.Behaviour = .carries,
    credentials: TestProxy.Credentials? = nil, user: String? = nil, routed: Bool = true
  ) throws -> (answer: CurlAnswer, proxy: TestProxy) {
    var configuration = EmulatorConfiguration()
    configuration.certificate.names.append("api.push.apple.com")
    let emulator = try Emulator(configuration)
    let proxy = try TestProxy(
      kind, behaviour, credentials: credentials,
      routes: routed ? [Self.destination: emulator.port] : [:])
    let options = ["--proxy", proxy.url] + (user.map { ["--proxy-user", $0] } ?? [])
    let answer = try withTemporaryFolder { folder in
      try curl(
        emulator, url: Self.apple, options, fields: ["authorization": "bearer secret"], in: folder)
    }
    return (answer, proxy)
  }

  @Test("leads to what stands in for a host, and hears no provider token", arguments: kinds)
  func carries(_ kind: TestProxy.Kind) throws {
    let (answer, proxy) = try push(kind)
    #expect(answer.status == 403 && answer.reason == "InvalidProviderToken", "\(answer.errors)")
    #expect(proxy.requests.map(\.destination) == [Self.destination])
    #expect(proxy.connectionCount == 1 && !proxy.heard("bearer secret"))
    guard kind == .http else { return }
    #expect(proxy.requests.first?.line == "CONNECT \(Self.destination) HTTP/1.1")
    #expect(proxy.requests.first?.fields.first { $0.name == "host" }?.value == Self.destination)
    #expect(proxy.heard("CONNECT api.push.apple.com"))
  }

  @Test("asks for credentials, and takes the right ones only", arguments: kinds)
  func asksForCredentials(_ kind: TestProxy.Kind) throws {
    let wanted = TestProxy.Credentials(user: "ada", password: "love:lace")
    let right = try push(kind, credentials: wanted, user: "ada:love:lace")
    #expect(right.answer.status == 403 && right.proxy.requests.last?.credentials == wanted)
    let wrong = try push(kind, credentials: wanted, user: "ada:byron")
    let none = try push(kind, credentials: wanted)
    for refused in [wrong, none] {
      #expect(refused.answer.exitCode != 0 && refused.answer.reason == nil)
      if kind == .http { #expect(refused.answer.errors.contains("407")) }
    }
  }

  static let failures: [(TestProxy.Kind, TestProxy.Behaviour, says: String)] = [
    (.http, .refuses(status: 502), "502"), (.http, .hangsUp, "Proxy CONNECT aborted"),
    (.http, .saysGarbage, ""), (.http, .drops(afterBytes: 1), ""),
    (.socks5, .refuses(status: 502), "(2)"), (.socks5, .saysGarbage, ""), (.socks5, .hangsUp, ""),
    (.socks5, .drops(afterBytes: 1), ""),
  ]

  @Test("fails in the way that it is told to", arguments: failures)
  func fails(_ row: (TestProxy.Kind, TestProxy.Behaviour, says: String)) throws {
    let (answer, proxy) = try push(row.0, row.1)
    #expect(answer.exitCode != 0 && answer.reason == nil)
    #expect(row.says.isEmpty || answer.errors.contains(row.says), "\(answer.errors)")
    #expect(proxy.requests.map(\.destination) == [Self.destination])
  }

  @Test("leads nowhere without a route", arguments: kinds)
  func needsRoute(_ kind: TestProxy.Kind) throws {
    let (answer, proxy) = try push(kind, routed: false)
    #expect(answer.exitCode != 0 && answer.reason == nil)
    #expect(proxy.requests.count == 1)
  }

  @Test("ends a silent client when it is stopped")
  func stops() throws {
    let proxy = try TestProxy(.http, .keepsSilent)
    let client = try LineClient(port: proxy.port)
    proxy.stop()
    proxy.stop()
    #expect(client.readLine() == nil)
  }
}
