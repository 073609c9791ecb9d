import Foundation
import PushModel
import SendingSupport
import TestSupport
import Testing

@testable import SQLHistory

/// A run whose process dies again and again. What is not committed dies with the ledger.
@Suite("A ledger whose process dies", .overAllHistories)
struct CrashTests {
  /// What devices would have seen of a run, and what a sender that may die knows of it.
  private struct World {
    var random: SeededRandom
    var sent: [UInt64: Int] = [:]
    var flagged: Set<UInt64> = []

    mutating func chance(_ percent: Int) -> Bool {
      Int.random(in: 0..<100, using: &random) < percent
    }
  }

  private static let count = 40

  /// How many seeds: a life takes several times as long in PostgreSQL.
  private static var seeds: Int { HistoryKind.current == .sqlite ? 10 : 4 }

  @Test("loses nobody and sends no more often than it says", arguments: 0..<10)
  func atLeastOnce(seed: Int) throws {
    if seed >= Self.seeds { return }
    let world = try untilDone(seed: UInt64(seed), atMostOnce: false)
    for sequence in 1...UInt64(Self.count) {
      let times = world.sent[sequence, default: 0]
      #expect(times >= 1)
      if times > 1 { #expect(world.flagged.contains(sequence)) }
    }
  }

  @Test("at most once: sends nobody twice", arguments: 0..<10)
  func atMostOnce(seed: Int) throws {
    if seed >= Self.seeds { return }
    let world = try untilDone(seed: UInt64(seed), atMostOnce: true)
    #expect(world.sent.values.allSatisfy { $0 == 1 })
  }

  private func untilDone(seed: UInt64, atMostOnce: Bool) throws -> World {
    let place = try HistoryReference()
    let path = place.path
    let pushes = try Push.samples(Self.count)
    let pace = SQLLedger.Pace(claimStep: seed % 2 == 0 ? 1 : 7, batchResults: 4)
    var world = World(random: SeededRandom(seed: seed))
    do { _ = try SQLLedger.begin(.sample(atMostOnce: atMostOnce), at: path, pace: pace) }
    // After so many deaths the process lives.
    for life in 0..<40 {
      if try live(path, pace, pushes, &world, mayDie: life < 12) { break }
    }
    try expectWhole(path)
    withExtendedLifetime(place) {}
    return world
  }

  /// One life of the process, at the end of which its ledger is gone.
  ///
  /// - Returns: whether all is done.
  private func live(
    _ path: String, _ pace: SQLLedger.Pace, _ pushes: [Push], _ world: inout World, mayDie: Bool
  ) throws -> Bool {
    let ledger = try SQLLedger.resume(.first, at: path, now: dawn, sendsEarly: true, pace: pace)
    return try send(pushes, ledger, &world, mayDie: mayDie)
  }

  /// - Returns: whether all is done.
  private func send(
    _ pushes: [Push], _ ledger: SQLLedger, _ world: inout World, mayDie: Bool
  ) throws -> Bool {
    let cursor = try ledger.resuming?.standings()
    for push in pushes {
      if mayDie, world.chance(4) { return false }
      let standing = try cursor?.standing(of: push.sequence) ?? .unclaimed
      let step = ledger.plan?.step(for: standing) ?? .send
      if step == .leave { continue }
      try ledger.claim(upTo: push.sequence)
      if step == .sendInDoubt { world.flagged.insert(push.sequence) }
      guard let result = attempt(push, step, &world, mayDie: mayDie) else {
        return false
      }
      try ledger.record([result], now: dawn)
    }
    ledger.listsEnded(at: UInt64(pushes.count))
    var counts = RecipientCounts()
    counts.lines = pushes.count
    try ledger.finish(RunEnding(.finished, recipients: counts, at: dawn))
    return ledger.tally.deferred == 0
  }

  /// What becomes of a push; nil when the process dies before it knows.
  private func attempt(
    _ push: Push, _ step: ResumeStep, _ world: inout World, mayDie: Bool
  ) -> PushResult? {
    if step == .recordUnknown { return push.result(.unknown, attempts: 0) }
    // The server was too busy to take it.
    if mayDie, world.chance(20) { return push.result(.deferred, .busy, at: dawn) }
    world.sent[push.sequence, default: 0] += 1
    return mayDie && world.chance(4) ? nil : push.accepted
  }

  /// Each push has one row, and the books agree with the rows.
  private func expectWhole(_ path: String) throws {
    let counts = try rows(
      """
      SELECT count(*), count(*) FILTER (WHERE outcome = 0), count(*) FILTER (WHERE outcome = 4)
        FROM pushes
      """, in: path)
    let books = try rows(
      "SELECT accepted + unknown, accepted, unknown FROM progress", in: path)
    #expect(counts == books)
    #expect(counts[0].hasPrefix("\(Self.count)|"))
  }

  @Test("killed outright, it has what was committed and nothing else")
  func killed() async throws {
    let place = try HistoryReference()
    let path = place.path
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let ledger = try SQLLedger.begin(.sample(), at: path, pace: .init(claimStep: 500))
      let pushes = try Push.samples(400)
      try ledger.claim(upTo: 400)
      try ledger.record(pushes[..<300].map(\.accepted), now: dawn)
      try ledger.commit()
      try ledger.record(pushes[300...].map(\.accepted), now: dawn)
      kill(getpid(), SIGKILL)
    }
    try place.waitUntilUnused()
    let plan = try #require(try SQLLedger.resume(.first, at: path, now: dawn).plan)
    #expect(plan.tally.accepted == 300)
    #expect(plan.claimed == 899)
    #expect(plan.claimedWithoutResult == 599)
    try place.expectWhole()
  }
}
