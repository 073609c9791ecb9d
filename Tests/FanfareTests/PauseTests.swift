import APNS
import HTTP2
import PushEmulator
import SendingSupport
import Testing

@testable import Fanfare

@Suite("Pauses and retries", .timeLimit(.minutes(15)))
struct PauseTests {
  /// 503, and nothing for an hour.
  private static let pause = EmulatorAnswer.custom(
    CustomAnswer(
      status: .unavailable, body: .reason(.serviceUnavailable),
      fields: [Field("retry-after", "3600")]))

  @Test("A Retry-After does not hold single pushes: they end, and the next ones at once")
  func singlePushes() async throws {
    let server = try TestServer { _ in Self.pause }
    let client = try client(of: server)
    let first = await client.send(try sample(), to: try device(1))
    #expect(first.outcome == .deferred)
    #expect(first.status == .unavailable)
    let second = await client.send(try sample(), to: try device(2))
    #expect(second.outcome == .notAttempted)
    #expect(second.obstacle?.kind == .pause)
    #expect(server.emulator.requestCount == 1)
    await client.close()
  }

  @Test("Single pushes that the engine has already end too when a pause begins")
  func queuedPushes() async throws {
    // With one stream at first, the others wait behind the first.
    let arrived = Signal()
    let server = try TestServer { _ in
      arrived.call()
      return .delay(milliseconds: 50, then: Self.pause)
    }
    let client = try client(of: server)
    let notification = try sample()
    let outcomes = try await withThrowingTaskGroup(of: SendResult.self) { group in
      for number in 1...1000 {
        let token = try device(number)
        group.addTask { await client.send(notification, to: token) }
      }
      return try await group.reduce(into: [Outcome: Int]()) { $0[$1.outcome, default: 0] += 1 }
    }
    #expect(outcomes[.deferred] == server.emulator.requestCount)
    #expect(outcomes[.notAttempted] == 1000 - server.emulator.requestCount)
    await client.close()
  }

  @Test("A device that gets too many pushes defers a single push, and is tried again in a list")
  func tooManyRequests() async throws {
    let server = try TestServer { $0.attempt == 1 ? .reject(.tooManyRequests) : nil }
    let single = try client(of: server)
    #expect(await single.send(try sample(), to: try device(1)).outcome == .deferred)
    await single.close()
    #expect(try sample().message(isList: true).waitsForSlowTokens)
    #expect(try !sample().message(isList: false).waitsForSlowTokens)
  }

  @Test("A push whose notification has expired is skipped: alone, in a list and from a template")
  func expired() async throws {
    let server = try TestServer()
    let client = try client(of: server)
    let past = try #require(Expiration(seconds: 1_000_000_000))
    let content = PushContent.alert(title: "Hello {{name|default('there')}}")
    let notification = try PushNotification(content, bundleID: "com.example.shop", expiration: past)
    let template = try PushTemplate(
      content, bundleID: "com.example.shop", expiration: past)
    var results = [await client.send(notification, to: try device(1))]
    for list in [
      client.send(notification, to: [try device(2)]), client.send(template, to: [try device(3)]),
    ] {
      for try await result in list { results.append(result) }
    }
    #expect(results.map(\.outcome) == [.skipped, .skipped, .skipped])
    #expect(
      results.allSatisfy { $0.obstacle?.kind == .expired && $0.attempts == 0 && $0.apnsID == nil })
    #expect(server.emulator.requestCount == 0)
    await client.close()
  }

  @Test("A push to a channel that APNs cannot take now is deferred", arguments: [500, 503])
  func channel(status: Int) async throws {
    let reason: Reason = status == 500 ? .internalServerError : .serviceUnavailable
    let server = try TestServer { $0.push.channel == nil ? nil : .reject(reason) }
    let client = try client(of: server)
    let channel = try await client.channels(of: try BundleID("com.example.shop")).create()
    let result = await client.broadcast(
      try PushNotification(.score, channel: channel, bundleID: "com.example.shop"))
    #expect(result.outcome == .deferred)
    #expect(result.reason == reason)
    #expect(result.token == nil)
    await client.close()
  }
}
