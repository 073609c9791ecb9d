import APNS
import Foundation
import HTTP2
import PushEmulator
import PushModel
import SendingSupport
import Synchronization
import Testing

@testable import Delivery

@Suite("The lease of a worker", .timeLimit(.minutes(15)))
struct LeaseTests {
  private static func forever() -> TestLease { TestLease(until: .max) }

  // MARK: The backlog

  @Test("Nothing is taken out of a backlog whose lease lasts, nor of one without a lease")
  func lasting() {
    for lease in [TestLease(until: 11), nil] {
      var backlog = Backlog()
      backlog.add(part(3, lease))
      #expect(backlog.dependsOnLease == (lease != nil))
      #expect(backlog.takeUnleased(now: 10).isEmpty)
      #expect([backlog.take(), backlog.take(), backlog.take()].allSatisfy { $0 != nil })
      #expect(backlog.isEmpty && !backlog.dependsOnLease)
    }
  }

  @Test("All that a lease was for is taken out when it ends: what is new, comes again or waits")
  func ended() throws {
    let lease = TestLease(until: 10)
    var backlog = Backlog()
    backlog.add(part(4, lease))
    let (first, second) = (backlog.take(), backlog.take())
    backlog.add(again: try #require(first))
    let isKept = backlog.add(try #require(second), dueAt: 1_000_000)
    #expect(isKept)
    #expect(backlog.takeUnleased(now: 9).isEmpty)
    let unleased = backlog.takeUnleased(now: 10)
    #expect(unleased.map(\.push.sequence).sorted() == [1, 2, 3, 4])
    #expect(backlog.isEmpty && backlog.nextDue == nil)
    // It was in flight when the others were taken out.
    backlog.add(again: try #require(unleased.first))
    #expect(backlog.takeUnleased(now: 10).count == 1)
    #expect(backlog.isEmpty)
  }

  @Test("What another lease is for stays, in its order and with its due times")
  func another() throws {
    let lost = Self.forever()
    var backlog = Backlog()
    backlog.add(part(4, Self.forever()))
    for due in [70, 50] as [UInt64] {
      let taken = backlog.take()
      let isKept = backlog.add(try #require(taken), dueAt: due)
      #expect(isKept)
    }
    for push in part(2, lost).pushes {
      backlog.add(again: PendingPush(push: push))
      let isKept = backlog.add(PendingPush(push: push), dueAt: 60)
      #expect(isKept)
    }
    lost.end()
    let unleased = backlog.takeUnleased(now: 1)
    #expect(unleased.map(\.push.sequence) == [1, 2, 1, 2])
    #expect([backlog.take(), backlog.take()].map { $0?.push.sequence } == [3, 4])
    #expect(!backlog.isReady && backlog.nextDue == 50)
    backlog.wakeUp(now: 70)
    #expect([backlog.take(), backlog.take()].map { $0?.push.sequence } == [2, 1])
    #expect(backlog.isEmpty)
  }

  // MARK: Runs

  @Test("No stream is opened once it has ended; what is in flight is finished", arguments: [1, 3])
  func run(connections: Int) throws {
    let lease = Self.forever()
    let server = try TestServer { attempt in
      if attempt.push.number == 500 { lease.end() }
      return nil
    }
    let parts = parts(40, lease)
    let delivery = try TestRun(connections: connections).send(to: server) { Parts(parts) }
    #expect(delivery.report.stopCause == nil)
    #expect(delivery[.accepted] >= 500 && delivery[.notAttempted] > 0)
    #expect(delivery[.accepted] + delivery[.notAttempted] == 40 * PushChunk.capacity)
    delivery.expectWhole()
    delivery.expectAgreement(with: server)
  }

  @Test("What was sent and had no answer is unknown, and not sent again")
  func inDoubt() throws {
    let lease = Self.forever()
    let server = try TestServer { _ in
      lease.end()
      return .reset(code: 2)
    }
    let part = part(1, lease)
    let delivery = try TestRun().send(to: server) { Parts([part]) }
    #expect(delivery[.unknown] == 1 && delivery.results.first?.attempts == 1)
  }

  @Test("What earlier workers left in doubt is unknown")
  func inDoubtBefore() throws {
    let part = part(2, TestLease(until: 0)).taking([.sendInDoubt, .send], from: [])
    let server = try TestServer()
    let delivery = try TestRun().send(to: server) { Parts([part]) }
    #expect(delivery.results.map(\.outcome) == [.unknown, .notAttempted])
    #expect(server.emulator.requestCount == 0)
  }

  @Test("A push that waits for its next try does not hold up the end")
  func waiting() throws {
    let time = TestClock()
    let lease = TestLease(until: time.clock.monotonic() + 90_000_000_000)
    let server = try TestServer { _ in
      time.skip(seconds: 100)
      return .reject(.serviceUnavailable)
    }
    let part = part(1, lease)
    let run = TestRun(
      timeoutMilliseconds: 200_000, clock: time.clock, retryRules: RetryRules(retries: 3))
    let delivery = try run.send(to: server) { Parts([part]) }
    #expect(delivery[.deferred] == 1 && server.emulator.requestCount == 1)
    #expect(delivery.results.first?.response?.reason == .serviceUnavailable)
  }

  @Test("A rate does not hold up the end")
  func rate() throws {
    let lease = Self.forever()
    let server = try TestServer { _ in
      lease.end()
      return nil
    }
    let part = part(100, lease)
    let rate = try #require(PushRate(1, perMilliseconds: 3_600_000))
    let delivery = try TestRun(rate: rate).send(to: server) { Parts([part]) }
    #expect(delivery[.accepted] == 1 && delivery[.notAttempted] == 99)
  }

  // MARK: The end of a source

  @Test("A source that ends because the run stops ends the run, whatever stopped it")
  func stopped() throws {
    for cause in [StopCause.stopped(nil), .stopped("Enough."), .interrupted] {
      let control = RunControl()
      let server = try TestServer { attempt in
        if attempt.push.number == 200 { control.stop(cause) }
        return nil
      }
      let part = part(256)
      let delivery = try TestRun(control: control).send(to: server) {
        Parts([part]) { control.isStopping }
      }
      #expect(delivery.report.stopCause == cause)
      #expect(delivery[.accepted] + delivery[.notAttempted] == 256)
    }
  }

  // MARK: Samples

  private func parts(_ count: Int, _ lease: any SendingLease) -> [PushChunk] {
    (0..<count).map { part(PushChunk.capacity, at: $0 * PushChunk.capacity + 1, lease) }
  }

  private func part(_ count: Int, at first: Int = 1, _ lease: (any SendingLease)? = nil)
    -> PushChunk
  {
    var builder = PushChunkBuilder()
    if let lease {
      let claim = ChunkClaim(chunk: UInt64(first), isFirst: true, lease: lease)
      builder.begin(at: UInt64(first), list: "list", channel: nil, claim)
    }
    for number in first..<first + count {
      Array(tokenText(number).utf8).withUnsafeBufferPointer {
        builder.append(token: $0, line: number)
      }
    }
    return builder.take()
  }
}

/// Parts of claimed chunks; then it waits for others until it is told to end.
private struct Parts: PushSource {
  private(set) var counts = RecipientCounts()
  let extent = ListExtent()
  private var parts: [PushChunk]
  private let isOver: @Sendable () -> Bool

  init(_ parts: [PushChunk], isOver: @escaping @Sendable () -> Bool = { true }) {
    (self.parts, self.isOver) = (parts, isOver)
  }

  mutating func next() -> PushChunk? {
    if parts.isEmpty {
      while !isOver() { sched_yield() }
      return nil
    }
    counts.lines += parts[0].count
    return parts.removeFirst()
  }
}

/// A lease that ends when it is told to.
private final class TestLease: SendingLease {
  private let deadline: Atomic<UInt64>

  init(until deadline: UInt64) { self.deadline = Atomic(deadline) }

  func hasEnded(now: UInt64) -> Bool { deadline.load(ordering: .acquiring) <= now }

  func end() { deadline.store(0, ordering: .releasing) }
}
