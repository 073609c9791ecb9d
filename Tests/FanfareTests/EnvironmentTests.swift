import APNS
import HTTP2
import PushEmulator
import SendingSupport
import Testing

@testable import Fanfare

@Suite("The services of a client", .timeLimit(.minutes(15)))
struct EnvironmentTests {
  @Test("Apple's take pushes at one address, and manage channels at another")
  func apple() {
    #expect(addresses(.production) == ["api.push.apple.com:443", Self.management + ":2196"])
    let sandbox = Self.management.replacing("broadcast", with: "broadcast.sandbox")
    #expect(addresses(.sandbox) == ["api.sandbox.push.apple.com:443", sandbox + ":2195"])
  }

  private static let management = "api-manage-broadcast.push.apple.com"

  private func addresses(_ environment: PushClient.Environment) -> [String] {
    [environment.address, environment.management].map {
      let target = environment.target($0, .init())
      return "\(target.host):\(target.port)"
    }
  }

  @Test("Another server takes both, unless channels are managed elsewhere")
  func other() async throws {
    let (pushes, channels) = (try TestServer(), try TestServer())
    let roots = try RootsFile(
      pushes.emulator.certificateAuthorityPEM + channels.emulator.certificateAuthorityPEM)
    for (management, counts) in [(nil, [2, 0]), (channels.emulator.url, [3, 1])] {
      let client = PushClient(
        credentials: .init(push: try TestRun.newKey()),
        environment: try .server(pushes.emulator.url, management: management, roots: roots.path))
      #expect(await client.send(try sample(), to: try device(1)).outcome == .accepted)
      #expect(try await client.channels(of: try BundleID("com.example.shop")).all() == [])
      #expect([pushes, channels].map(\.emulator.requestCount) == counts)
      await client.close()
    }
  }

  @Test("A URL that is none is refused in either place")
  func wrong() {
    #expect(throws: ServerAddressError.self) { try PushClient.Environment.server("localhost") }
    #expect(throws: ServerAddressError.self) {
      try PushClient.Environment.server("https://localhost", management: "http://localhost")
    }
  }
}
