import APNS
import History
import PushModel
import SendingSupport
import TestSupport
import Testing

@testable import SQLHistory

@Suite("Reading a run in the queue", .needsPostgreSQL)
struct QueueReadingTests {
  private let database: PostgresDatabase
  private let run: RunNumber
  private let queue: QueueRows
  private var path: String { database.address }

  /// A run of 400 pushes in four chunks: a worker is at the first, another was lost at the second, the
  /// third is deferred but for a push, and nobody has had the fourth.
  init() throws {
    database = try PostgresDatabase()
    let pushes = try Push.samples(400)
    let ledger = try SQLLedger.begin(.sample(), at: database.address)
    run = ledger.run
    try ledger.record(pushes[..<5].map(\.accepted), now: dawn)
    try ledger.record([pushes[200].result(.rejected, .gone)], now: dawn)
    try ledger.record(pushes[201..<300].map { $0.result(.deferred, .busy) }, now: dawn)
    try ledger.commit()
    queue = try QueueRows(in: database, count: 400)
    try queue.addWorker(1, "build-1", accepted: 5)
    try queue.addWorker(2, "build-2", lease: -30_000, accepted: 2, rejected: 1)
    try queue.addChunk(from: 1, worker: 1, mark: 20)
    try queue.addChunk(from: 101, worker: 2, mark: 130)
    try queue.addChunk(from: 201, mark: 300, due: 1_000_000)
    try queue.addChunk(from: 301)
  }

  private var reader: HistoryReader { get throws { try HistoryReader(path) } }

  @Test("counts what is left, and what may have been sent without a result")
  func standing() throws {
    let standing = try #require(try reader.queueStanding(of: run))
    #expect(standing.free == 200 && standing.claimed == 95 && standing.deferred == 99)
    #expect(standing.left == 394 && standing.underway == 15 && standing.inDoubt == 30)
    let due = try #require(standing.nextDue)
    #expect(1...1_000_000 ~= due - standing.now)
  }

  @Test("counts deferred pushes that are due, and those of a lost worker, as free")
  func due() throws {
    try queue.execute("UPDATE chunks SET due = server_time() - 1 WHERE due IS NOT NULL")
    try queue.endWorker(1, isLost: true)
    let standing = try #require(try reader.queueStanding(of: run))
    #expect(standing.free == 394 && standing.claimed == 0 && standing.deferred == 0)
    #expect(standing.nextDue == nil && standing.underway == 0 && standing.inDoubt == 45)
  }

  @Test("tells who works on it, and when lost ones were heard of")
  func workers() throws {
    try queue.addWorker(3, "build-3")
    try queue.endWorker(3)
    try queue.addWorker(4, "build-4")
    try queue.endWorker(4, isLost: true)
    let standing = try #require(try reader.queueStanding(of: run))
    #expect(standing.workers.map(\.name) == ["build-1", "build-2", "build-3", "build-4"])
    #expect(standing.workers.map(\.state) == [.working, .lost, .ended, .lost])
    #expect(standing.workers.map(\.tally.accepted) == [5, 2, 0, 0])
    #expect(standing.workers.map(\.tally.rejected) == [0, 1, 0, 0])
    #expect(standing.workers.map { $0.ended == nil } == [true, true, false, false])
    #expect(120_000...150_000 ~= standing.now - standing.workers[1].heard)
    #expect(standing.workers[2].heard == standing.workers[2].ended)
  }

  @Test("tells the results that do not count, of all pushes or one")
  func others() throws {
    try queue.addOther(3, worker: 2)
    try queue.addOther(201, worker: 2, reason: "Unregistered")
    try queue.addOther(3, worker: 1)
    let others = try reader.otherResults(of: run, sequence: nil)
    #expect(others.map(\.sequence) == [3, 3, 201])
    #expect(others.map(\.worker) == ["build-1", "build-2", "build-2"])
    #expect(others.map(\.outcome) == [.accepted, .accepted, .rejected])
    #expect(others.map(\.status) == [.accepted, .accepted, .gone])
    #expect(others.map(\.reason) == [nil, nil, .unregistered])
    #expect(others.allSatisfy { $0.at == dawn + 5000 })
    #expect(try reader.otherResults(of: run, sequence: 201) == [others[2]])
    #expect(try reader.otherResults(of: run, sequence: 4).isEmpty)
  }

  @Test(
    "knows which pushes may have been sent",
    arguments: [(1, true), (20, true), (21, false), (130, true), (131, false), (350, false)])
  func marks(_ sequence: UInt64, _ isMarked: Bool) throws {
    #expect(try reader.isMarked(sequence, of: run) == isMarked)
    #expect(try !reader.isMarked(401, of: run))
  }

  @Test("is about those alone that workers send")
  func otherRuns() throws {
    let other = try SQLLedger.begin(.sample(), at: path).run
    #expect(try reader.queueStanding(of: other) == nil)
    #expect(try reader.otherResults(of: other, sequence: nil).isEmpty)
    let folder = try KeptFolder()
    let file = folder.path(of: "history.sqlite")
    let inFile = try SQLLedger.begin(.sample(), at: file).run
    #expect(try HistoryReader(file).queueStanding(of: inFile) == nil)
    #expect(try HistoryReader(file).run(inFile)?.stop == nil)
  }

  @Test("says that it was stopped, until it has ended")
  func stopped() throws {
    #expect(try reader.run(run)?.stop == nil)
    try queue.stop(because: "too many refusals")
    let stop = try #require(try reader.run(run)?.stop)
    #expect(stop.at == dawn + 9000 && stop.cause == "too many refusals")
    #expect(try reader.family(of: run).map(\.stop) == [stop])
    try queue.finish()
    #expect(try reader.run(run)?.stop == nil)
    #expect(try reader.queueStanding(of: run)?.left == 0)
  }

  @Test("calls nothing claimed or not attempted that workers have still to send")
  func entry() throws {
    let entry = try #require(try reader.run(run))
    #expect(entry.state == .enqueued && entry.claimedWithoutResult == 0)
    #expect(entry.completeTally == entry.tally && entry.tally.notAttempted == 0)
  }
}

// Who else may have the run.
extension QueueReadingTests {
  @Test("is being sent while a worker's lease lasts, or a process enqueues it")
  func beingSent() throws {
    #expect(try reader.isBeingSent(run))
    try queue.endWorker(1)
    #expect(try !reader.isBeingSent(run))
    let sender = try Database.open(path)
    let lease = try sender.driver.takeLease(of: run)
    #expect(try reader.isBeingSent(run))
    withExtendedLifetime(lease) {}
  }

  @Test("is not resumed, held or chosen, with or without a worker", arguments: [false, true])
  func refused(isLeft: Bool) throws {
    if isLeft { try queue.endWorker(1) }
    #expect(throws: HistoryError.inQueue(run)) { try SQLLedger.resume(run, at: path, now: dawn) }
    #expect(throws: HistoryError.inQueue(run)) { _ = try reader.hold(run) }
    #expect(try SQLLedger.unfinished(at: path, now: dawn) == [])
  }

  @Test("is passed over for an older run that is another process's to resume")
  func older() throws {
    let next = try SQLLedger.begin(.sample(), at: path, claiming: 5).run
    #expect(try SQLLedger.unfinished(at: path, now: dawn) == [next])
    try queue.finish()
    try queue.execute("UPDATE progress SET unknown = 1 WHERE run = \(run)")
    try queue.execute("UPDATE runs SET state = 'finished' WHERE id = \(next)")
    #expect(try SQLLedger.unfinished(at: path, now: dawn) == [])
  }

  private func remove(_ rule: PruningRule) throws -> PruningReport {
    let pruning = try HistoryPruning(path)
    return try pruning.remove(pruning.plan(rule, now: dawn + minute))
  }

  @Test("stays in the history while a worker has it, whatever is asked for")
  func kept() throws {
    let report = try remove(PruningRule(keep: 0, takesUnfinished: true))
    #expect(report.runs == 0 && report.beingSent == [run])
    try queue.endWorker(1)
    #expect(try remove(PruningRule(keep: 0)).unfinished == [run])
    #expect(try reader.queueStanding(of: run)?.left == 394)
  }

  @Test("stays if a worker has begun since it was to be removed")
  func taken() throws {
    try queue.endWorker(1)
    let pruning = try HistoryPruning(path)
    let plan = try pruning.plan(PruningRule(keep: 0, takesUnfinished: true), now: dawn)
    #expect(plan.runs == [run])
    try queue.addWorker(5)
    #expect(try pruning.remove(plan).runs == 0)
    #expect(try reader.queueStanding(of: run)?.left == 394)
  }

  @Test("goes with all that belongs to it")
  func removed() throws {
    try queue.endWorker(1)
    try queue.addOther(201, worker: 2, reason: "Unregistered")
    #expect(try remove(PruningRule(keep: 0, takesUnfinished: true)).runs == 1)
    for table in ["runs", "queued_runs", "chunks", "workers", "other_results", "results"] {
      #expect(try database.rows("SELECT count(*) FROM fanfare.\(table)") == [["0"]], "\(table)")
    }
  }

  @Test("leaves the reasons of results that do not count")
  func reasons() throws {
    try queue.addOther(3, worker: 2, reason: "Unregistered")
    try queue.finish()
    try queue.endWorker(1)
    try queue.execute(
      """
      DELETE FROM results WHERE reason IS NOT NULL;
      INSERT INTO reasons (word) VALUES ('Unused'), ('Last');
      INSERT INTO results VALUES ((9::bigint << 40) | 1, '\\x00', 1, 1, 3, NULL, NULL, 1, 1, 0, NULL,
        0, NULL, NULL, NULL, 0)
      """)
    _ = try remove(PruningRule())
    let words = try database.rows("SELECT word FROM fanfare.reasons ORDER BY id").map(\.[0])
    #expect(words.contains("Unregistered") && !words.contains("Unused"))
  }
}

// Following it.
extension QueueReadingTests {
  private func look(_ follower: HistoryFollower) throws -> [String] {
    var told: [String] = []
    try follower.look { event in
      switch event {
      case .began(let run): told.append("began \(run.run)")
      case .push(let push): told.append("\(push.sequence) \(push.outcome.rawValue)")
      case .ended(let run): told.append("ended \(run.stop?.cause ?? "\(run.tally.total)")")
      case .worker(let worker): told.append("\(worker.name) \(worker.state.rawValue)")
      }
    }
    return told
  }

  @Test("is followed: its workers, that it was stopped, that it goes on, and its end")
  func followed() throws {
    var filter = HistoryFilter()
    filter.runs = [run]
    let follower = try reader.follower(filter)
    #expect(try follower.begin(last: 1).map(\.sequence) == [300])
    #expect(try look(follower) == [] && !follower.hasEnded(run))
    try queue.addWorker(3, "build-3")
    #expect(try look(follower) == ["build-3 working"])
    try queue.endWorker(2, isLost: true)
    try queue.endWorker(3)
    #expect(try look(follower) == ["build-3 ended"])
    try queue.stop(because: "by hand")
    #expect(try look(follower) == ["ended by hand"] && follower.hasEnded(run))
    try queue.execute("UPDATE queued_runs SET stopped = NULL, stop_cause = NULL")
    #expect(try look(follower) == [] && !follower.hasEnded(run))
    try queue.endWorker(1)
    try queue.finish()
    #expect(try look(follower) == ["build-1 ended", "ended 105"] && follower.hasEnded(run))
  }

  @Test("tells that a worker was lost although nobody commits any more")
  func silence() throws {
    // Where no other test commits either, and where time passes by a lock.
    let database = try PostgresDatabase(on: PostgresServer())
    _ = try SQLLedger.begin(.sample(), at: database.address)
    try QueueRows(in: database, count: 3).addWorker(1, "one")
    let clock = try PostgresSession(database.address)
    try clock.execute(
      """
      CREATE OR REPLACE FUNCTION fanfare.server_time() RETURNS BIGINT LANGUAGE sql VOLATILE
        RETURN (SELECT 1000 * count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = 7);
      UPDATE fanfare.workers SET lease = 1000
      """)
    let follower = try HistoryReader(database.address).follower(HistoryFilter())
    _ = try follower.begin(last: 0)
    #expect(try look(follower) == [])
    try clock.execute("SELECT pg_advisory_lock(7)")
    #expect(try look(follower) == ["one lost"])
    #expect(try look(follower) == [])
  }

  @Test("tells results that come in after it was stopped, and not again that it was")
  func late() throws {
    let follower = try reader.follower(HistoryFilter())
    _ = try follower.begin(last: 0)
    try queue.stop(because: "by hand")
    #expect(try look(follower) == ["ended by hand"])
    // A commit of a push that has a result already.
    try queue.execute(
      "INSERT INTO commits SELECT max(id) + 1, 0, '\\x02'::bytea FROM commits")
    #expect(try look(follower) == ["1 accepted"])
  }
}
