import APNS
import HTTP2
import PushEmulator
import SendingSupport
import Testing

@testable import Fanfare

@Suite("Breakers by topic and by list", .timeLimit(.minutes(15)))
struct CircuitBreakerTests {
  private static func notification(_ app: String) throws -> PushNotification {
    try PushNotification(.alert(body: "Ready"), bundleID: "com.example.\(app)")
  }

  /// A server that refuses what goes to one app.
  private static func server(refusing reason: Reason) throws -> TestServer {
    try TestServer { push in
      push.push.headers["apns-topic"] == "com.example.bad" ? .reject(reason) : nil
    }
  }

  @Test(
    "A topic that is refused keeps back its own pushes, and those of no other topic",
    arguments: [Reason.topicDisallowed, .invalidProviderToken])
  func topics(_ reason: Reason) async throws {
    let server = try Self.server(refusing: reason)
    var clock = RunClock.system
    clock.monotonic = { 1_000_000_000 }
    let client = PushClient(
      .init(push: try TestRun.newKey()), try environment(of: server), .init(), clock: clock)
    let (good, bad) = (try Self.notification("good"), try Self.notification("bad"))
    #expect(await client.send(good, to: try device(1)).outcome == .accepted)
    for number in 1...3 {
      #expect(await client.send(bad, to: try device(number)).reason == reason)
    }
    let kept = await client.send(bad, to: try device(4))
    #expect(kept.outcome == .notAttempted)
    #expect(kept.obstacle?.kind == (reason == .topicDisallowed ? .refusals : .credentials))
    for number in 5..<30 {
      #expect(await client.send(good, to: try device(number)).outcome == .accepted)
    }
    #expect(server.ids(of: 4).isEmpty)
    await client.close()
  }

  @Test("A list to a topic that is refused ends, and a list to another goes on meanwhile")
  func lists() async throws {
    let server = try Self.server(refusing: .badTopic)
    let client = try client(of: server)
    let (good, bad) = (try Self.notification("good"), try Self.notification("bad"))
    async let others = client.send(good, to: deviceTokens(2001..<4001)).byPosition()
    let results = try await client.send(bad, to: deviceTokens(1..<1001)).byPosition()
    #expect(results.count == 1000)
    #expect(Set(results.values.map(\.outcome)) == [.rejected, .notAttempted])
    for result in results.values where result.outcome == .notAttempted {
      #expect(result.obstacle?.kind == .refusals && result.attempts == 0)
    }
    #expect(try await others.values.allSatisfy { $0.outcome == .accepted })
    await client.close()
  }

  @Test("Device tokens that anyone can register do not stop single pushes")
  func badTokens() async throws {
    let server = try TestServer { $0.token < 1000 ? .reject(.badDeviceToken) : nil }
    let client = try client(of: server)
    for number in 1...250 {
      #expect(try await client.send(sample(), to: device(number)).reason == .badDeviceToken)
    }
    #expect(try await client.send(sample(), to: device(1000)).outcome == .accepted)
    await client.close()
  }

  @Test("A list of nothing but bad device tokens is kept back, and nothing else is")
  func badList() async throws {
    let server = try TestServer { $0.token < 10_000 ? .reject(.badDeviceToken) : nil }
    let client = try client(of: server)
    let results = try await client.send(sample(), to: deviceTokens(1..<5001)).byPosition()
    #expect(results.values.contains { $0.outcome == .notAttempted })
    #expect(results.values.count { $0.outcome == .rejected } >= 200)
    #expect(try await client.send(sample(), to: device(10_000)).outcome == .accepted)
    let good = try await client.send(sample(), to: deviceTokens(10_001..<10_101)).byPosition()
    #expect(good.values.allSatisfy { $0.outcome == .accepted })
    await client.close()
  }

  @Test("One breaker for the client, when that is asked for")
  func oneForAll() async throws {
    let server = try Self.server(refusing: .topicDisallowed)
    var options = PushClient.Options()
    options.breaker = .client
    var clock = RunClock.system
    clock.monotonic = { 1_000_000_000 }
    let client = PushClient(
      .init(push: try TestRun.newKey()), try environment(of: server), options, clock: clock)
    for number in 1...3 {
      _ = await client.send(try Self.notification("bad"), to: try device(number))
    }
    let other = await client.send(try Self.notification("good"), to: try device(4))
    #expect(other.outcome == .notAttempted && other.obstacle?.kind == .refusals)
    await client.close()
  }
}
