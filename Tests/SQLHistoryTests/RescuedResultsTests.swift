import PushModel
import SendingSupport
import Synchronization
import Testing

@testable import SQLHistory

@Suite("Results that were kept elsewhere", .overAllHistories)
struct RescuedResultsTests {
  private let place: HistoryReference
  private var path: String { place.path }

  init() throws { place = try HistoryReference() }

  /// What the history has of each push from the first pass, what was kept of the second, which could
  /// not write it, and where the push then stands.
  private static let pushes: [(known: Outcome?, kept: Outcome?, state: PushState)] = [
    (.deferred, .accepted, .done(.accepted)), (.unknown, .rejected, .done(.rejected)),
    (.notAttempted, .accepted, .done(.accepted)), (.accepted, .rejected, .done(.accepted)),
    (.rejected, .accepted, .done(.rejected)), (.skipped, .accepted, .done(.skipped)),
    // Only an answer says more than what is known: it may have been sent.
    (.deferred, .unknown, .unknown), (.unknown, .notAttempted, .unknown),
    (.deferred, nil, .unknown), (nil, .accepted, .done(.accepted)),
    (nil, .notAttempted, .notAttempted), (nil, nil, .claimed),
  ]

  /// How many of them the history lacks.
  private static let lacking = 5

  /// A run that was stopped, resumed and killed.
  private func killed() throws {
    let pushes = try Push.samples(Self.pushes.count)
    let known = zip(pushes, Self.pushes).compactMap { push, row in
      row.known.map { push.result($0, at: dawn) }
    }
    do {
      let ledger = try SQLLedger.begin(.sample(), at: path)
      try ledger.claim(upTo: UInt64(known.count))
      try ledger.record(known, now: dawn)
      var counts = RecipientCounts()
      counts.lines = known.count
      try ledger.finish(RunEnding(.interrupted, recipients: counts, at: dawn))
    }
    let ledger = try SQLLedger.resume(
      .first, at: path, now: dawn, sendsEarly: true, pace: .init(claimStep: 1))
    try ledger.beginPass()
    try ledger.claim(upTo: UInt64(pushes.count))
    var answers: [AnswerNote] = []
    ledger.keepNotes()?.newConnection().write(&answers, sentUpTo: UInt64(pushes.count))
  }

  private func resume(taking kept: KeptResults) throws -> SQLLedger {
    try SQLLedger.resume(.first, at: path, now: dawn, sendsEarly: true, taking: kept.taken)
  }

  @Test("are taken where they say more than what an earlier pass has left, and only once")
  func taken() throws {
    try killed()
    let kept = try KeptResults(
      zip(Push.samples(Self.pushes.count), Self.pushes).compactMap { push, row in
        row.kept.map { push.result($0, at: dawn) }
      })
    for count in [Self.lacking, 0] {
      let ledger = try resume(taking: kept)
      #expect(kept.lastCount == count)
      let standings = try #require(ledger.resuming).standings()
      for (sequence, row) in zip(UInt64(1)..., Self.pushes) {
        #expect(try standings.standing(of: sequence) == row.state, "\(sequence): \(row)")
      }
      #expect(ledger.plan?.tally.accepted == 4 && ledger.plan?.tally.rejected == 2)
    }
  }
}

/// Results in memory.
private final class KeptResults: Sendable {
  private let kept: [PushResult]
  private let count = Mutex(Int?.none)

  init(_ kept: [PushResult]) { self.kept = kept }

  /// How many the history lacked when they were last taken.
  var lastCount: Int? { count.withLock { $0 } }

  func taken(
    _ record: RunRecord, _ take: ([PushResult]) throws(HistoryError) -> Int
  ) throws(HistoryError) {
    let lacking = try take(kept)
    count.withLock { $0 = lacking }
  }
}
