import APNS
import CoreSupport
import Foundation
import HTTP2
import PushModel
import SendingSupport
import Testing

@testable import Delivery
@testable import SQLiteHistory

@Suite("Results with a claim")
struct ClaimedResultTests {
  @Test("results that a claim commits count at once, for a kill may come next")
  func claimed() throws {
    let folder = try KeptFolder()
    let record = RunRecord(
      started: RunClock.system.epochMilliseconds(), environment: "emulator", version: "1",
      identity: RunIdentity(given: nil, .system))
    let pace = SQLiteLedger.Pace(claimStep: 1, batchResults: 1000, batchMilliseconds: 3_600_000)
    let ledger = try SQLiteLedger.begin(
      record, at: folder.path(of: "history.sqlite"), claiming: 3, pace: pace)
    let (wake, readerWake) = (try #require(Wake()), try #require(Wake()))
    let gate = ClaimGate(ledger: wake)
    var books = Bookkeeping(ledger, gate, RunControl(), .system) {
      ReadingProgress(counts: RecipientCounts(lines: 3))
    }
    #expect(books.claim().isEmpty)
    let results = ["0a", "0b", "0c"].pushes.map { push in
      PushResult(
        push: push, outcome: .accepted, response: nil, attempts: 1, wasResentInDoubt: false,
        latencyMicroseconds: nil, answeredAt: nil)
    }
    #expect(books.add(results).isEmpty)
    Thread.detachNewThread { gate.pass(upTo: 4, waitingOn: readerWake) }
    while gate.wanted < 4 { sched_yield() }
    #expect(books.claim().map(\.count) == [3])
    #expect(ledger.committed == 3 && books.takeRest().isEmpty)
  }
}

extension [String] {
  /// Pushes to these device tokens.
  fileprivate var pushes: [Push] {
    var builder = PushChunkBuilder()
    for (index, token) in enumerated() {
      var token = token
      token.withUTF8 { builder.append(token: $0, line: index + 1) }
    }
    return builder.take().pushes.map { $0 }
  }
}
