import APNS
import PushEmulator
import SendingSupport
import Synchronization
import Testing

@testable import Fanfare

@Suite("Pushes to sequences", .timeLimit(.minutes(15)))
struct SequenceTests {
  @Test("Each device of a list gets one push, and each push has a result")
  func list() async throws {
    let server = try TestServer()
    let client = try client(of: server)
    let tokens = try deviceTokens(1..<20_001)
    var seen = Set<Int>()
    for try await result in client.send(try sample(), to: tokens) {
      #expect(result.outcome == .accepted)
      #expect(result.token == tokens[result.position])
      seen.insert(result.position)
    }
    #expect(seen.count == tokens.count)
    #expect(server.processed.count == tokens.count)
    #expect(server.processed.values.allSatisfy { $0 == 1 })
    await client.close()
  }

  @Test("A second iteration is an error, and sends nothing")
  func twice() async throws {
    let server = try TestServer()
    let client = try client(of: server)
    let results = client.send(try sample(), to: try deviceTokens(1..<11))
    for try await result in results { #expect(result.outcome == .accepted) }
    await #expect(throws: SendResults.IterationError.self) {
      for try await _ in results { Issue.record("sent again") }
    }
    #expect(server.emulator.requestCount == 10)
    await client.close()
  }

  @Test("A refusal of the credentials ends the rest as not attempted")
  func breaker() async throws {
    let server = try TestServer { _ in .reject(.invalidProviderToken) }
    let client = try client(of: server)
    var outcomes: [Outcome: Int] = [:]
    for try await result in client.send(try sample(), to: try deviceTokens(1..<1001)) {
      outcomes[result.outcome, default: 0] += 1
      let isSent = result.outcome != .notAttempted
      #expect(result.obstacle?.kind == (isSent ? nil : .credentials))
      #expect((result.apnsID == nil) != isSent && result.attempts == (isSent ? 1 : 0))
    }
    #expect(outcomes == [.rejected: 3, .notAttempted: 997])
    await client.close()
  }

  @Test("A cancelled list gives each push that was read its outcome, at once")
  func cancelled() async throws {
    let arrived = Signal()
    let server = try TestServer { push in
      if push.push.number < 500 { return nil }
      arrived.call()
      return .swallow
    }
    let client = try client(of: server)
    let notification = try sample()
    let tokens = EndlessTokens()
    let task = Task {
      var outcomes: [Outcome: Int] = [:]
      do {
        for try await result in client.send(notification, to: tokens) {
          outcomes[result.outcome, default: 0] += 1
        }
        Issue.record("ended without an error")
      } catch is CancellationError {}
      return outcomes
    }
    await arrived.wait()
    await tokens.areMany.wait()
    task.cancel()
    let outcomes = try await task.value
    let read = tokens.count.value.load(ordering: .relaxed)
    // The reader may hold one more that was never taken.
    #expect(read - 1...read ~= outcomes.values.reduce(0, +))
    #expect(outcomes[.unknown, default: 0] > 0)
    #expect(outcomes[.notAttempted, default: 0] > 0)
    #expect(Set(outcomes.keys).isSubset(of: [.accepted, .unknown, .notAttempted]))
  }

  @Test("A consumer that stops, stops the reading")
  func stopping() async throws {
    let server = try TestServer()
    let client = try client(of: server)
    let tokens = EndlessTokens()
    var taken = 0
    for try await _ in client.send(try sample(), to: tokens) {
      taken += 1
      if taken == 100 { break }
    }
    await client.close()
    let read = tokens.count.value.load(ordering: .relaxed)
    #expect(read <= 2 * 32_768)
    #expect(server.emulator.requestCount <= read)
  }

  @Test("A consumer that waits holds up the reading")
  func waiting() async throws {
    let server = try TestServer()
    let client = try client(of: server)
    let tokens = EndlessTokens()
    var results = client.send(try sample(), to: tokens).makeAsyncIterator()
    _ = try await results.next()
    // Single pushes go on meanwhile.
    for number in 1...200 {
      let result = await client.send(try sample(), to: try device(10_000_000 + number))
      #expect(result.outcome == .accepted)
    }
    // ListLimitTests has the exact number; here one batch was taken.
    #expect(tokens.count.value.load(ordering: .relaxed) <= 2 * 32_768)
  }

  @Test("An error of the sequence comes after the results")
  func failingSequence() async throws {
    struct Broken: Error {}
    let server = try TestServer()
    let client = try client(of: server)
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: DeviceToken.self)
    for token in try deviceTokens(1..<11) { continuation.yield(token) }
    continuation.finish(throwing: Broken())
    var count = 0
    await #expect(throws: Broken.self) {
      for try await _ in client.send(try sample(), to: stream) { count += 1 }
    }
    #expect(count == 10)
    await client.close()
  }
}
