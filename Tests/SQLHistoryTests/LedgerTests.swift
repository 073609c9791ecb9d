import APNS
import PushModel
import SendingSupport
import TestSupport
import Testing

@testable import SQLHistory

@Suite("A ledger", .overAllHistories)
struct LedgerTests {
  private let place: HistoryReference
  private var path: String { place.path }

  init() throws { place = try HistoryReference() }

  /// What the history holds of a result beside its token.
  private static let answer = """
    SELECT outcome, status, word, attempts, deferrals, latency, at, timestamp, resent
    """

  @Test(
    "holds each kind of result",
    arguments: [
      ("0|200||1|0|1500|1000||0", Outcome.accepted, Response.yes, 1, false, 1500, dawn + 1000),
      ("1|410|Unregistered|2|0|90|40|1699999999995|1", .rejected, .gone, 2, true, 90, dawn + 40),
      ("3|503|ServiceUnavailable|1|1|7|60000||0", .deferred, .busy, 1, false, 7, dawn + minute),
      ("4|||4|0||9000||1", .unknown, nil, 4, true, nil, nil),
      ("5|||0|0||9000||0", .notAttempted, nil, 0, false, nil, nil),
    ] as [(String, Outcome, Response?, Int, Bool, Int?, Int64?)])
  func kinds(
    row: String, outcome: Outcome, response: Response?, attempts: Int, resent: Bool, latency: Int?,
    time: Int64?
  ) throws {
    let ledger = try SQLLedger.begin(.sample(), at: path)
    let push = try Push.samples(1)[0]
    let result = push.result(
      outcome, response, attempts: attempts, resent: resent, latency: latency, at: time)
    try ledger.record([result], now: dawn + 9000)
    try ledger.finishAll(1)
    let found = try rows(
      "\(Self.answer) FROM pushes LEFT JOIN reasons ON reasons.id = reason", in: path)
    #expect(found == [row])
    #expect(ledger.tally[outcome] == 1)
    #expect(ledger.tally.total == 1)
  }

  @Test("knows whose result it is: the push's number, list, line and device token")
  func recipients() throws {
    let ledger = try SQLLedger.begin(.sample(), at: path)
    try ledger.record(try Push.samples(3, list: "a b.txt").suffix(2).map(\.accepted), now: dawn)
    try ledger.finishAll(3)
    let found = try rows(
      """
      SELECT pushes.id & 255, word, line, \(place.hex("token")) FROM pushes
        JOIN lists ON lists.id = list ORDER BY 1
      """, in: path)
    let zeros = String(repeating: "0", count: 63)
    #expect(found == ["2|a b.txt|20|\(zeros)1", "3|a b.txt|30|\(zeros)2"])
  }

  @Test("keeps a reason that nobody knows, once")
  func unknownReason() throws {
    let ledger = try SQLLedger.begin(.sample(), at: path)
    let reason = try #require(Reason(rawValue: "MoonInWrongPhase"))
    let results = try Push.samples(5).map {
      $0.result(.rejected, Response(status: .badRequest, reason: reason))
    }
    try ledger.record(results, now: dawn)
    try ledger.finishAll(5)
    #expect(try rows("SELECT word FROM reasons", in: path) == ["MoonInWrongPhase"])
    let counts = "SELECT count(DISTINCT reason), count(*) FROM pushes"
    #expect(try rows("\(counts) JOIN reasons ON reasons.id = reason", in: path) == ["1|5"])
  }

  @Test(
    "keeps a unique id in 16 bytes, or as it is",
    arguments: [
      ("0f1e2d3c-4b5a-4988-8776-655443322110", "16"),
      ("0F1E2D3C-4B5A-4988-8776-655443322110", "36"), ("pigeon-7", "8"),
    ])
  func uniqueID(text: String, kept: String) throws {
    let ledger = try SQLLedger.begin(.sample(), at: path)
    let response = Response(status: .accepted, uniqueID: text)
    try ledger.record([try Push.samples(1)[0].result(.accepted, response)], now: dawn)
    try ledger.finishAll(1)
    #expect(try rows("SELECT length(unique_id) FROM pushes", in: path) == [kept])
  }

  @Test("gives back what was kept of a run")
  func record() throws {
    var record = RunRecord.sample(atMostOnce: true)
    record.kind = .scenario
    record.server = "https://push.example.com:2197"
    record.scenario = "Order on its way 🍕"
    record.step = 3
    record.pushType = "alert"
    record.topic = "com.example.shop"
    record.headers = #"{"apns-priority":"10"}"#
    record.payload = #"{"aps":{"alert":"{{name}}"}}"#
    record.variables = #"{"shop":"Corner Bakery"}"#
    record.settings = #"{"sources":["all.txt"]}"#
    record.expiration = 1_700_003_600
    record.identity = RunIdentity(
      given: APNSID("0f1e2d3c-4b5a-4988-8776-655443322110"), bits: record.identity.bits)
    #expect(record.identity.given != nil)
    let run = try SQLLedger.begin(record, at: path).run
    #expect(try RunRecord.read(run, from: Database.open(path)) == record)
  }

  @Test("claims few pushes at a time where none may go twice, in later passes too")
  func smallClaims() throws {
    for (isAtMostOnce, step) in [(true, 64), (false, 8192)] as [(Bool, UInt64)] {
      let first = try SQLLedger.begin(.sample(atMostOnce: isAtMostOnce), at: path)
      let run = first.run
      try first.record(
        [try Push.samples(1)[0].result(.deferred, .busy, at: dawn)], now: dawn)
      try first.finishAll(1)
      let later = try SQLLedger.resume(run, at: path, now: dawn, sendsEarly: true)
      try later.claim(upTo: 2)
      #expect(later.claimed - 1 <= step && later.claimed >= step, "\(later.claimed)")
    }
  }

  @Test("keeps a run of which hardly anything is known")
  func bareRecord() throws {
    let run = try SQLLedger.begin(.sample(), at: path).run
    #expect(try RunRecord.read(run, from: Database.open(path)) == .sample())
  }

  @Test("commits when many results wait, and when asked")
  func batches() throws {
    let ledger = try SQLLedger.begin(
      .sample(), at: path, pace: .init(batchResults: 10, batchMilliseconds: 200))
    let results = try Push.samples(30).map(\.accepted)
    try ledger.record(Array(results[..<9]), now: dawn)
    #expect(ledger.committed == 0 && ledger.commitTime(ofResultsSince: 7) == 200_000_007)
    try ledger.record([results[9]], now: dawn + 1)
    #expect(ledger.committed == 10)
    try ledger.record([results[10]], now: dawn + 1000)
    #expect(ledger.committed == 10)
    try ledger.commit()
    #expect(ledger.committed == 11)
    #expect(try rows("SELECT count(*) FROM pushes", in: path) == ["11"])
  }

  @Test("claims in steps, ahead of what is sent")
  func claims() throws {
    let ledger = try SQLLedger.begin(.sample(), at: path, pace: .init(claimStep: 100))
    #expect(ledger.claimed == 0)
    try ledger.claim(upTo: 1)
    #expect(ledger.claimed == 100)
    try ledger.claim(upTo: 100)
    #expect(ledger.claimed == 100)
    try ledger.claim(upTo: 101)
    #expect(ledger.claimed == 200)
    try ledger.claim(upTo: 1000)
    #expect(ledger.claimed == 1099)
    #expect(try rows("SELECT claimed FROM progress", in: path) == ["1099"])
  }

  @Test("claims no more than there is when the lists have ended")
  func lastClaim() throws {
    let ledger = try SQLLedger.begin(.sample(), at: path, pace: .init(claimStep: 100))
    ledger.listsEnded(at: 30)
    try ledger.claim(upTo: 10)
    #expect(ledger.claimed == 30)
  }

  @Test("claims with the results, so that a claim rarely costs a commit of its own")
  func sharedCommit() throws {
    let ledger = try SQLLedger.begin(.sample(), at: path, pace: .init(claimStep: 100))
    try ledger.claim(upTo: 60)
    #expect(ledger.claimed == 159)
    try ledger.claim(upTo: 120)
    try ledger.record([try Push.samples(1)[0].accepted], now: dawn)
    try ledger.commit()
    #expect(ledger.claimed == 219)
  }

  @Test("claims one push at a time when told so")
  func smallestClaim() throws {
    let ledger = try SQLLedger.begin(.sample(), at: path, claiming: 1, pace: .init(claimStep: 1))
    #expect(ledger.claimed == 1)
    try ledger.claim(upTo: 2)
    #expect(ledger.claimed == 2)
  }

  @Test("says at the end how the run went, and what had really been claimed")
  func finish() throws {
    let ledger = try SQLLedger.begin(.sample(), at: path)
    try ledger.claim(upTo: 4)
    try ledger.record(try Push.samples(4).map(\.accepted), now: dawn)
    ledger.listsEnded(at: 4)
    var counts = RecipientCounts()
    (counts.lines, counts.badLines, counts.duplicates) = (20, 3, 2)
    (counts.suppressed, counts.otherShards) = (5, 6)
    try ledger.finish(RunEnding(.finished, recipients: counts, at: dawn + 77))
    let run = try rows("SELECT state, finished - started FROM runs", in: path)
    #expect(run == ["finished|77"])
    let progress = try rows(
      """
      SELECT claimed, last, accepted, lines, bad_lines, duplicates, suppressed, other_shards,
        is_indexed FROM progress
      """, in: path)
    #expect(progress == ["4|4|4|20|3|2|5|6|1"])
  }

  @Test("never uses a run's number again")
  func numbers() throws {
    let first = try SQLLedger.begin(.sample(), at: path).run
    let second = try SQLLedger.begin(.sample(), at: path).run
    try Database.open(path).execute("DELETE FROM runs")
    let third = try SQLLedger.begin(.sample(), at: path).run
    #expect([first, second, third].map(\.rawValue) == [1, 2, 3])
    #expect(try rows("SELECT run FROM progress", in: path) == ["3"])
  }
}
