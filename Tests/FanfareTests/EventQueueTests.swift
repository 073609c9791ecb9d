import APNS
import Dispatch
import PushEmulator
import SendingSupport
import Synchronization
import Testing

@testable import Fanfare

@Suite("Events that are handed over", .timeLimit(.minutes(15)))
struct EventQueueTests {
  @Test("A handler that stands still holds up no push, and gets all events before the end")
  func slow() async throws {
    let server = try TestServer()
    let gate = DispatchSemaphore(value: 0)
    let counts = Mutex<[Outcome: Int]>([:])
    let client = try client(of: server) { event in
      gate.wait()
      gate.signal()
      guard case .ended(let ended) = event else { return }
      counts.withLock { $0[ended.result.outcome, default: 0] += 1 }
    }
    for number in 1...200 {
      #expect(try await client.send(sample(), to: device(number)).outcome == .accepted)
    }
    #expect(counts.withLock { $0.isEmpty })
    gate.signal()
    await client.close()
    #expect(counts.withLock { $0 } == [.accepted: 200])
  }

  @Test(
    "10,000 events wait for the handler; more are dropped, and their number is an event",
    arguments: [0, 1])
  func dropped(_ more: Int) async throws {
    let gate = DispatchSemaphore(value: 0)
    let isBusy = Signal()
    let seen = Mutex<(events: Int, dropped: Int)>((0, 0))
    let queue = EventQueue { event in
      isBusy.call()
      gate.wait()
      gate.signal()
      seen.withLock { seen in
        if case .dropped(let count) = event { seen.dropped += count } else { seen.events += 1 }
      }
    }
    queue.add(.connectionOpened)
    await isBusy.wait()
    for _ in 0..<10_000 + more { queue.add(.providerTokenReplaced) }
    gate.signal()
    await queue.drain()
    #expect(seen.withLock { $0.events } == 10_001)
    #expect(seen.withLock { $0.dropped } == more)
  }

  @Test("Each push has an event, with its time, and labels without its device token")
  func ended() async throws {
    let server = try TestServer { $0.token == 2 ? .reject(.unregistered) : nil }
    let all = Mutex<[PushClient.Ended]>([])
    let client = try client(of: server) { event in
      if case .ended(let ended) = event { all.withLock { $0.append(ended) } }
    }
    let single = try await client.send(sample(), to: device(1))
    for try await _ in client.send(try sample(), to: [tokenText(2), "x"]) {}
    await client.close()
    let events = all.withLock { $0 }
    #expect(
      events.map(\.result.outcome).sorted { $0.rawValue < $1.rawValue }
        == [.accepted, .rejected, .skipped])
    let first = try #require(events.first { $0.result == single })
    #expect(first.duration != nil && first.topic == "com.example.shop")
    let refused = try #require(events.first { $0.result.outcome == .rejected })
    let labels = refused.labels.map { "\($0.0)=\($0.1)" }
    #expect(
      labels == [
        "outcome=rejected", "reason=Unregistered", "push_type=alert", "topic=com.example.shop",
      ])
  }
}
