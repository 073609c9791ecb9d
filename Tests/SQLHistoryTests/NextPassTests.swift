import PushModel
import SendingSupport
import TestSupport
import Testing

@testable import SQLHistory

@Suite("The next pass of a run", .overAllHistories)
struct NextPassTests {
  private let place: HistoryReference
  private var path: String { place.path }

  init() throws { place = try HistoryReference() }

  /// A run that ended with these outcomes, one of each push.
  private func run(_ outcomes: [Outcome], _ record: RunRecord = .sample()) throws -> RunNumber {
    let ledger = try SQLLedger.begin(record, at: path)
    try ledger.claim(upTo: UInt64(outcomes.count))
    let pushes = try Push.samples(outcomes.count)
    let results = zip(pushes, outcomes).map { $0.result($1, at: dawn + 7 * Int64($0.index)) }
    try ledger.record(results, now: dawn)
    try ledger.finishAll(outcomes.count)
    return ledger.run
  }

  private func resume(
    _ run: RunNumber = .first, at time: Int64 = dawn, early: Bool = false
  ) throws -> SQLLedger {
    try SQLLedger.resume(run, at: path, now: time, sendsEarly: early, pace: .init(claimStep: 1))
  }

  /// Everything that the history holds.
  private var contents: [String] {
    get throws {
      try rows("SELECT id, state, finished FROM runs ORDER BY id", in: path)
        + rows(
          """
          SELECT claimed, pass, pass_claimed, pass_due, last, is_indexed FROM progress
            ORDER BY run
          """, in: path)
        + rows("SELECT id, outcome, status, reason, pass FROM pushes ORDER BY id", in: path)
    }
  }

  @Test("may send only what it has claimed itself", arguments: [false, true])
  func claims(atMostOnce: Bool) throws {
    let run = try run([.deferred, .deferred, .deferred], .sample(atMostOnce: atMostOnce))
    do {
      let ledger = try resume(early: true)
      #expect(ledger.claimed == 0)
      try ledger.claim(upTo: 1)
      #expect(ledger.claimed >= 1)
      #expect(try rows("SELECT pass FROM progress WHERE pass_claimed > 0", in: path) == ["1"])
    }
    // Its process was killed: nobody knows what became of the first.
    let ledger = try resume(run)
    let plan = try #require(ledger.plan)
    var doubtful: [ClosedRange<UInt64>] = []
    try ledger.resuming?.forEachInDoubt { doubtful.append($0) }
    #expect(doubtful.first?.lowerBound == 1 && plan.inDoubt == doubtful.reduce(0) { $0 + $1.count })
    let cursor = try #require(ledger.resuming).standings()
    let standing = try cursor.standing(of: 1)
    #expect(standing == (atMostOnce ? .done(.unknown) : .unknown))
    #expect(plan.step(for: standing) == (atMostOnce ? .leave : .sendInDoubt))
  }

  @Test("that is refused leaves the run as it was, even one that was killed twice")
  func refused() throws {
    _ = try run([.deferred, .notAttempted, .accepted, .deferred])
    let ended = try contents
    _ = try resume(early: true)
    #expect(try contents == ended)
    do { try resume(early: true).claim(upTo: 2) }
    let killed = try contents
    #expect(killed != ended)
    #expect(try resume().plan?.tally.unknown == 2)
    #expect(try contents == killed)
    try resume().beginPass()
    #expect(try rows("SELECT outcome FROM pushes ORDER BY id", in: path) == ["4", "4", "0", "3"])
    #expect(try rows("SELECT pass, pass_claimed FROM progress", in: path) == ["2|0"])
  }

  @Test("does nothing about an unknown push that has expired, and older runs get their turn")
  func expired() throws {
    let older = try run([.accepted, .unknown])
    var record = RunRecord.sample()
    record.expiration = dawn / 1000 + 60
    let newer = try run([.accepted, .unknown, .unknown], record)
    #expect(try SQLLedger.unfinished(at: path, now: dawn) == [newer, older])
    let before = try #require(try resume(newer).plan)
    #expect(before.run == newer && before.ready == 2)
    #expect(before.step(for: .unknown, now: dawn) == .sendInDoubt)
    #expect(before.step(for: .unknown, now: dawn + minute) == .leave)
    #expect(before.step(for: .claimed, now: dawn + minute) == .recordUnknown)
    #expect(try SQLLedger.unfinished(at: path, now: dawn + minute) == [older])
    #expect(throws: HistoryError.nothingToResume(newer)) { try resume(newer, at: dawn + minute) }
  }

  @Test("stopped before it came to all deferred pushes, it knows when they are due")
  func due() throws {
    _ = try run([.deferred, .deferred, .deferred, .accepted])
    let ledger = try resume(early: true)
    try ledger.record([try Push.samples(1)[0].accepted], now: dawn)
    var counts = RecipientCounts()
    counts.lines = 1
    try ledger.finish(RunEnding(.interrupted, recipients: counts, at: dawn))
    #expect(ledger.nextDue == dawn + 7 + 15 * minute)
  }

  @Test("adds what it knows of each of many pushes in one commit to what was known")
  func manyAtOnce() throws {
    _ = try run([.deferred, .deferred, .deferred, .unknown, .notAttempted, .accepted])
    let pushes = try Push.samples(6)
    let ledger = try SQLLedger.resume(.first, at: path, now: dawn, sendsEarly: true)
    try ledger.claim(upTo: 6)
    try ledger.record(
      [
        pushes[0].accepted, pushes[1].result(.deferred, .busy, attempts: 2, at: dawn + minute),
        pushes[2].result(.notAttempted, attempts: 0), pushes[3].result(.rejected, .gone),
      ], now: dawn)
    try ledger.record(
      [pushes[1].result(.rejected, .gone), pushes[4].result(.accepted, .yes, resent: true)],
      now: dawn)
    try ledger.finishAll(6)
    let found = try rows(
      "SELECT outcome, attempts, deferrals, resent, pass FROM pushes ORDER BY id", in: path)
    #expect(
      found == ["0|2|1|0|1", "1|4|2|0|1", "3|1|1|0|1", "1|2|0|0|1", "0|2|0|1|1", "0|1|0|0|0"])
    let books = "SELECT accepted, rejected, deferred, unknown + not_attempted FROM progress"
    #expect(try rows(books, in: path) == ["3|2|1|0"])
    #expect(ledger.nextDue == dawn + 14 + 15 * minute)
  }

  @Test("stopped early, it forgets nothing of what earlier ones read")
  func figures() throws {
    do {
      let ledger = try SQLLedger.begin(.sample(), at: path)
      try ledger.record(try Push.samples(3).map { $0.result(.deferred, at: dawn) }, now: dawn)
      ledger.listsEnded(at: 3)
      var counts = RecipientCounts()
      (counts.lines, counts.badLines, counts.duplicates) = (9, 4, 2)
      try ledger.finish(RunEnding(.finished, recipients: counts, at: dawn))
    }
    let ledger = try resume(early: true)
    #expect(ledger.plan?.recipients.lines == 9)
    try ledger.record([try Push.samples(1)[0].accepted], now: dawn)
    var counts = RecipientCounts()
    (counts.lines, counts.badLines) = (2, 1)
    try ledger.finish(RunEnding(.interrupted, recipients: counts, at: dawn))
    let found = try rows("SELECT last, lines, bad_lines, duplicates FROM progress", in: path)
    #expect(found == ["3|9|4|2"])
  }
}
