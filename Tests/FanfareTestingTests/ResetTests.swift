import Fanfare
import FanfareTesting
import Testing

@Suite("The server of tests, once it is reset", .timeLimit(.minutes(15)))
struct ResetTests {
  @Test("It forgets what it received and was told, and keeps its connections")
  func forgets() async throws {
    try await withAPNs { apns, client in
      let channels = client.channels(of: try BundleID("com.example.shop"))
      _ = try await channels.create()
      apns.play(.refuse(.badTopic))
      apns[try device(1)] = .ofOtherEnvironment
      apns.acceptsOtherDevices = false
      apns.advance(by: .seconds(60))
      apns.advance(by: .seconds(-90))
      #expect(apns.clockOffset == .seconds(-30))
      _ = await client.send(try sample(), to: try device(1))
      let connections = apns.received.map(\.connection)
      #expect(connections.count == 1)
      apns.reset()
      #expect(apns.received.isEmpty && apns.clockOffset == .zero && apns.acceptsOtherDevices)
      #expect(try apns[device(1)] == nil)
      #expect(try await channels.all() == [])
      #expect(await client.send(try sample(), to: try device(1)).outcome == .accepted)
      #expect(apns.received.map(\.connection) == connections)
    }
  }
}
