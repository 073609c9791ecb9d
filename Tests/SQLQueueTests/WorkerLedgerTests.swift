import History
import PushModel
import SQLHistory
import SendingSupport
import TestSupport
import Testing

@testable import SQLQueue

@Suite("A worker's ledger", .needsPostgreSQL)
struct WorkerLedgerTests {
  @Test("packs what was accepted, and ends the run with its last chunk")
  func packed() throws {
    let trial = try QueueTrial([1024, 1024, 452])
    let worker = try TrialWorker(trial)
    let results = worker.take().map(\.accepted)
    try worker.commit(Array(results[..<2000]))
    #expect(worker.session.chunks.count == 2)
    #expect(try trial.state() == "enqueued|0")
    try worker.commit(Array(results[2000...]))
    #expect(worker.ledger.committed == 2500 && worker.ledger.tally.accepted == 2500)
    #expect(worker.session.chunks.count == 0)
    let tables = """
      SELECT (SELECT count(*) FROM results), (SELECT sum(count) FROM accepted),
        (SELECT count(*) FROM chunks), (SELECT count(*) FROM commits)
      """
    #expect(try rows(tables, in: trial.path) == ["0|2500|0|2"])
    #expect(try trial.brought() == ["2500|0|0|0|0|0"])
    try trial.expectBooks()
    try worker.finish()
    #expect(try trial.state() == "finished|1")
  }

  @Test("gives a chunk back when something of it is left, with a time by the server's clock")
  func due() throws {
    let trial = try QueueTrial([4, 4, 4, 4])
    let worker = try TrialWorker(trial)
    // All of them were answered in 2023 by this machine's clock, and a minute before the commit.
    try worker.ledger.record(
      worker.take().map { push in
        switch push.sequence {
        case 1, 6: push.result(.deferred, .busy, at: dawn)
        case 5: push.result(.notAttempted, attempts: 0)
        case 9: push.result(.unknown)
        case 13: push.result(.rejected, .gone)
        default: push.accepted
        }
      }, now: dawn)
    trial.clock.advance(milliseconds: 60_000)
    try worker.ledger.commit()
    let minutes =
      "SELECT id & 65535, worker, mark, (due - server_time()) / 60000 FROM chunks ORDER BY id"
    #expect(try rows(minutes, in: trial.path) == ["1||4|13", "5||8|", "9||12|0"])
    let first = try rows("SELECT min(due) FROM chunks", in: trial.path)
    #expect(worker.ledger.nextDue?.description == first[0])
    #expect(try trial.brought() == ["11|1|0|2|1|1"])
    #expect(try trial.state() == "enqueued|0")
    try trial.expectBooks()
  }

  /// Of two pushes the one is due in a minute, the other in a quarter of an hour.
  static let orders: [(sizes: [Int], outcomes: [Outcome], isOneCommit: Bool)] =
    [[2], [1, 1]].flatMap { sizes in
      [[Outcome.unknown, .deferred], [.deferred, .unknown]].flatMap { outcomes in
        [true, false].map { (sizes, outcomes, $0) }
      }
    }

  @Test("knows when the first is due of all that it left, in whatever order", arguments: orders)
  func firstDue(_ row: (sizes: [Int], outcomes: [Outcome], isOneCommit: Bool)) throws {
    let trial = try QueueTrial(row.sizes)
    let worker = try TrialWorker(trial)
    let results = zip(worker.take(), row.outcomes).map { $0.result($1) }
    for part in row.isOneCommit ? [results] : results.map({ [$0] }) { try worker.commit(part) }
    let standing = try trial.standing()
    let due = try #require(standing.nextDue)
    #expect(due == worker.ledger.nextDue && due <= standing.now + 60_000)
    #expect(standing.left == 2)
  }

  @Test("lets a push wait twice as long each time that it is deferred")
  func backsOff() throws {
    let trial = try QueueTrial([1])
    let worker = try TrialWorker(trial)
    for minutes in [15, 30, 60] as [Int64] {
      try worker.commit(worker.take().map { $0.result(.deferred, .busy) })
      let standing = try trial.standing()
      let wait = try #require(standing.nextDue) - standing.now
      #expect((minutes - 10) * 60_000...minutes * 60_000 ~= wait)
      try trial.makeDue()
    }
  }

  @Test("does not keep for another time what has expired meanwhile", arguments: [true, false])
  func expired(hasExpired: Bool) throws {
    var record = RunRecord.sample()
    // Far behind the clock of the server, or far before it.
    record.expiration = hasExpired ? dawn / 1000 + 60 : 1 << 40
    let trial = try QueueTrial([1], record)
    let worker = try TrialWorker(trial)
    try worker.commit(worker.take().map { $0.result(.unknown) })
    try worker.finish()
    let state = try WorkQueue(at: trial.path).standing(of: trial.run)?.state
    #expect(state == (hasExpired ? .finished : .enqueued))
  }

  @Test("keeps nothing for another time that must not be sent twice")
  func atMostOnce() throws {
    let trial = try QueueTrial([2], .sample(atMostOnce: true))
    let worker = try TrialWorker(trial)
    try worker.commit(worker.take().map { $0.result(.unknown) })
    #expect(try trial.state() == "finished|0")
  }

  @Test("adds up what a push was tried, when it is its turn again")
  func again() throws {
    let trial = try QueueTrial([3])
    let worker = try TrialWorker(trial)
    try worker.commit(
      worker.take().map {
        switch $0.sequence {
        case 1: $0.result(.deferred, .busy, attempts: 2)
        case 2: $0.result(.unknown)
        default: $0.accepted
        }
      })
    try trial.makeDue()
    let pushes = worker.take()
    #expect(pushes.map(\.sequence) == [1, 2])
    try worker.commit([
      pushes[0].result(.notAttempted, attempts: 0),
      pushes[1].result(.accepted, .yes, resent: true, latency: 1500, at: dawn),
    ])
    #expect(try trial.chunks() == ["1||3"])
    try worker.commit(worker.take().map(\.accepted))
    let found = try rows(
      "SELECT outcome, attempts, deferrals, resent FROM results ORDER BY id", in: trial.path)
    #expect(found == ["0|3|1|0", "0|2|0|1"])
    #expect(try trial.others().isEmpty)
    #expect(try trial.state() == "finished|0")
    try trial.expectBooks()
  }

  @Test("hands back what it has not done, and what was not handed on is not in doubt")
  func handedBack() throws {
    let trial = try QueueTrial([600, 10, 10])
    let worker = try TrialWorker(trial)
    let pushes = worker.take(parts: 2)
    #expect(try trial.chunks() == ["1|1|512", "601|1|0", "611|1|0"])
    try worker.ledger.record(pushes[..<300].map(\.accepted), now: dawn)
    try worker.finish()
    #expect(try trial.chunks() == ["1||300", "601||0", "611||0"])
    let other = try TrialWorker(trial, "two")
    let rest = other.take()
    #expect(rest.map(\.sequence) == Array(301...620))
    #expect(rest.allSatisfy { $0.chunk.step(at: $0.index) == .send })
    try other.commit(rest.map(\.accepted))
    try other.finish()
    #expect(try trial.state() == "finished|1")
    try trial.expectBooks()
  }

  @Test("hands back what was to be sent again and was not, and it is not in doubt")
  func handedBackAgain() throws {
    let trial = try QueueTrial([3])
    let first = try TrialWorker(trial)
    try first.commit(first.take().map { $0.result(.notAttempted, attempts: 0) })
    try first.finish()
    let second = try TrialWorker(trial, "two")
    #expect(second.take().count == 3)
    try second.finish()
    let rest = try TrialWorker(trial, "three").take()
    #expect(rest.map { $0.chunk.step(at: $0.index) } == Array(repeating: .send, count: 3))
  }

  @Test("counts the wait of a deferred push by the server's clock, as every worker does")
  func deferral() throws {
    let trial = try QueueTrial([1])
    let worker = try TrialWorker(trial)
    // This machine's clock is years late.
    try worker.commit(worker.take().map { $0.result(.deferred, .busy, at: dawn) })
    let wait = "SELECT abs(started + at - server_time()) < 600000 FROM results, runs"
    #expect(try rows(wait, in: trial.path) == ["t"])
  }

  @Test("two that commit at the same time end a run once", arguments: 1...5)
  func once(round: Int) async throws {
    let trial = try QueueTrial(Array(repeating: 20, count: 8))
    try trial.database.execute(
      """
      SET search_path TO fanfare;
      CREATE TABLE ends (run BIGINT);
      CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql
        AS 'BEGIN INSERT INTO fanfare.ends VALUES (NEW.id); RETURN NULL; END';
      CREATE TRIGGER note AFTER UPDATE OF state ON runs FOR EACH ROW
        WHEN (NEW.state = 'finished') EXECUTE FUNCTION note();
      """)
    let first = try TrialWorker(trial, "one")
    let (mine, second) = (first.take(parts: 4), try TrialWorker(trial, "two"))
    let theirs = second.take(parts: 4)
    async let one: Void = Self.send(mine, first)
    async let two: Void = Self.send(theirs, second)
    _ = try await (one, two)
    #expect(try rows("SELECT count(*) FROM ends", in: trial.path) == ["1"])
    #expect(try trial.state() == "finished|1")
    #expect(try trial.brought() == ["80|0|0|0|0|0", "80|0|0|0|0|0"])
    #expect(try rows("SELECT count(*), max(id & 65535) FROM commits", in: trial.path) == ["16|16"])
    try trial.expectBooks()
  }

  private static func send(_ pushes: [Push], _ worker: sending TrialWorker) async throws {
    for start in stride(from: 0, to: pushes.count, by: 10) {
      try worker.commit(pushes[start..<start + 10].map(\.accepted))
    }
    try worker.finish()
  }
}
