import PushModel
import SendingSupport
import TestSupport
import Testing

@testable import SQLHistory

@Suite("A run whose list has become shorter", .overAllHistories)
struct ShorterListTests {
  private let place: HistoryReference
  private var path: String { place.path }
  private let pushes: [Push]

  init() throws {
    place = try HistoryReference()
    pushes = try Push.samples(9)
  }

  /// A run that has read nine recipients, claimed eight, and has these results of the first.
  private func run(_ outcomes: [Outcome], atMostOnce: Bool = false) throws {
    let ledger = try SQLLedger.begin(
      .sample(atMostOnce: atMostOnce), at: path, pace: .init(claimStep: 1))
    try ledger.claim(upTo: 8)
    ledger.read(RecipientCounts(lines: 9))
    try ledger.record(zip(pushes, outcomes).map { $0.result($1, at: dawn) }, now: dawn)
    try ledger.commit()
  }

  private func resume() throws -> SQLLedger {
    try SQLLedger.resume(.first, at: path, now: dawn, pace: .init(claimStep: 1))
  }

  /// Sends to the first two recipients, who are all that there are.
  private func end(_ ledger: SQLLedger) throws -> GoneRecipients? {
    try ledger.claim(upTo: 2)
    try ledger.record(pushes.prefix(2).map(\.accepted), now: dawn)
    ledger.listsEnded(at: 2)
    let gone = try ledger.resuming?.gone(after: 2)
    try ledger.finish(RunEnding(.finished, recipients: .init(lines: 2), at: dawn))
    return gone
  }

  private var outcomes: [String] {
    get throws { try rows("SELECT outcome FROM pushes ORDER BY id", in: path) }
  }

  @Test("skips who is no longer in it, due or not, and has nothing left")
  func settled() throws {
    try run([.accepted, .accepted, .rejected, .deferred, .unknown, .notAttempted])
    let ledger = try resume()
    let gone = try #require(try end(ledger))
    // Two of the last three were claimed and have no result.
    #expect(gone.count == 6 && gone.inDoubt == 3 && gone.withoutResult == 3)
    #expect(try outcomes == ["0", "0", "1", "2", "2", "2"])
    let figures = "accepted, rejected, skipped, deferred + unknown + not_attempted, lines, last"
    #expect(try rows("SELECT \(figures) FROM progress", in: path) == ["2|1|3|0|6|2"])
    #expect(ledger.nextDue == nil)
    #expect(throws: HistoryError.nothingToResume(.first)) { try resume() }
  }

  @Test("tells it once, though later passes find the list as short")
  func once() throws {
    try run([.deferred, .accepted, .unknown, .deferred])
    let first = try resume()
    first.listsEnded(at: 2)
    #expect(try first.resuming?.gone(after: 2)?.count == 7)
    try first.finish(RunEnding(.finished, recipients: .init(lines: 2), at: dawn))
    let second = try SQLLedger.resume(.first, at: path, now: dawn, sendsEarly: true)
    #expect(try end(second)?.count == 0)
    #expect(try outcomes == ["0", "0", "2", "2"])
    #expect(try rows("SELECT lines, accepted + skipped FROM progress", in: path) == ["4|4"])
  }

  @Test("killed before its end is written, skips nobody yet")
  func killed() throws {
    try run([.accepted, .accepted, .deferred])
    do {
      let ledger = try resume()
      try ledger.beginPass()
      ledger.listsEnded(at: 2)
      _ = try ledger.resuming?.gone(after: 2)
      try ledger.commit()
    }
    #expect(try outcomes == ["0", "0", "3"])
    #expect(try end(try resume())?.results.deferred == 1)
    #expect(try outcomes == ["0", "0", "2"])
  }

  @Test("stopped before its end, skips nobody")
  func stopped() throws {
    try run([.accepted, .accepted, .deferred])
    let ledger = try resume()
    try ledger.finish(RunEnding(.interrupted, recipients: .init(lines: 2), at: dawn))
    #expect(try outcomes == ["0", "0", "3"])
    #expect(try rows("SELECT lines FROM progress", in: path) == ["9"])
  }

  @Test("at most once, leaves it at unknown who may have got the push")
  func atMostOnce() throws {
    try run([.accepted, .accepted, .unknown, .deferred], atMostOnce: true)
    let gone = try #require(try end(try resume()))
    #expect(gone.count == 6 && gone.inDoubt == 4)
    #expect(try outcomes == ["0", "0", "4", "2"])
    #expect(throws: HistoryError.nothingToResume(.first)) { try resume() }
  }

  @Test("that is as long as before has nobody gone")
  func same() throws {
    try run([.accepted, .deferred])
    #expect(try resume().resuming?.gone(after: 9) == nil)
    #expect(try SQLLedger.begin(.sample(), at: path).resuming == nil)
  }
}
