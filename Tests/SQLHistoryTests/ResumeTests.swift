import PushModel
import SendingSupport
import TestSupport
import Testing

@testable import SQLHistory

@Suite("Resuming a run", .overAllHistories)
struct ResumeTests {
  private let place: HistoryReference
  private var path: String { place.path }

  init() throws { place = try HistoryReference() }

  /// A run of twelve pushes whose process was killed.
  private func killedRun(atMostOnce: Bool = false) throws -> RunNumber {
    let ledger = try SQLLedger.begin(
      .sample(atMostOnce: atMostOnce), at: path, pace: .init(claimStep: 1))
    let pushes = try Push.samples(12)
    try ledger.claim(upTo: 10)
    try ledger.record(
      [
        pushes[1].accepted, pushes[2].result(.rejected, .gone), pushes[3].result(.skipped),
        pushes[4].result(.deferred, .busy, at: dawn + minute), pushes[6].result(.unknown),
        pushes[7].result(.notAttempted, attempts: 0),
      ], now: dawn)
    try ledger.commit()
    return ledger.run
  }

  private static let standings: [PushState] = [
    .claimed, .done(.accepted), .done(.rejected), .done(.skipped),
    .deferred(due: dawn + 16 * minute), .claimed, .unknown, .notAttempted, .claimed, .claimed,
    .unclaimed, .unclaimed,
  ]

  private func standings(_ ledger: SQLLedger, _ count: UInt64 = 12) throws -> [PushState] {
    let cursor = try #require(ledger.resuming).standings()
    var found: [PushState] = []
    for sequence in 1...count { found.append(try cursor.standing(of: sequence)) }
    return found
  }

  @Test("knows where each push stands")
  func standing() throws {
    let run = try killedRun()
    let ledger = try SQLLedger.resume(.first, at: path, now: dawn)
    let plan = try #require(ledger.plan)
    #expect(plan.run == run)
    #expect(plan.record == .sample())
    #expect(try standings(ledger) == Self.standings)
    #expect(plan.tally.total == 6)
    #expect(plan.claimedWithoutResult == 4)
    #expect(plan.nextDue == dawn + 16 * minute)
    #expect(plan.ready == 6)
  }

  @Test("sends what was not sent, what is in doubt, and nothing that is done or not due")
  func steps() throws {
    _ = try killedRun()
    let ledger = try SQLLedger.resume(.first, at: path, now: dawn)
    let plan = try #require(ledger.plan)
    let steps = try standings(ledger).map { plan.step(for: $0) }
    #expect(
      steps == [
        .sendInDoubt, .leave, .leave, .leave, .leave, .sendInDoubt, .sendInDoubt, .send,
        .sendInDoubt, .sendInDoubt, .send, .send,
      ])
  }

  @Test("at most once: what is in doubt becomes unknown, and is not sent")
  func atMostOnce() throws {
    _ = try killedRun(atMostOnce: true)
    let ledger = try SQLLedger.resume(.first, at: path, now: dawn)
    let plan = try #require(ledger.plan)
    let steps = try standings(ledger).map { plan.step(for: $0) }
    #expect(
      steps == [
        .recordUnknown, .leave, .leave, .leave, .leave, .recordUnknown, .leave, .send,
        .recordUnknown, .recordUnknown, .send, .send,
      ])
  }

  @Test("lists what was claimed and has no result or an unknown one, as ranges")
  func ranges() throws {
    _ = try killedRun()
    let ledger = try SQLLedger.resume(.first, at: path, now: dawn)
    let plan = try #require(ledger.plan)
    var ranges: [ClosedRange<UInt64>] = []
    try ledger.resuming?.forEachInDoubt { ranges.append($0) }
    #expect(ranges == [1...1, 6...7, 9...10] && plan.inDoubt == 5)
  }

  @Test("goes through more results than a page holds", arguments: [4095, 4096, 4097, 9000])
  func pages(count: Int) throws {
    do {
      let ledger = try SQLLedger.begin(.sample(), at: path, claiming: UInt64(count + 3))
      try ledger.record(try Push.samples(count).map(\.accepted), now: dawn)
    }
    let ledger = try SQLLedger.resume(.first, at: path, now: dawn)
    let found = try standings(ledger, UInt64(count + 4))
    #expect(found.count { $0 == .done(.accepted) } == count)
    #expect(found.suffix(4) == [.claimed, .claimed, .claimed, .unclaimed])
    var ranges: [ClosedRange<UInt64>] = []
    try ledger.resuming?.forEachInDoubt { ranges.append($0) }
    #expect(ranges == [UInt64(count + 1)...UInt64(count + 3)])
  }

  @Test("a cursor may pass pushes over")
  func gaps() throws {
    _ = try killedRun()
    let ledger = try SQLLedger.resume(.first, at: path, now: dawn)
    let cursor = try #require(ledger.resuming).standings()
    #expect(try cursor.standing(of: 3) == .done(.rejected))
    #expect(try cursor.standing(of: 8) == .notAttempted)
    #expect(try cursor.standing(of: 500) == .unclaimed)
  }

  @Test(
    "a deferred push is due after 15 minutes, then 30, then 60",
    arguments: [(1, 15), (2, 30), (3, 60), (5, 240), (40, 15 * 1024)] as [(Int, Int64)])
  func due(deferrals: Int, minutes: Int64) throws {
    do {
      let ledger = try SQLLedger.begin(.sample(), at: path)
      let push = try Push.samples(1)[0]
      try ledger.record([push.result(.deferred, .busy, at: dawn + 5)], now: dawn)
      try ledger.finishAll(1)
      try ledger.database.execute("UPDATE results SET deferrals = \(deferrals)")
    }
    let due = dawn + 5 + minutes * minute
    let error = HistoryError.notDue(try #require(RunNumber(rawValue: 1)), next: due)
    #expect(throws: error) { try SQLLedger.resume(.first, at: path, now: due - 1) }
    let early = try SQLLedger.resume(.first, at: path, now: dawn, sendsEarly: true)
    #expect(early.plan?.deferredDue == 1)
  }

  @Test("once due, it is sent; its attempts and deferrals add up")
  func addsUp() throws {
    let push = try Push.samples(1)[0]
    do {
      let ledger = try SQLLedger.begin(.sample(), at: path)
      try ledger.record(
        [push.result(.deferred, .busy, attempts: 2, resent: true, at: dawn)], now: dawn)
      try ledger.finishAll(1)
    }
    let later = dawn + 15 * minute
    do {
      let ledger = try SQLLedger.resume(.first, at: path, now: later)
      try ledger.record([push.result(.deferred, .busy, attempts: 3, at: later)], now: later)
      try ledger.finishAll(1)
      #expect(ledger.tally.deferred == 1)
    }
    let last = try SQLLedger.resume(.first, at: path, now: later + 30 * minute)
    try last.record([push.accepted], now: later)
    try last.finishAll(1)
    let found = try rows(
      "SELECT outcome, attempts, deferrals, resent, pass FROM pushes", in: path)
    #expect(found == ["0|6|2|1|2"])
    #expect(try rows("SELECT accepted, deferred FROM progress", in: path) == ["1|0"])
    #expect(throws: HistoryError.nothingToResume(.first)) {
      try SQLLedger.resume(.first, at: path, now: later)
    }
  }

  @Test("a push whose turn does not come again keeps its result")
  func keptResult() throws {
    let push = try Push.samples(1)[0]
    do {
      let ledger = try SQLLedger.begin(.sample(), at: path)
      try ledger.record([push.result(.deferred, .busy, at: dawn)], now: dawn)
      try ledger.finishAll(1)
    }
    let ledger = try SQLLedger.resume(.first, at: path, now: dawn + 15 * minute)
    try ledger.record([push.result(.notAttempted, attempts: 0)], now: dawn + 15 * minute)
    try ledger.finishAll(1)
    #expect(try rows("SELECT outcome, status, deferrals FROM pushes", in: path) == ["3|503|1"])
    #expect(ledger.tally.deferred == 1)
    #expect(ledger.tally.total == 1)
  }

  @Test("killed again, what it had claimed again is in doubt")
  func killedAgain() throws {
    let pushes = try Push.samples(4)
    let later = dawn + 15 * minute
    do {
      let ledger = try SQLLedger.begin(.sample(), at: path)
      try ledger.record(pushes.map { $0.result(.deferred, .busy, at: dawn) }, now: dawn)
      try ledger.finishAll(4)
    }
    do {
      let ledger = try SQLLedger.resume(.first, at: path, now: later, pace: .init(claimStep: 1))
      try ledger.claim(upTo: 3)
      try ledger.record([pushes[1].accepted], now: later)
      try ledger.commit()
    }
    let ledger = try SQLLedger.resume(.first, at: path, now: later)
    let plan = try #require(ledger.plan)
    #expect(
      try standings(ledger, 4) == [.unknown, .done(.accepted), .unknown, .deferred(due: later)])
    #expect(plan.tally.unknown == 2)
    #expect(plan.tally.deferred == 1)
  }

  @Test("is one of those that are unfinished, newest first")
  func newest() throws {
    let run = try killedRun()
    let done = try SQLLedger.begin(.sample(), at: path)
    try done.record([try Push.samples(1)[0].accepted], now: dawn)
    try done.finishAll(1)
    #expect(try SQLLedger.unfinished(at: path, now: dawn) == [run])
    #expect(throws: HistoryError.nothingToResume(done.run)) {
      try SQLLedger.resume(done.run, at: path, now: dawn)
    }
  }

  @Test("a run that was stopped is resumed after the last push that was handed on")
  func interrupted() throws {
    do {
      let ledger = try SQLLedger.begin(.sample(), at: path)
      // Two were handed on when the run was stopped; the third was claimed and came too late.
      try ledger.claim(upTo: 3)
      try ledger.record(try Push.samples(2).map(\.accepted), now: dawn)
      var counts = RecipientCounts()
      counts.lines = 2
      try ledger.finish(RunEnding(.interrupted, recipients: counts, at: dawn))
    }
    let ledger = try SQLLedger.resume(.first, at: path, now: dawn)
    let plan = try #require(ledger.plan)
    #expect(plan.claimedWithoutResult == 0)
    #expect(try standings(ledger, 3) == [.done(.accepted), .done(.accepted), .unclaimed])
  }

  @Test("a run that the history does not hold cannot be resumed, and no history is made for it")
  func missing() throws {
    let place = try HistoryReference(isBare: true)
    let run = try #require(RunNumber(rawValue: 12))
    #expect(throws: HistoryError.missing(path: place.name)) {
      try SQLLedger.resume(run, at: place.path, now: dawn)
    }
    #expect(try !place.isMade)
    do { _ = try Database.open(path) }
    #expect(throws: HistoryError.noSuchRun(run)) {
      try SQLLedger.resume(run, at: path, now: dawn)
    }
    #expect(try SQLLedger.unfinished(at: path, now: dawn) == [])
  }
}
