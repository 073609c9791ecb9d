import APNS
import Dispatch
import PushEmulator
import SendingSupport
import Synchronization
import Testing

@testable import Fanfare

@Suite("Turns of lists and single pushes", .timeLimit(.minutes(15)))
struct TurnTests {
  /// More than the engine takes ahead, which is some 2,500.
  private static let count = 10_000

  /// A server that answers nothing until it is released, and remembers how many pushes came before
  /// one with a number above all others.
  private final class Gate: Sendable {
    let isReached = Signal()
    private let isOpen = DispatchSemaphore(value: 0)
    private let counts = Mutex((all: 0, before: 0))

    /// The pushes that came before the late one.
    var before: Int { counts.withLock { $0.before } }

    func open() { isOpen.signal() }

    func arrived(_ token: Int) {
      let isFirst = counts.withLock { counts in
        if token > TurnTests.count { counts.before = counts.all }
        counts.all += 1
        return counts.all == 1
      }
      guard isFirst else { return }
      isReached.call()
      isOpen.wait()
      isOpen.signal()
    }
  }

  @Test("A single push does not wait for all of a list")
  func single() async throws {
    let gate = Gate()
    let server = try TestServer {
      gate.arrived($0.token)
      return nil
    }
    let client = try client(of: server)
    let isRead = Signal()
    let tokens = Numbers(count: Self.count) { if $0 == Self.count { isRead.call() } }
    async let list = client.send(try sample(), to: tokens).byPosition()
    await gate.isReached.wait()
    await isRead.wait()
    async let single = client.send(try sample(), to: try device(Self.count + 1))
    while client.dispatcher.state.withLock({ $0.singles }) == 0 { await Task.yield() }
    gate.open()
    #expect(try await single.outcome == .accepted)
    #expect(try await list.count == Self.count)
    #expect(gate.before < Self.count / 2)
    await client.close()
  }

  @Test("A list does not wait for all single pushes")
  func list() async throws {
    let gate = Gate()
    let server = try TestServer {
      gate.arrived($0.token)
      return nil
    }
    let client = try client(of: server)
    let notification = try sample()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for token in try deviceTokens(1..<Self.count + 1) {
        group.addTask { _ = await client.send(notification, to: token) }
      }
      await gate.isReached.wait()
      while client.dispatcher.state.withLock({ $0.singles }) < Self.count / 2 { await Task.yield() }
      group.addTask {
        for try await _ in client.send(notification, to: [tokenText(Self.count + 1)]) {}
      }
      while client.dispatcher.state.withLock({ $0.lists.isEmpty }) { await Task.yield() }
      gate.open()
      try await group.waitForAll()
    }
    #expect(0..<Self.count * 3 / 4 ~= gate.before)
    await client.close()
  }
}
