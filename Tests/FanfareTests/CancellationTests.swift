import APNS
import PushEmulator
import SendingSupport
import Synchronization
import Testing

@testable import Fanfare

@Suite("Cancellation", .timeLimit(.minutes(15)))
struct CancellationTests {
  /// The pushes of a step.
  private static let count = 300

  /// A server that calls a signal at a certain device token.
  private final class Tripwire: Sendable {
    private let wire = Mutex((token: -1, signal: Signal()))

    func set(_ token: Int) -> Signal {
      wire.withLock { wire in
        wire = (token, Signal())
        return wire.signal
      }
    }

    func touch(_ token: Int) { wire.withLock { if $0.token == token { $0.signal.call() } } }
  }

  @Test("A list that is cancelled at each of a hundred steps: each push has one outcome")
  func lists() async throws {
    let tripwire = Tripwire()
    let server = try TestServer(configure: { $0.maxConcurrentStreams = 20 }) { push in
      tripwire.touch(push.token)
      return nil
    }
    let client = try client(of: server)
    var tallies: [[Outcome: Int]] = []
    var all: [SendResult] = []
    for step in 0..<100 {
      let first = 1 + step * Self.count
      let signal = tripwire.set(first + step * 3)
      let results = await results(of: client, after: signal, first)
      #expect(Set(results.map(\.position)).count == results.count)
      tallies.append(results.reduce(into: [:]) { $0[$1.outcome, default: 0] += 1 })
      all += results
    }
    await client.close()
    expectTrue(all, server)
    // The steps are in different stages of a list.
    #expect(Set(tallies.map { $0[.accepted, default: 0] }).count > 10)
    #expect(tallies.contains { $0[.notAttempted] != nil })
    #expect(tallies.contains { $0[.unknown] != nil })
  }

  private func results(
    of client: PushClient, after signal: Signal, _ first: Int
  ) async -> [SendResult] {
    let task = Task {
      var results: [SendResult] = []
      do {
        let tokens = try deviceTokens(first..<first + Self.count)
        for try await result in client.send(try sample(), to: tokens) { results.append(result) }
      } catch {
        #expect(error is CancellationError)
      }
      return results
    }
    await signal.wait()
    task.cancel()
    return await task.value
  }

  @Test("Of a list that is cancelled, only what was sent can be in doubt")
  func onTheWire() async throws {
    let tripwire = Tripwire()
    let server = try TestServer(configure: { $0.maxConcurrentStreams = 1 }) { push in
      tripwire.touch(push.token)
      return push.token == 3 ? .swallow : nil
    }
    let client = try client(of: server)
    let results = await results(of: client, after: tripwire.set(3), 1)
    let outcomes = results.sorted { $0.position < $1.position }.map(\.outcome)
    // An answer that was read may not have been handed on yet.
    #expect(outcomes.prefix(2).allSatisfy { [.accepted, .unknown].contains($0) })
    let others = [Outcome](repeating: .notAttempted, count: Self.count - 3)
    #expect(Array(outcomes.dropFirst(2)) == [.unknown] + others)
  }

  @Test("Single pushes that are cancelled at each of a hundred steps")
  func singlePushes() async throws {
    let tripwire = Tripwire()
    let server = try TestServer(configure: { $0.maxConcurrentStreams = 20 }) { push in
      tripwire.touch(push.token)
      return nil
    }
    let client = try client(of: server)
    let notification = try sample()
    var all: [SendResult] = []
    for step in 0..<100 {
      let (first, signal) = (1 + step * 50, tripwire.set(1 + step * 50 + step / 4))
      let task = Task {
        try await withThrowingTaskGroup(of: SendResult.self) { group in
          for number in first..<first + 50 {
            let token = try device(number)
            group.addTask { await client.send(notification, to: token) }
          }
          return try await group.reduce(into: []) { $0.append($1) }
        }
      }
      // At the first step before anything is sent.
      if step > 0 { await signal.wait() }
      task.cancel()
      let results = try await task.value
      #expect(results.count == 50)
      all += results
    }
    await client.close()
    expectTrue(all, server)
    #expect(Set(all.map(\.outcome)) == [.accepted, .notAttempted, .unknown])
  }

  @Test("A list that is cancelled before it begins, and one that has ended")
  func beforeAndAfter() async throws {
    let server = try TestServer()
    let client = try client(of: server)
    let (notification, tokens) = (try sample(), try deviceTokens(1..<11))
    let early = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      for try await _ in client.send(notification, to: tokens) { Issue.record("sent") }
    }
    await #expect(throws: CancellationError.self) { try await early.value }
    #expect(server.emulator.requestCount == 0)
    let late = Task {
      let results = try await client.send(notification, to: tokens).byPosition()
      withUnsafeCurrentTask { $0?.cancel() }
      return results.count
    }
    #expect(try await late.value == 10)
    await client.close()
  }
}

/// Compares results with what the server did: whoever was accepted was, whoever was not attempted
/// never arrived, and nobody got two who was not told so.
func expectTrue(_ results: [SendResult], _ server: TestServer) {
  let sights = server.witness.sights
  for result in results {
    guard let token = result.token else { continue }
    let sight = sights[token.hex] ?? Witness.Sight()
    switch result.outcome {
    case .accepted: #expect(sight.processed > 0)
    case .notAttempted: #expect(sight.ids.isEmpty || result.attempts > 0)
    case .rejected, .skipped, .deferred: #expect(sight.processed == 0)
    case .unknown: break
    }
    #expect(sight.processed < 2 || result.mayArriveTwice)
    #expect(Set(sight.ids).count < 2)
    if let id = result.apnsID, let seen = sight.ids.first { #expect(seen == id) }
  }
}
