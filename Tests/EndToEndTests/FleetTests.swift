import APNS
import Foundation
import JSONText
import PushEmulator
import SendingSupport
import Synchronization
import TestSupport
import Testing

@Suite("Several workers", .needsPostgreSQL, .timeLimit(.minutes(15)))
struct FleetTests {
  /// The most, of a worker alone, in milliseconds.
  private static let slotLength = 250

  /// Slots are asked for before they begin, and a push arrives after it was sent: neither a slow machine
  /// nor a slow answer makes more arrive than the slots allow that have begun.
  @Test("share the rate, also when one of them is killed", arguments: [false, true])
  func rate(isOneKilled: Bool) throws {
    let gathering = Gathering(of: 3)
    let times = Mutex<[Double]>([])
    let words = ["--rate", "1000/s"]
    try withQueue(of: 3000, lists: 60, words: words) { push in
      times.withLock { $0.append(Date().timeIntervalSince1970 * 1000) }
      gathering.attend(push)
      return nil
    } _: { queue in
      try recordSlots(in: queue.database)
      let request = isOneKilled ? 1000 : 0
      let first = try queue.executioner.start(SIGKILL, atRequest: request) {
        try queue.work(as: "one")
      }
      let others = try ["two", "three"].map { try queue.work(as: $0) }
      #expect(try first.finish().exitCode == (isOneKilled ? nil : 0))
      if isOneKilled { try queue.expire("one") }
      for worker in others { #expect(try worker.finish().exitCode == 0) }
      queue.expectEverybody()
      if !isOneKilled { expectSame(queue.sentTwice, []) }
      let senders = try queue.shown()["queue"]?["workers"]?.array ?? []
      #expect(Set(senders.map { $0["worker"]?.string }) == ["one", "two", "three"])
      try expectRate(times.withLock { $0.sorted() }, in: queue.database)
    }
  }

  /// Writes down each time slot that a worker leases.
  private func recordSlots(in database: PostgresDatabase) throws {
    try database.execute(
      """
      CREATE TABLE public.slots (until BIGINT);
      CREATE FUNCTION public.record_slot() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO public.slots VALUES (NEW.paid_until);
        RETURN NEW;
      END $$;
      CREATE TRIGGER record_slot AFTER UPDATE ON fanfare.queued_runs FOR EACH ROW
        WHEN (OLD.paid_until <> NEW.paid_until) EXECUTE FUNCTION public.record_slot();
      """)
  }

  private func expectRate(_ arrivals: [Double], in database: PostgresDatabase) throws {
    let rows = try database.rows("SELECT until FROM public.slots ORDER BY until")
    let ends = rows.compactMap { $0[0].flatMap(Double.init) }
    #expect(ends.count >= arrivals.count / Self.slotLength)
    for (end, next) in zip(ends, ends.dropFirst()) {
      #expect(next >= end + 25, "two workers share a slot")
    }
    // One push a millisecond. The server's clock is told in whole ones.
    let start = try #require(ends.first) - Double(Self.slotLength)
    let early = zip(1..., arrivals).filter { Double($0) > $1 - start + 3 }
    #expect(early.isEmpty, "\(early.prefix(3))")
  }

  @Test("are all stopped by the breaker, and the run says why")
  func breaker() throws {
    let gathering = Gathering(of: 2)
    try withQueue(of: 6000, lists: 60) { push in
      gathering.attend(push)
      return .reject(.badDeviceToken)
    } _: { queue in
      let workers = try ["one", "two"].map { try queue.work(as: $0) }
      for worker in workers {
        #expect(try worker.finish().exitCode == 4)
      }
      let shown = try queue.shown()
      let cause = try #require(shown["stopCause"]?.string)
      #expect(cause.hasPrefix("push after push"), "\(cause)")
      let sent = queue.witness.requests
      #expect(shown["rejected"]?.int == sent && sent < queue.count)
      #expect(try queue.work().finish().exitCode == 4)
      #expect(queue.witness.requests == sent)
      let again = try queue.work(as: "one", "1").finish()
      #expect(again.errors.contains("Run 1 was stopped (\(cause)). It continues now."))
      #expect(queue.witness.requests > sent)
      expectSame(queue.sentTwice, [])
    }
  }

  @Test("send nothing after they were stopped, and what is left later")
  func stopped() throws {
    let gathering = Gathering(of: 2)
    // There is ten seconds' work.
    try withQueue(of: 5000, lists: 100, words: ["--rate", "500/s"]) { push in
      gathering.attend(push)
      return nil
    } _: { queue in
      let workers = try ["one", "two"].map { try queue.work(as: $0) }
      gathering.wait()
      let stop = ["stop", "1", "--history", queue.database.address]
      #expect(try queue.fanfare.run(stop).output.contains("Run 1 is stopped"))
      for worker in workers { #expect(try worker.finish().exitCode == 4) }
      let arrived = queue.witness.sights.count
      #expect(arrived < queue.count)
      // All that arrived was answered, and recorded.
      #expect(try queue.shown()["accepted"]?.int == arrived)
      #expect(try queue.fanfare.run(stop).output.contains("Run 1 was stopped before"))
      #expect(queue.witness.sights.count == arrived)
      try queue.hasten()
      #expect(try queue.work("1").finish().exitCode == 0)
      queue.expectEverybodyOnce()
    }
  }

  @Test("tell of a stop that they met when they asked for more, before they were told")
  func stoppedBetweenBeats() throws {
    let isStopped = DispatchSemaphore(value: 0)
    try withQueue(of: 6000, lists: 60) { _ in
      isStopped.wait()
      isStopped.signal()
      return nil
    } _: { queue in
      let worker = try queue.work(as: "one")
      queue.arrived.wait()
      try queue.database.execute("UPDATE fanfare.queued_runs SET stopped = 1")
      isStopped.signal()
      let result = try worker.finish()
      #expect(result.exitCode == 4)
      #expect(result.errors.contains("Run 1 is stopped: 'fanfare work 1 --"))
      #expect(queue.witness.sights.count < queue.count)
    }
  }

  @Test("record the last answer although their connections to the database were cut before it")
  func cutAtTheEnd() throws {
    let areCut = DispatchSemaphore(value: 0)
    try withQueue(of: 1) { _ in
      areCut.wait()
      areCut.signal()
      return nil
    } _: { queue in
      let worker = try queue.work()
      queue.arrived.wait()
      try queue.database.endConnections()
      areCut.signal()
      let result = try worker.finish()
      #expect(result.exitCode == 0, "\(result.errors)")
      #expect(try queue.shown()["accepted"] == 1)
      queue.expectEverybodyOnce()
    }
  }

  @Test("may have one name")
  func namesakes() throws {
    let gathering = Gathering(of: 2)
    try withQueue(of: 4000, lists: 80) { push in
      gathering.attend(push)
      return nil
    } _: { queue in
      let workers = try (0..<2).map { _ in try queue.work(as: "same") }
      for worker in workers { #expect(try worker.finish().exitCode == 0) }
      queue.expectEverybodyOnce()
      let told = try #require(try queue.shown()["queue"]?["workers"]?.array)
      #expect(told.allSatisfy { $0["worker"] == "same" && $0["state"] == "ended" })
      let sent = told.compactMap { $0["accepted"]?.int }.filter { $0 > 0 }
      #expect(sent.count >= 2 && sent.reduce(0, +) == 4000)
    }
  }
}

@Suite("A worker that is lost", .needsPostgreSQL, .timeLimit(.minutes(15)))
struct LostFleetWorkerTests {
  @Test("leaves what is in doubt unknown when nothing may be sent twice")
  func atMostOnce() throws {
    try withQueue(of: 3000, lists: 10, words: ["--at-most-once"]) { queue in
      let first = try queue.executioner.start(SIGKILL, atRequest: 700) {
        try queue.work(as: "one")
      }
      #expect(try first.finish().exitCode == nil)
      try queue.expire("one")
      let second = try queue.work(as: "two", "--json").finish()
      #expect(second.exitCode == 0, "\(second.errors)")
      expectSame(queue.sentTwice, [])
      let shown = try queue.shown()
      let unknown = try #require(shown["unknown"]?.int)
      let accepted = try #require(shown["accepted"]?.int)
      #expect(shown["state"] == "finished" && unknown > 0 && accepted + unknown == 3000)
      #expect(accepted <= queue.witness.processed.count)
      // All that were never handed on are sent to.
      #expect(queue.witness.sights.count + unknown >= 3000)
      let list = ["history", "list", "1", "--outcome", "unknown", "--limit", "0", "--json"]
      let told = try queue.fanfare.run(list + ["--history", queue.database.address]).output
      #expect(told.split(separator: "\n").count == unknown)
    }
  }

  @Test("has others of its machine send again only what was in flight")
  func inFlight() throws {
    try withQueue(of: 3000, lists: 3) { _ in
      .delay(milliseconds: 5, then: .accept)
    } _: { queue in
      let first = try queue.executioner.start(SIGKILL, atRequest: 1500) {
        try queue.work(as: "one")
      }
      #expect(try first.finish().exitCode == nil)
      try queue.expire("one")
      #expect(try queue.work(as: "two").finish().exitCode == 0)
      queue.expectEverybody()
      let again = queue.witness.sights.values.reduce(0) { $0 + $1.ids.count - 1 }
      // The streams of its one connection.
      #expect(again <= 1000)
      let kept = queue.fanfare.folder.file(".local/state/fanfare/lists")
      #expect(try FileManager.default.contentsOfDirectory(atPath: kept) == [])
    }
  }

  /// Holds back the answers of the first connection from a request on.
  private final class Hold: Sendable {
    let isClosed = DispatchSemaphore(value: 0)
    private let gate = DispatchSemaphore(value: 0)
    private let state = Mutex((connection: Int?.none, requests: 0))

    func pass(_ push: IncomingPush) {
      let request = state.withLock { state in
        state.connection = state.connection ?? push.connection
        if state.connection == push.connection { state.requests += 1 }
        return state.connection == push.connection ? state.requests : 0
      }
      if request < 50 { return }
      if request == 50 { isClosed.signal() }
      _ = gate.wait(timeout: .now() + 60)
      gate.signal()
    }

    func open() { gate.signal() }
  }

  @Test("and was only slow: its late results are kept beside those of others")
  func late() throws {
    let hold = Hold()
    defer { hold.open() }
    try withQueue(of: 2000, lists: 20) { push in
      hold.pass(push)
      return nil
    } _: { queue in
      let slow = try queue.work(as: "one", "--timeout", "60s", "--lease", "200s")
      hold.isClosed.wait()
      try queue.expire("one")
      #expect(try queue.work(as: "two").finish().exitCode == 0)
      let before = try queue.shown()
      #expect(before["state"] == "finished" && before["accepted"]?.int == 2000)
      #expect(try #require(before["queue"]?["resentInDoubt"]?.array).isEmpty == false)
      hold.open()
      #expect(try slow.finish().exitCode == 0)
      queue.expectEverybody()
      try expectBooks(queue)
    }
  }

  private func expectBooks(_ queue: Queue) throws {
    let shown = try queue.shown()
    #expect(shown["state"] == "finished" && shown["accepted"]?.int == queue.count)
    #expect(shown["total"]?.int == queue.count)
    let told = try #require(shown["queue"])
    let others = try #require(told["otherResults"]?.array)
    #expect(others.allSatisfy { $0["outcome"] == "accepted" })
    let twice = Set(others.compactMap { $0["sequence"]?.int })
    #expect(!twice.isEmpty && told["sentTwice"]?.int == twice.count)
    expectSame(Set(twice.map(tokenText)), queue.sentTwice)
    expectSame(Set(queue.witness.sights.filter { Set($1.ids).count > 1 }.keys), [])
    let workers = told["workers"]?.array ?? []
    #expect(workers.first?["worker"] == "one" && workers.first?["state"] == "lost")
    #expect(workers.dropFirst().allSatisfy { $0["worker"] == "two" && $0["state"] == "ended" })
    let brought = workers.compactMap { $0["accepted"]?.int }
    #expect(brought.reduce(0, +) == queue.count + others.count)
  }
}
