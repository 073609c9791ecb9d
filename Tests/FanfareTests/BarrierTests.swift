import HTTP2
import PushEmulator
import SendingSupport
import Synchronization
import Testing

@testable import Fanfare

@Suite("The pause after a stop", .timeLimit(.minutes(15)))
struct BarrierTests {
  private static let second: UInt64 = 1_000_000_000

  @Test("Each stop in a row keeps pushes out twice as long, but never for more than a minute")
  func lengths() {
    var (barrier, now) = (Barrier(), 5 * Self.second)
    #expect(barrier.obstacle { 0 } == nil)
    for seconds: UInt64 in [1, 2, 4, 8, 16, 32] + Array(repeating: 60, count: 12) {
      barrier.close(for: .paused, now: now)
      let end = now + seconds * Self.second
      #expect(barrier.obstacle { end - 1 } == .paused)
      #expect(barrier.obstacle { end } == nil)
      now = end
    }
    barrier.open()
    #expect(barrier.obstacle { now } == nil)
    barrier.close(for: .system, now: now)
    #expect(barrier.obstacle { now } == .system)
    #expect(barrier.obstacle { now + Self.second } == nil)
  }

  /// A clock that stands still until a test moves it.
  private final class StandingClock: Sendable {
    private let time = Atomic(BarrierTests.second)

    func move(seconds: UInt64) { time.add(seconds * BarrierTests.second, ordering: .relaxed) }

    var clock: RunClock {
      var clock = RunClock.system
      clock.monotonic = { [self] in time.load(ordering: .relaxed) }
      return clock
    }
  }

  @Test("The second stop in a row lasts two seconds; after an accepted push, one again")
  func accepted() async throws {
    let isGood = Atomic(false)
    let server = try TestServer { _ in
      isGood.load(ordering: .relaxed) ? nil : .reject(.topicDisallowed)
    }
    let time = StandingClock()
    let client = PushClient(
      .init(push: try TestRun.newKey()), try environment(of: server), .init(), clock: time.clock,
      events: { _ in })
    // Once a push was accepted, it takes twenty refusals in a row.
    for (refusals, seconds, isAccepted) in [(3, 1, false), (3, 2, true), (20, 1, true)] {
      for _ in 1...refusals { #expect(try await outcome(client) == .rejected) }
      time.move(seconds: UInt64(seconds - 1))
      #expect(try await outcome(client) == .notAttempted)
      time.move(seconds: 1)
      isGood.store(isAccepted, ordering: .relaxed)
      if isAccepted { #expect(try await outcome(client) == .accepted) }
      isGood.store(false, ordering: .relaxed)
    }
    await client.close()
  }

  private func outcome(_ client: PushClient) async throws -> Outcome {
    await client.send(try sample(), to: try device(1)).outcome
  }
}
