import APNS
import HTTP2
import PushEmulator
import SendingSupport
import Synchronization
import TestSupport
import Testing

@testable import Fanfare

/// Faults between the client and APNs, with a list and with single pushes.
@Suite("Faults over the library's face", .timeLimit(.minutes(15)))
struct FaultsTests {
  struct Fault: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The outcomes there may be.
    var outcomes: Set<Outcome> = [.accepted]
    let answer: @Sendable (Attempt) -> EmulatorAnswer?
  }

  static let faults = [
    Fault(testDescription: "GOAWAY that covers half of what is open") { push in
      push.push.number == 200
        ? .goAway(ConnectionEnd(lastStream: .half, reason: .shutdown), then: .accept) : nil
    },
    Fault(testDescription: "GOAWAY that covers nothing") { push in
      push.push.number == 200
        ? .goAway(ConnectionEnd(lastStream: .exactly(0)), then: .accept) : nil
    },
    // 7 is REFUSED_STREAM (RFC 9113 section 7).
    Fault(testDescription: "REFUSED_STREAM for every tenth push, twice") { push in
      push.token.isMultiple(of: 10) && push.attempt < 3 ? .reset(code: 7) : nil
    },
    Fault(testDescription: "REFUSED_STREAM again and again", outcomes: [.accepted, .deferred]) {
      $0.token.isMultiple(of: 100) ? .reset(code: 7) : nil
    },
    Fault(testDescription: "streams reset after the push was processed") { push in
      push.token.isMultiple(of: 50) && push.attempt == 1 ? .processed(then: .reset(code: 2)) : nil
    },
    Fault(testDescription: "a reset of the connection") { push in
      [150, 400].contains(push.push.number) ? .drop(.rst) : nil
    },
    Fault(testDescription: "an end of the connection without a word") { push in
      [150, 400].contains(push.push.number) ? .processed(then: .drop(.fin)) : nil
    },
    Fault(testDescription: "slow answers") { push in
      push.token.isMultiple(of: 7) ? .delay(milliseconds: 20, then: .accept) : nil
    },
    Fault(testDescription: "some dead device tokens", outcomes: [.accepted, .rejected]) { push in
      push.token.isMultiple(of: 9) ? .reject(.unregistered, timestamp: 1_700_000_000_000) : nil
    },
    Fault(testDescription: "503 for some", outcomes: [.accepted, .deferred]) { push in
      push.token.isMultiple(of: 90) ? .reject(.serviceUnavailable) : nil
    },
  ]

  @Test("A list", arguments: faults)
  func list(_ fault: Fault) async throws {
    let server = try TestServer(answer: fault.answer)
    let client = try steadfastClient(of: server)
    let results = try await client.send(try sample(), to: try deviceTokens(1..<1001)).byPosition()
    #expect(results.count == 1000)
    expectTrue(Array(results.values), server)
    #expect(Set(results.values.map(\.outcome)).isSubset(of: fault.outcomes))
    await client.close()
  }

  @Test("Single pushes", arguments: faults)
  func singlePushes(_ fault: Fault) async throws {
    let server = try TestServer(answer: fault.answer)
    let client = try steadfastClient(of: server)
    let results = await pushes(of: client, try sample(), try deviceTokens(1..<501))
    #expect(results.count == 500)
    expectTrue(results, server)
    #expect(Set(results.map(\.outcome)).isSubset(of: fault.outcomes))
    await client.close()
  }

  @Test("A server that is killed: whoever has no answer is not attempted, or unknown")
  func kill() async throws {
    let many = Signal()
    let server = try TestServer { push in
      if push.push.number == 300 { many.call() }
      return nil
    }
    let client = try steadfastClient(of: server)
    let (notification, tokens) = (try sample(), try deviceTokens(1..<Self.tasks + 1))
    let singles = try deviceTokens(30_001..<30_201)
    async let list = client.send(notification, to: tokens).byPosition()
    await many.wait()
    async let others = pushes(of: client, notification, singles)
    server.emulator.stop()
    let results = try await list
    #expect(results.count == Self.tasks)
    expectTrue(Array(results.values) + (await others), server)
    #expect(results.values.contains { $0.outcome == .notAttempted })
    #expect(results.values.allSatisfy { $0.outcome != .rejected && $0.outcome != .deferred })
    await client.close()
  }

  @Test("An expired provider token is replaced, and its pushes are sent again")
  func expiredToken() async throws {
    let age = Atomic<Int64>(-1800)
    let first = Mutex<String?>(nil)
    let server = try TestServer { push in
      let word = push.push.headers["authorization"]
      let isFirst = first.withLock { first in
        first = first ?? word
        return first == word
      }
      if push.push.number < 100 || !isFirst { return nil }
      age.store(0, ordering: .relaxed)
      return .reject(.expiredProviderToken)
    }
    let renewed = Atomic(0)
    let credentials = try TestRun.newKey {
      RunClock.system.epochSeconds + age.load(ordering: .relaxed)
    }
    let client = PushClient(
      credentials: .init(push: credentials), environment: try environment(of: server)
    ) { event in
      if case .providerTokenReplaced = event { renewed.add(1, ordering: .relaxed) }
    }
    let results = try await client.send(try sample(), to: try deviceTokens(1..<1001)).byPosition()
    #expect(results.values.allSatisfy { $0.outcome == .accepted })
    #expect(server.providerTokens == 2)
    #expect(renewed.load(ordering: .relaxed) > 0)
    expectTrue(Array(results.values), server)
    await client.close()
  }

  @Test("Refused credentials fail single pushes at once from then on, until others come")
  func refusedCredentials() async throws {
    let isGood = Atomic(false)
    let server = try TestServer { _ in
      isGood.load(ordering: .relaxed) ? nil : .reject(.invalidProviderToken)
    }
    // A clock that stands still: pushes fail for a second, which a busy machine may take.
    var clock = RunClock.system
    clock.monotonic = { 1_000_000_000 }
    let client = PushClient(
      .init(push: try TestRun.newKey()), try environment(of: server), .init(), clock: clock,
      events: { _ in })
    for number in 1...3 {
      let result = await client.send(try sample(), to: try device(number))
      #expect(result.outcome == .rejected && result.reason == .invalidProviderToken)
    }
    let result = await client.send(try sample(), to: try device(4))
    #expect(result.outcome == .notAttempted && result.obstacle?.kind == .credentials)
    #expect(server.ids(of: 4).isEmpty)
    isGood.store(true, ordering: .relaxed)
    client.update(credentials: .init(push: try TestRun.newKey()))
    #expect(await client.send(try sample(), to: try device(5)).outcome == .accepted)
    await client.close()
  }

  private static let tasks = ListLength.wanted == .short ? 5000 : 100_000

  @Test("A hundred thousand tasks with a push each")
  func manyTasks() async throws {
    let server = try TestServer()
    let client = try client(of: server)
    let results = await pushes(of: client, try sample(), try deviceTokens(1..<100_001))
    #expect(results.count == 100_000)
    #expect(results.allSatisfy { $0.outcome == .accepted })
    expectTrue(results, server)
    await client.close()
  }

  /// Sends each push from a task of its own.
  private func pushes(
    of client: PushClient, _ notification: PushNotification, _ tokens: [DeviceToken]
  ) async -> [SendResult] {
    await withTaskGroup(of: SendResult.self) { group in
      for token in tokens { group.addTask { await client.send(notification, to: token) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
  }

  /// A client whose pauses take no time.
  private func steadfastClient(of server: TestServer) throws -> PushClient {
    PushClient(
      .init(push: try TestRun.newKey()), try environment(of: server), .init(),
      clock: TestClock().clock, events: { _ in })
  }
}
