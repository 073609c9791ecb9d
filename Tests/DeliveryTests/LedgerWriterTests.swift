import Foundation
import HTTP2
import PushModel
import Recipients
import SQLHistory
import SendingSupport
import Synchronization
import TestSupport
import Testing

@testable import Delivery

@Suite("Bookkeeping")
struct BookkeepingTests {
  private let folder: KeptFolder
  private let time = MovableTime()
  private let stopwatch = Stopwatch()

  private final class Stopwatch: Sendable { let nanoseconds = Atomic<UInt64>(1) }

  init() throws { folder = try KeptFolder() }

  private var clock: RunClock {
    var clock = RunClock.system
    clock.monotonic = { [stopwatch] in stopwatch.nanoseconds.load(ordering: .relaxed) }
    clock.epochMilliseconds = { [time] in time.now * 1000 }
    return clock
  }

  private func books(
    _ ledger: SQLLedger, _ reading: ReadingProgress = ReadingProgress()
  ) -> LedgerWriter {
    LedgerWriter(RunLedger(ledger), nil, RunControl(), clock) { reading }
  }

  private func ledger(
    claiming sequence: UInt64 = 0, pace: SQLLedger.Pace = .init()
  ) throws -> SQLLedger {
    let record = RunRecord(
      started: 0, environment: "emulator", version: "1", identity: RunIdentity(given: nil, clock))
    return try SQLLedger.begin(
      record, at: folder.path(of: "history.sqlite"), claiming: sequence, pace: pace)
  }

  private func results(_ count: Int) throws -> ResultBatch {
    var reader = try RecipientReader([.tokens(deviceTokens(count))])
    let chunk = try reader.next()
    let results = try #require(chunk).pushes.map { push in
      PushResult(
        push: push, outcome: .accepted, response: nil, attempts: 1, wasResentInDoubt: false,
        latencyMicroseconds: nil, answeredAt: nil)
    }
    return ResultBatch(results: PushResults(results))
  }

  @Test("A run that is killed leaves behind how many pushes it has, if its lists were read")
  func listsEnded() throws {
    for hasEnded in [false, true] {
      let ledger = try ledger()
      let reading = ReadingProgress(counts: RecipientCounts(lines: 7), hasEnded: hasEnded)
      var books = books(ledger, reading)
      _ = books.add(try results(1))
      try ledger.commit()
      let question = "SELECT lines, coalesce(last, 0) FROM progress WHERE run = \(ledger.run)"
      let found = try rows(question, in: folder.path(of: "history.sqlite"))
      #expect(found == [hasEnded ? "7|7" : "7|0"])
    }
  }

  @Test("While a run is held, no wait is longer than a quarter of a second")
  func held() throws {
    let control = RunControl()
    let books = LedgerWriter(nil, nil, control, clock) { ReadingProgress() }
    #expect(books.patience == nil && !books.isHeld)
    control.hold(until: 1_000_000_001, now: 1)
    #expect(books.patience == 250 && books.isHeld)
    stopwatch.nanoseconds.add(1_000_000_000, ordering: .relaxed)
    #expect(books.patience == nil && !books.isHeld)
  }

  @Test("Results wait no longer when the wall clock is set back, nor when it is set forward")
  func wallClock() throws {
    for jump in [-3600, 3600] as [Int64] {
      var books = books(try ledger())
      #expect(books.patience == nil)
      #expect(books.add(try results(1)).isEmpty)
      time.move(by: jump)
      #expect(books.patience == 200)
      #expect(books.commitIfDue().isEmpty)
      stopwatch.nanoseconds.add(200_000_000, ordering: .relaxed)
      #expect(books.patience == 0)
      #expect(books.commitIfDue().count == 1)
      #expect(books.patience == nil)
    }
  }

  @Test("Results that are committed with a claim count at once: a kill may come next")
  func claimed() throws {
    let ledger = try ledger(
      claiming: 3, pace: .init(claimStep: 1, batchResults: 1000, batchMilliseconds: 3_600_000))
    let (wake, readerWake) = (try #require(Wake()), try #require(Wake()))
    let gate = ClaimGate(ledger: wake)
    var books = LedgerWriter(RunLedger(ledger), gate, RunControl(), clock) {
      ReadingProgress(counts: RecipientCounts(lines: 3))
    }
    #expect(books.claim().isEmpty)
    #expect(books.add(try results(3)).isEmpty)
    Thread.detachNewThread { gate.pass(upTo: 4, waitingOn: readerWake) }
    while gate.wanted < 4 { sched_yield() }
    #expect(books.claim().map(\.count) == [3])
    #expect(ledger.committed == 3 && books.takeRest().isEmpty)
  }

  @Test("The last results are committed before they count, if their lines go to a file")
  func rest() throws {
    for commitsRest in [false, true] {
      let ledger = try ledger()
      var books = LedgerWriter(
        RunLedger(ledger), nil, RunControl(), clock, commitsRest: commitsRest
      ) {
        ReadingProgress(counts: RecipientCounts(lines: 3))
      }
      #expect(books.add(try results(3)).isEmpty)
      #expect(books.takeRest().map(\.count) == [3])
      #expect(ledger.committed == (commitsRest ? 3 : 0))
    }
  }

  // MARK: A database that is away

  @Test("While it is away nothing is tried before the ledger says so, and nothing counts")
  func away() throws {
    let ledger = try AwayLedger(clock)
    var books = LedgerWriter(RunLedger(ledger), nil, RunControl(), clock) { ReadingProgress() }
    #expect(books.add(try results(2)).isEmpty && books.patience == 200)
    pass(milliseconds: 200)
    #expect(books.commitIfDue().isEmpty && ledger.tries == 1)
    #expect(books.patience == 1000)
    pass(milliseconds: 999)
    #expect(books.add(try results(3)).isEmpty && ledger.tries == 1 && books.patience == 1)
    pass(milliseconds: 1)
    #expect(books.commitIfDue().isEmpty && ledger.tries == 2)
    ledger.isAway = false
    pass(milliseconds: 1000)
    #expect(books.commitIfDue().map(\.count) == [2, 3])
    #expect(books.patience == nil && !books.isWaiting)
  }

  @Test(
    "The last results wait for it, if their lines go to a file; otherwise the end of the run does")
  func awayAtTheEnd() throws {
    for commitsRest in [false, true] {
      let ledger = try AwayLedger(clock)
      var books = LedgerWriter(
        RunLedger(ledger), nil, RunControl(), clock, commitsRest: commitsRest
      ) {
        ReadingProgress()
      }
      _ = books.add(try results(3))
      let first = books.takeRest()
      #expect(first.map(\.count) == (commitsRest ? [] : [3]) && books.isWaiting == commitsRest)
      guard commitsRest else { continue }
      #expect(books.takeRest().isEmpty && ledger.tries == 1 && books.patience == 1000)
      ledger.isAway = false
      pass(milliseconds: 1000)
      #expect(books.takeRest().map(\.count) == [3] && !books.isWaiting)
    }
  }

  @Test("When the ledger gives up, the last results count: there is no other word on them")
  func givenUp() throws {
    let ledger = try AwayLedger(clock)
    let control = RunControl()
    var books = LedgerWriter(RunLedger(ledger), nil, control, clock, commitsRest: true) {
      ReadingProgress()
    }
    _ = books.add(try results(3))
    #expect(books.takeRest().isEmpty)
    ledger.givesUp = true
    pass(milliseconds: 1000)
    #expect(books.takeRest().map(\.count) == [3])
    #expect(!books.isWaiting && control.cause == .history(.full))
  }

  private func pass(milliseconds: UInt64) {
    stopwatch.nanoseconds.add(milliseconds * 1_000_000, ordering: .relaxed)
  }
}

/// A ledger whose database is away until it is not, and that tries again after a second.
private final class AwayLedger: ResultLedger {
  let run: RunNumber
  let record: RunRecord
  private(set) var failure: HistoryError?
  private(set) var committed = 0
  let tally = OutcomeTally()
  let nextDue: Int64? = nil
  private var retryAt: UInt64 = 0
  var isAway = true
  var givesUp = false
  /// How often a commit was tried while it was away.
  private(set) var tries = 0
  private var taken = 0
  private let clock: RunClock

  init(_ clock: RunClock) throws {
    self.clock = clock
    run = try #require(RunNumber(rawValue: 1))
    record = RunRecord(
      started: 0, environment: "emulator", version: "1", identity: RunIdentity(given: nil, clock))
  }

  func record(_ results: PushResults, now: Int64) { taken += results.count }

  func commitTime(ofResultsSince since: UInt64) -> UInt64 { max(since + 200_000_000, retryAt) }

  func commit() throws(HistoryError) {
    if givesUp { failure = .full }
    if let failure { throw failure }
    if clock.monotonic() < retryAt { return }
    (committed, retryAt) = isAway ? (committed, clock.monotonic() + 1_000_000_000) : (taken, 0)
    tries += isAway ? 1 : 0
  }

  func keepPayloads() {}
  func keepNotes() -> (any RunNotes)? { nil }
  func finish(_ ending: RunEnding) {}
  func retry() {}
  func takeUncommitted() -> [PushResult] { [] }
}
