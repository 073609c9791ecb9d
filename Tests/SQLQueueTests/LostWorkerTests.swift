import History
import PushModel
import SQLHistory
import SendingSupport
import TestSupport
import Testing

@testable import SQLQueue

@Suite("A worker that loses its session or its database", .needsPostgreSQL)
struct LostWorkerTests {
  @Test("what it brings late is kept: the better result counts, the other is told beside it")
  func late() throws {
    let trial = try QueueTrial([6])
    let (dead, heir) = (try TrialWorker(trial), try TrialWorker(trial, "two"))
    let pushes = dead.take()
    try trial.lapse(dead.session)
    let again = heir.take()
    #expect(again.map { $0.chunk.step(at: $0.index) } == Array(repeating: .sendInDoubt, count: 6))
    try heir.commit([
      again[0].accepted, again[1].result(.unknown), again[2].result(.deferred, .busy),
      again[3].result(.rejected, .gone),
    ])
    try dead.commit(pushes[..<5].map(\.accepted) + [pushes[5].result(.deferred, .busy)])
    #expect(dead.session.isLost && dead.session.chunks.count == 0)
    try trial.expectBooks()
    try heir.commit([again[4].result(.rejected, .gone), again[5].accepted])
    try trial.expectBooks()
    #expect(try rows("SELECT outcome, count(*) FROM pushes GROUP BY 1", in: trial.path) == ["0|6"])
    #expect(try trial.others() == ["1|1|0", "2||4", "3||3", "4||1", "5|2|1", "6||3"])
    #expect(try trial.brought() == ["5|0|0|1|0|0", "2|2|0|1|1|0"])
    try end(trial, heir)
  }

  /// The heir did not know that nothing was left of the chunk.
  private func end(_ trial: QueueTrial, _ heir: TrialWorker) throws {
    try trial.database.execute("UPDATE fanfare.chunks SET due = NULL")
    #expect(heir.take().isEmpty && heir.session.chunks.count == 1)
    try heir.finish()
    #expect(try trial.state() == "finished|1")
  }

  @Test("what only one of them has sent was not sent twice, whoever tells of it last")
  func lateOnce() throws {
    let trial = try QueueTrial([4])
    let (dead, heir) = (try TrialWorker(trial), try TrialWorker(trial, "two"))
    let pushes = dead.take()
    try trial.lapse(dead.session)
    let again = heir.take()
    let unsent = again.map { $0.result(.notAttempted, attempts: 0) }
    try heir.commit(
      Array(unsent[..<2]) + [again[2].accepted, again[3].result(.deferred, .busy)])
    try dead.commit([
      pushes[0].accepted, pushes[1].result(.rejected, .gone),
      pushes[2].result(.notAttempted, attempts: 0), pushes[3].result(.skipped, attempts: 0),
    ])
    let reader = try HistoryReader(trial.path)
    #expect(try reader.otherResults(of: trial.run, sequence: nil).isEmpty)
    let entry = try #require(try reader.run(trial.run))
    #expect(entry.tally.accepted == 2 && entry.tally.rejected == 1 && entry.tally.skipped == 1)
    try trial.expectBooks()
  }

  @Test("what it brings before others have the push is the result")
  func lateFirst() throws {
    let trial = try QueueTrial([4])
    let (dead, heir) = (try TrialWorker(trial), try TrialWorker(trial, "two"))
    let pushes = dead.take()
    try trial.lapse(dead.session)
    let database = try Database.openExisting(trial.path)
    _ = try database.buryLostWorkers(of: trial.run)
    try dead.commit([pushes[0].accepted, pushes[1].result(.notAttempted, attempts: 0)])
    #expect(try trial.chunks() == ["1||4"])
    let rest = heir.take()
    #expect(rest.map(\.sequence) == [2, 3, 4])
    // Another worker may have sent the second one in the meantime, and may have died.
    #expect(rest.map { $0.chunk.step(at: $0.index) } == Array(repeating: .sendInDoubt, count: 3))
    try heir.commit(rest.map(\.accepted))
    #expect(try trial.state() == "finished|0")
    #expect(try trial.others().isEmpty)
    try trial.expectBooks()
  }

  @Test("what it brings late may have been sent by another lost worker too, and is told to")
  func lateDoubt() throws {
    let trial = try QueueTrial([3])
    let (dead, heir) = (try TrialWorker(trial), try TrialWorker(trial, "two"))
    let pushes = dead.take()
    try trial.lapse(dead.session)
    #expect(heir.take().count == 3)
    try trial.lapse(heir.session)
    try dead.commit([
      pushes[0].result(.notAttempted, attempts: 0), pushes[1].result(.deferred, .busy),
      pushes[2].accepted,
    ])
    let resent = "SELECT id & 65535 FROM results WHERE resent = 1"
    #expect(try rows(resent, in: trial.path) == ["2", "3"])
    let rest = try TrialWorker(trial, "three").take()
    #expect(rest.map { $0.chunk.step(at: $0.index) } == Array(repeating: .sendInDoubt, count: 2))
  }

  @Test("gives a database up that is away for longer than it is told to wait")
  func impatience() throws {
    let server = try PostgresServer()
    let trial = try QueueTrial([3], on: server)
    let worker = try TrialWorker(trial) { _, nanoseconds in nanoseconds < 2_000_000_000 }
    let results = worker.take().map(\.accepted)
    try server.stop("immediate")
    for result in results[..<2] {
      try worker.commit([result])
      #expect(worker.ledger.failure == nil)
      trial.clock.advance(milliseconds: 1000)
    }
    #expect(throws: HistoryError.self) { try worker.commit([results[2]]) }
    #expect(worker.ledger.failure != nil && worker.ledger.takeUncommitted().count == 3)
  }

  @Test("waits for a right that was taken away")
  func denied() throws {
    let trial = try QueueTrial([3])
    let role = "clerk\(UInt32.random(in: 0 ... .max))"
    let all = "ALL TABLES IN SCHEMA fanfare"
    try trial.database.execute(
      "CREATE ROLE \(role) LOGIN; GRANT USAGE ON SCHEMA fanfare TO \(role); GRANT ALL ON \(all) TO \(role)"
    )
    defer { try? trial.database.execute("DROP OWNED BY \(role); DROP ROLE \(role)") }
    let worker = try TrialWorker(trial, at: trial.database.address(as: role))
    let results = worker.take().map(\.accepted)
    try trial.database.execute("REVOKE ALL ON \(all) FROM \(role)")
    try worker.commit(results)
    #expect(worker.ledger.failure == nil && worker.ledger.uncommitted == 3)
    try trial.database.execute("GRANT ALL ON \(all) TO \(role)")
    trial.clock.advance(milliseconds: 1000)
    try worker.ledger.commit()
    #expect(worker.ledger.uncommitted == 0)
  }

  @Test(
    "finds out whether a commit took effect that was not answered", arguments: CommitCut.allCases)
  func unanswered(cut: CommitCut) throws {
    let trial = try QueueTrial([1024, 476])
    let proxy = try CommitProxy(to: PostgresServer.shared.get())
    let worker = try TrialWorker(trial, at: proxy.address(of: trial.database.name))
    let results = worker.take().map {
      $0.sequence % 3 == 0 ? $0.result(.rejected, .gone) : $0.accepted
    }
    try worker.commit(Array(results[..<1000]))
    proxy.cutNext(cut)
    try worker.commit(Array(results[1000...]))
    #expect(worker.ledger.failure == nil && worker.ledger.committed == 1000)
    #expect(worker.ledger.retryAt == trial.clock.now + 1_000_000_000)
    try worker.ledger.commit()
    #expect(worker.ledger.uncommitted == 500)
    trial.clock.advance(milliseconds: 1000)
    try worker.ledger.commit()
    #expect(worker.ledger.uncommitted == 0 && worker.ledger.retryAt == nil)
    #expect(worker.ledger.tally.total == 1500)
    #expect(try trial.brought() == ["1000|500|0|0|0|0"])
    #expect(try trial.others().isEmpty)
    #expect(try rows("SELECT count(*) FROM commits", in: trial.path) == ["2"])
    #expect(try trial.state() == "finished|0")
    try trial.expectBooks()
  }

  @Test("ends a run whose end was not answered", arguments: CommitCut.allCases)
  func end(cut: CommitCut) throws {
    let trial = try QueueTrial([10])
    let proxy = try CommitProxy(to: PostgresServer.shared.get())
    let worker = try TrialWorker(trial, at: proxy.address(of: trial.database.name))
    try worker.ledger.record(worker.take().map(\.accepted), now: dawn)
    proxy.cutNext(cut)
    try worker.finish()
    #expect(try trial.state() == "finished|1")
    #expect(worker.ledger.committed == 10)
    try trial.expectBooks()
  }

  @Test("goes on when the server is back")
  func restart() throws {
    let server = try PostgresServer()
    let trial = try QueueTrial([20], on: server)
    let worker = try TrialWorker(trial)
    let results = worker.take().map(\.accepted)
    try worker.commit(Array(results[..<10]))
    try server.stop("immediate")
    for result in results[10...] {
      try worker.commit([result])
      trial.clock.advance(milliseconds: 1000)
    }
    #expect(worker.ledger.failure == nil && worker.ledger.uncommitted == 10)
    try server.start()
    try worker.ledger.commit()
    try worker.finish()
    #expect(worker.ledger.committed == 20)
    #expect(try trial.state() == "finished|1")
    try trial.expectBooks()
  }

  @Test("fails when more results wait than it may keep, and hands them out")
  func tooMany() throws {
    let server = try PostgresServer()
    let trial = try QueueTrial([1000], on: server)
    let worker = try TrialWorker(trial)
    let results = worker.take().map(\.accepted)
    try server.stop("immediate")
    for _ in 1...WorkerLedger.mostWaiting / 1000 { try worker.ledger.record(results, now: dawn) }
    #expect(worker.ledger.failure == nil)
    #expect(throws: HistoryError.self) { try worker.ledger.record(results, now: dawn) }
    #expect(worker.ledger.failure != nil)
    #expect(worker.ledger.takeUncommitted().count == WorkerLedger.mostWaiting + 1000)
  }

  @Test("fails at once when its run is deleted")
  func deleted() throws {
    let trial = try QueueTrial([10])
    let worker = try TrialWorker(trial)
    try worker.ledger.record(worker.take().map(\.accepted), now: dawn)
    try trial.database.execute("DELETE FROM fanfare.runs")
    #expect(throws: HistoryError.noSuchRun(trial.run)) { try worker.ledger.commit() }
    #expect(worker.ledger.failure == .noSuchRun(trial.run) && worker.ledger.retryAt == nil)
    #expect(worker.ledger.takeUncommitted().count == 10)
  }
}
