import APNS
import HTTP2
import PushEmulator
import SendingSupport
import Synchronization
import Testing

@testable import Fanfare

@Suite("The life of a client", .timeLimit(.minutes(15)))
struct LifeTests {
  @Test("A client that is dropped ends its threads and connections, whatever it was doing")
  func dropped() async throws {
    let arrived = Signal()
    let server = try TestServer { push in
      guard push.token >= 1000 else { return nil }
      arrived.call()
      return .swallow
    }
    var options = PushClient.Options()
    options.timeout = .milliseconds(200)
    let isGone: Signal
    do {
      let (client, signal) = try Sentinel.client(in: try environment(of: server), options)
      isGone = signal
      #expect(await client.send(try sample(), to: try device(1)).outcome == .accepted)
      // A push that nobody answers, and a list whose consumer stops.
      let (notification, token) = (try sample(), try device(1000))
      let push = Task { await client.send(notification, to: token) }
      await arrived.wait()
      push.cancel()
      _ = await push.value
      for try await _ in client.send(notification, to: EndlessTokens()) { break }
    }
    await isGone.wait()
    #expect(server.emulator.requestCount > 1)
  }

  @Test("The life of a service ends when the client is closed, and when its task is cancelled")
  func service() async throws {
    let server = try TestServer()
    let closed = try client(of: server)
    let service = Task { await closed.run() }
    await closed.close()
    await service.value
    await closed.run()
    let cancelled = try client(of: server)
    let other = Task { await cancelled.run() }
    other.cancel()
    await other.value
    #expect(await cancelled.send(try sample(), to: try device(1)).obstacle?.kind == .closed)
  }

  @Test("A closed client manages no channels")
  func closedChannels() async throws {
    let server = try TestServer()
    let client = try client(of: server)
    await client.close()
    await #expect {
      try await client.channels(of: try BundleID("com.example.shop")).all()
    } throws: { "\($0)" == "The client is closed." }
    #expect(server.emulator.requestCount == 0)
  }

  @Test("A client that never sent, and one that could not connect, leave nothing")
  func idle() async throws {
    let server = try TestServer()
    let environment = try environment(of: server)
    await (try Sentinel.client(in: environment)).isGone.wait()
    server.emulator.stop()
    let isGone: Signal
    do {
      let (client, signal) = try Sentinel.client(in: environment, clock: TestClock().clock)
      isGone = signal
      #expect(await client.send(try sample(), to: try device(1)).outcome == .notAttempted)
    }
    await isGone.wait()
  }

  @Test("A retry in a quarter of an hour does not keep a client whose pushes are cancelled")
  func waitingRetry() async throws {
    let arrived = Signal()
    let server = try TestServer { _ in
      arrived.call()
      return .reject(.serviceUnavailable)
    }
    var options = PushClient.Options()
    options.retries = 1
    let isGone: Signal
    do {
      let (client, signal) = try Sentinel.client(in: try environment(of: server), options)
      isGone = signal
      let refused = Signal()
      let (notification, token) = (try sample(), try device(1))
      let others = PushClient(
        .init(push: try TestRun.newKey()), try environment(of: server), options, clock: .system
      ) { if case .resent = $0 { refused.call() } }
      for client in [client, others] {
        let push = Task { await client.send(notification, to: token) }
        if client === others { await refused.wait() } else { await arrived.wait() }
        push.cancel()
        #expect(await push.value.outcome != .accepted)
        await client.close()
      }
    }
    await isGone.wait()
    #expect(server.ids(of: 1).count == 2)
  }

  @Test("Closing while a thousand tasks send: each has an outcome, and none arrives twice")
  func closing() async throws {
    let many = Signal()
    let server = try TestServer { push in
      if push.push.number == 300 { many.call() }
      return nil
    }
    let client = try client(of: server)
    let notification = try sample()
    let outcomes = try await withThrowingTaskGroup(of: SendResult.self) { group in
      for number in 1...1000 {
        let token = try device(number)
        group.addTask { await client.send(notification, to: token) }
      }
      group.addTask {
        await many.wait()
        await client.close()
        return await client.send(notification, to: try device(2000))
      }
      return try await group.reduce(into: [Outcome: Int]()) { $0[$1.outcome, default: 0] += 1 }
    }
    #expect(outcomes.values.reduce(0, +) == 1001)
    #expect(outcomes[.accepted] == server.processed.count)
    #expect(outcomes[.notAttempted] == 1001 - server.processed.count)
    #expect(server.processed.values.allSatisfy { $0 == 1 })
  }

  @Test("Closing ends a list that waits for its next recipient")
  func closingList() async throws {
    let server = try TestServer()
    let client = try client(of: server)
    let (stream, continuation) = AsyncStream.makeStream(of: DeviceToken.self)
    continuation.yield(try device(1))
    var results = client.send(try sample(), to: stream).makeAsyncIterator()
    #expect(try await results.next()?.outcome == .accepted)
    await client.close()
    await #expect(throws: Obstacle.self) { try await results.next() }
    var late = client.send(try sample(), to: try deviceTokens(1..<3)).makeAsyncIterator()
    await #expect(throws: Obstacle.self) { try await late.next() }
  }

  @Test("Other credentials while a list is sent: no push is lost, and none arrives twice")
  func update() async throws {
    let server = try TestServer()
    let client = try client(of: server)
    // At fixed places of the list, while it is read.
    let tokens = Numbers(count: 20_000) { number in
      if number.isMultiple(of: 4000), let key = try? TestRun.newKey() {
        client.update(credentials: .init(push: key))
      }
    }
    let results = try await client.send(try sample(), to: tokens).byPosition()
    #expect(results.count == 20_000)
    #expect(results.values.allSatisfy { $0.outcome == .accepted })
    expectTrue(Array(results.values), server)
    #expect(server.providerTokens > 1)
    await client.close()
  }

  @Test("Two lists and single pushes at once: each has its own results")
  func together() async throws {
    let server = try TestServer()
    let client = try client(of: server)
    let notification = try sample()
    let lists = [try deviceTokens(1..<5001), try deviceTokens(10_001..<15_001)]
    try await withThrowingTaskGroup(of: Int.self) { group in
      for tokens in lists {
        group.addTask {
          let results = try await client.send(notification, to: tokens).byPosition()
          for result in results.values { #expect(result.token == tokens[result.position]) }
          return results.values.count { $0.outcome == .accepted }
        }
      }
      group.addTask {
        var accepted = 0
        for number in 20_001..<25_001 where accepted < 5000 {
          let result = await client.send(notification, to: try device(number))
          if result.outcome == .accepted { accepted += 1 }
        }
        return accepted
      }
      for try await accepted in group { #expect(accepted == 5000) }
    }
    #expect(server.processed.count == 15_000)
    #expect(server.processed.values.allSatisfy { $0 == 1 })
    await client.close()
  }
}
