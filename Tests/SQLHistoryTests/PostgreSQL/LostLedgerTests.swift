import PushModel
import SendingSupport
import TestSupport
import Testing

@testable import SQLHistory

@Suite("A ledger that loses its connection to PostgreSQL", .needsPostgreSQL)
struct LostLedgerTests {
  private let database: PostgresDatabase
  private let proxy: CommitProxy
  private let path: String
  private let results: [PushResult]

  init() throws {
    database = try PostgresDatabase()
    proxy = try CommitProxy(to: PostgresServer.shared.get())
    path = proxy.address(of: database.name)
    results = try Push.samples(3000).map {
      $0.sequence % 3 == 0 ? $0.result(.rejected, .gone) : $0.accepted
    }
  }

  private func begin(at path: String) throws -> SQLLedger {
    try SQLLedger.begin(.sample(), at: path, claiming: 1, pace: .init(batchResults: 1000))
  }

  /// Each result is there once, and the books agree.
  private func expectAll(_ ledger: SQLLedger, in path: String) throws {
    #expect(ledger.failure == nil && ledger.committed == 3000 && ledger.tally.total == 3000)
    let counts = "SELECT count(*), count(DISTINCT id), count(reason) FROM pushes"
    #expect(try rows(counts, in: path) == ["3000|3000|1000"])
    #expect(try rows("SELECT count(*) FROM commits", in: path) == ["3"])
    let books = "SELECT state, accepted, rejected, unknown + deferred + not_attempted FROM runs"
    #expect(
      try rows("\(books) JOIN progress ON run = id", in: path) == ["finished|2000|1000|0"])
  }

  private func expectLost(_ body: () throws -> Void) {
    let error = #expect(throws: HistoryError.self, performing: body)
    switch error {
    case .connectionLost?, .cannotConnect?: break
    default: Issue.record("another error: \(error as Any)")
    }
  }

  @Test("goes on over a new connection, with the same statements", arguments: CommitCut.allCases)
  func session(cut: CommitCut) throws {
    let database = try Database.open(path)
    let insertion = try Statement("INSERT INTO reasons (word) VALUES (?)", on: database)
    insertion.bind("one", at: 1)
    proxy.cutNext(cut)
    expectLost { try database.transaction { () throws(HistoryError) in try insertion.run() } }
    expectLost { _ = try database.number("SELECT 1") }
    try database.driver.reconnect()
    let count = try database.number("SELECT count(*) FROM reasons")
    #expect(cut == .underWay || count == (cut == .unsent ? 0 : 1))
    insertion.bind("two", at: 1)
    try insertion.run()
  }

  @Test(
    "finds out whether a commit took effect that was not answered", arguments: CommitCut.allCases)
  func commit(cut: CommitCut) throws {
    let ledger = try begin(at: path)
    try ledger.record(Array(results[..<1000]), now: dawn)
    proxy.cutNext(cut)
    expectLost { try ledger.record(Array(results[1000..<2000]), now: dawn) }
    #expect(ledger.committed == 1000 && ledger.uncommitted == 1000)
    expectLost { try ledger.claim(upTo: 2001) }
    try ledger.retry()
    #expect(ledger.committed == 2000 && ledger.uncommitted == 0)
    try ledger.record(Array(results[2000...]), now: dawn)
    try ledger.finishAll(3000)
    try expectAll(ledger, in: database.address)
  }

  @Test(
    "leaves nothing of rows that were on their way, and brings all of them later",
    arguments: [CommitCut.unsent, .underWay], ["COPY results", "PGCOPY"])
  func copying(cut: CommitCut, word: String) throws {
    let ledger = try begin(at: path)
    try ledger.record(Array(results[..<1000]), now: dawn)
    proxy.cutNext(cut, at: word)
    let late = results.map { $0.push.result(.rejected, .gone) }
    expectLost { try ledger.record(Array(late[1000...]), now: dawn) }
    #expect(ledger.committed == 1000 && ledger.uncommitted == 2000)
    #expect(try rows(count, in: database.address) == ["1000"])
    try ledger.retry()
    #expect(ledger.committed == 3000)
    try ledger.finishAll(3000)
    #expect(try rows(count, in: database.address) == ["3000"])
  }

  private let count = "SELECT count(*) FROM pushes"

  @Test("takes no claim for committed that was not answered", arguments: CommitCut.allCases)
  func claim(cut: CommitCut) throws {
    let ledger = try begin(at: path)
    proxy.cutNext(cut)
    expectLost { try ledger.claim(upTo: 100) }
    #expect(ledger.claimed == 1)
    try ledger.retry()
    #expect(ledger.claimed >= 100)
    #expect(
      try rows("SELECT pass_claimed FROM progress", in: database.address) == ["\(ledger.claimed)"])
  }

  @Test("ends a run whose end was not answered", arguments: CommitCut.allCases)
  func end(cut: CommitCut) throws {
    let ledger = try begin(at: path)
    try ledger.record(Array(results[..<1000]), now: dawn)
    try ledger.record(Array(results[1000..<2001]), now: dawn)
    try ledger.record(Array(results[2001...]), now: dawn)
    #expect(ledger.uncommitted == 999)
    proxy.cutNext(cut)
    expectLost { try ledger.finishAll(3000) }
    try ledger.retry()
    try ledger.finishAll(3000)
    try expectAll(ledger, in: database.address)
    #expect(throws: HistoryError.nothingToResume(.first)) {
      try SQLLedger.resume(.first, at: database.address, now: dawn)
    }
  }

  @Test(
    "skips recipients who are no longer in the list once, although the end was not answered",
    arguments: CommitCut.allCases)
  func shorterList(cut: CommitCut) throws {
    do {
      let first = try begin(at: database.address)
      try first.claim(upTo: 5)
      first.read(RecipientCounts(lines: 5))
      let deferred = results.prefix(5).map { $0.push.result(.deferred, .busy, at: dawn) }
      try first.record(deferred, now: dawn)
      try first.commit()
    }
    let ledger = try SQLLedger.resume(.first, at: path, now: dawn, sendsEarly: true)
    try ledger.claim(upTo: 2)
    try ledger.record(results.prefix(2).map(\.push.accepted), now: dawn)
    proxy.cutNext(cut)
    expectLost { try ledger.finishAll(2) }
    try ledger.retry()
    try ledger.finishAll(2)
    #expect(ledger.committed == 2 && ledger.uncommitted == 0)
    let books = "SELECT state, accepted, skipped, deferred FROM runs JOIN progress ON run = id"
    #expect(try rows(books, in: database.address) == ["finished|2|3|0"])
  }

  @Test("begins another pass once, although its first commit was not answered")
  func pass() throws {
    do { _ = try SQLLedger.begin(.sample(), at: path, claiming: 3) }
    let ledger = try SQLLedger.resume(.first, at: path, now: dawn)
    proxy.cutNext(.unanswered)
    expectLost { try ledger.beginPass() }
    try ledger.retry()
    #expect(try rows("SELECT pass, claimed FROM progress", in: database.address) == ["1|3"])
    try ledger.record(results.prefix(3).map { $0 }, now: dawn)
    try ledger.finishAll(3)
    #expect(ledger.tally.total == 3)
  }

  @Test("waits for a commit that the server has not finished")
  func lateCommit() throws {
    let ledger = try begin(at: path)
    let holder = try PostgresSession(database.address)
    try holder.execute(
      """
      CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql
        AS 'BEGIN PERFORM pg_advisory_xact_lock_shared(1, 1); RETURN NULL; END';
      CREATE CONSTRAINT TRIGGER hold AFTER INSERT ON fanfare.commits
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION hold();
      SELECT pg_advisory_lock(1, 1)
      """)
    proxy.cutNext(.underWay)
    expectLost { try ledger.record(Array(results[..<1000]), now: dawn) }
    try holder.execute(Self.waiting())
    let pid = try #require(try holder.rows(Self.waiters)[0][0])
    try holder.begin("\(Self.waiting(besides: pid)); SELECT pg_advisory_unlock(1, 1)")
    try ledger.retry()
    try ledger.record(Array(results[1000..<2000]), now: dawn)
    try ledger.record(Array(results[2000...]), now: dawn)
    try ledger.finishAll(3000)
    try expectAll(ledger, in: database.address)
  }

  private static let waiters =
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"

  /// Waits until a connection waits for another one, for three seconds at most.
  private static func waiting(besides pid: String = "0") -> String {
    """
    DO $$ BEGIN
      FOR i IN 1..300 LOOP
        EXIT WHEN EXISTS (\(waiters) AND pid <> \(pid));
        PERFORM pg_sleep(0.01), pg_stat_clear_snapshot();
      END LOOP;
    END $$
    """
  }

  @Test("goes on after a crash of the server, and has its run to itself again")
  func crash() throws {
    let server = try PostgresServer(listening: true)
    let database = try PostgresDatabase(on: server)
    let ledger = try begin(at: "postgresql://fanfare@127.0.0.1:\(server.port)/\(database.name)")
    try ledger.record(Array(results[..<1000]), now: dawn)
    try server.stop("immediate")
    expectLost { try ledger.record(Array(results[1000..<2000]), now: dawn) }
    expectLost { try ledger.retry() }
    try server.start()
    try ledger.retry()
    #expect(throws: HistoryError.owned(run: ledger.run, pid: nil, host: "127.0.0.1")) {
      try SQLLedger.resume(ledger.run, at: database.address, now: dawn)
    }
    try ledger.record(Array(results[2000...]), now: dawn)
    try ledger.finishAll(3000)
    try expectAll(ledger, in: database.address)
  }

  @Test("does not take for its own what another process has committed meanwhile")
  func foreignCommit() throws {
    let ledger = try begin(at: path)
    proxy.cutNext(.unsent)
    expectLost { try ledger.record(Array(results[..<1000]), now: dawn) }
    try database.waitUntilUnused()
    do {
      let other = try SQLLedger.resume(.first, at: database.address, now: dawn)
      try other.record(results.map { $0.push.result(.rejected, .gone) }, now: dawn)
      try other.finishAll(3000)
    }
    #expect(throws: HistoryError.self) { try ledger.retry() }
    #expect(ledger.committed == 0 && ledger.uncommitted == 1000)
    #expect(try rows("SELECT DISTINCT outcome FROM pushes", in: database.address) == ["1"])
  }

  @Test("does not take another process's pass for its own that was cut when it began")
  func foreignPass() throws {
    do {
      let first = try begin(at: database.address)
      try first.record(Array(results[..<1000]), now: dawn)
      try first.finish(RunEnding(.interrupted, recipients: RecipientCounts(), at: dawn))
    }
    let ledger = try SQLLedger.resume(.first, at: path, now: dawn)
    proxy.cutNext(.unsent)
    expectLost { try ledger.beginPass() }
    try database.waitUntilUnused()
    do {
      let other = try SQLLedger.resume(.first, at: database.address, now: dawn)
      try other.record(Array(results[1000...]), now: dawn)
      try other.finishAll(3000)
    }
    #expect(throws: HistoryError.owned(run: ledger.run, pid: nil, host: nil)) {
      try ledger.retry()
    }
  }

  @Test("says that its run is gone when it was removed meanwhile")
  func removed() throws {
    let ledger = try begin(at: database.address)
    try database.endConnections()
    try database.execute("DELETE FROM fanfare.progress; DELETE FROM fanfare.runs")
    expectLost { try ledger.record(Array(results[..<1000]), now: dawn) }
    #expect(throws: HistoryError.noSuchRun(ledger.run)) { try ledger.retry() }
  }

  @Test("leaves its run to whoever has taken it meanwhile")
  func takenOver() throws {
    let ledger = try begin(at: database.address)
    try database.endConnections()
    let other = try SQLLedger.resume(.first, at: database.address, now: dawn)
    try other.record(Array(results[..<1000]), now: dawn)
    expectLost { try ledger.record(Array(results[..<1000]), now: dawn) }
    #expect(throws: HistoryError.owned(run: ledger.run, pid: nil, host: nil)) {
      try ledger.retry()
    }
    try other.record(Array(results[1000...]), now: dawn)
    try other.finishAll(3000)
    // The run is free again, but it is not this pass that goes on.
    #expect(throws: HistoryError.self) { try ledger.retry() }
    #expect(ledger.uncommitted == 1000)
    #expect(try rows("SELECT count(*), max(pass) FROM pushes", in: database.address) == ["3000|1"])
  }
}
