import APNS
import HTTP2
import PushEmulator
import PushModel
import Recipients
import SQLHistory
import SendingSupport
import TestSupport
import Testing

@testable import Delivery

@Suite("How many pushes there will be", .timeLimit(.minutes(15)))
struct PushTotalTests {
  struct Row: Sendable {
    var extent: ListExtent
    var pushes: Int
    var total: PushTotal?
  }

  static let rows = [
    Row(extent: ListExtent(read: 0, size: 1000), pushes: 0, total: nil),
    Row(extent: ListExtent(read: 500, size: nil), pushes: 9, total: nil),
    Row(
      extent: ListExtent(read: 250, size: 1000), pushes: 5,
      total: PushTotal(count: 20, isExact: false)),
    // A file that grows while it is read.
    Row(
      extent: ListExtent(read: 2000, size: 1000), pushes: 40,
      total: PushTotal(count: 40, isExact: false)),
    Row(
      extent: ListExtent(read: 250, size: 1000, limit: 12), pushes: 5,
      total: PushTotal(count: 12, isExact: true)),
    Row(
      extent: ListExtent(read: 250, size: 1000, limit: 90), pushes: 5,
      total: PushTotal(count: 20, isExact: false)),
    Row(
      extent: ListExtent(read: 250, size: nil, limit: 90), pushes: 5,
      total: PushTotal(count: 90, isExact: true)),
  ]

  @Test("is guessed from what is read of the files, and never over the limit", arguments: rows)
  func guess(_ row: Row) {
    #expect(row.extent.total(after: row.pushes) == row.total)
  }

  @Test("is what it is once all is read, whatever was guessed")
  func exact() {
    var progress = ReadingProgress()
    progress.counts.lines = 7
    progress.extent = ListExtent(read: 10, size: 1000)
    #expect(progress.total == PushTotal(count: 700, isExact: false))
    progress.hasEnded = true
    #expect(progress.total == PushTotal(count: 7, isExact: true))
  }

  @Test("of a run that was stopped tells how many were not read")
  func unread() {
    var progress = ReadingProgress()
    progress.counts.lines = 7
    progress.extent = ListExtent(read: 10, size: 1000)
    progress.place = .init(list: "a.txt", line: 9)
    #expect(progress.unread(nil) == .init(after: progress.place, count: 693))
    // An earlier pass had read more lines, and knew where it was.
    #expect(progress.unread(plan(pushes: 100)) == .init(count: 600))
    #expect(progress.unread(plan(pushes: 100, last: 100)) == nil)
    progress.extent = ListExtent(read: 999, size: 1000)
    #expect(progress.unread(nil)?.count == 1)
    progress.extent = ListExtent(read: 10)
    #expect(progress.unread(nil) == .init(after: progress.place))
    progress.extent = ListExtent(read: 1000, size: 1000)
    #expect(progress.unread(nil) == nil)
    progress.hasEnded = true
    #expect(progress.unread(plan(pushes: 3)) == nil)
  }

  @Test("of a run that is resumed has no settled pushes, which would need no connections")
  func work() throws {
    var progress = ReadingProgress()
    progress.counts.lines = 5000
    progress.extent = ListExtent(read: 500, size: 1000)
    func left(_ plan: ResumePlan?) -> Int? {
      ConnectionScaling.Work.left(progress, plan, waiting: (size: 2, isFull: false)).pushes
    }
    progress.handedOn = 5000
    #expect(left(nil) == 5002)
    progress.handedOn = 3
    let plan = try #require(self.plan(pushes: 10_000, last: 10_000, claimed: 9990))
    #expect(left(plan) == 9)
    progress.hasEnded = true
    #expect(left(plan) == 2)
  }

  private func plan(pushes: Int, last: UInt64? = nil, claimed: UInt64 = 0) -> ResumePlan? {
    let record = RunRecord(
      started: 1, environment: "emulator", version: "1",
      identity: RunIdentity(given: nil, RunClock.system))
    return RunNumber(rawValue: 1).map {
      ResumePlan(
        run: $0, record: record, tally: OutcomeTally(), recipients: RecipientCounts(lines: pushes),
        claimed: claimed, last: last, claimedWithoutResult: 0, deferredDue: 0, nextDue: nil,
        firstDue: nil, resendsUnknown: true, claimedAgain: 0, wasFinished: false, horizon: 0)
    }
  }

  @Test("is near the truth while a list is read, row by row")
  func reading() throws {
    let folder = try KeptFolder()
    let list = try deviceTokens(20_000).map { "\($0.hex)\n" }.joined()
    var reader = try RecipientReader([
      .tokens(try deviceTokens(256)), .file(try folder.file("list", list)),
    ])
    while try reader.next() != nil {
      let pushes = reader.counts.lines
      let guess = try #require(reader.extent.total(after: pushes)).count
      #expect((20_000...20_512).contains(guess), "\(pushes)")
    }
  }

  @Test("of a run that is resumed is what is left of it")
  func left() throws {
    let folder = try KeptFolder()
    let path = folder.path(of: "history.sqlite")
    let server = try TestServer { $0.token < 10 ? .reject(.serviceUnavailable) : .accept }
    _ = try TestRun(history: { identity in
      let record = RunRecord(started: 1, environment: "emulator", version: "1", identity: identity)
      return try SQLLedger.begin(record, at: path)
    }).send(100, to: server)
    let plan = try #require(
      SQLLedger.resume(.first, at: path, now: RunClock.system.epochMilliseconds(), sendsEarly: true)
        .resuming?.plan)
    #expect(plan.left(of: nil) == PushTotal(count: 10, isExact: true))
  }
}
