import Foundation
import PushModel
import SendingSupport
import Testing

@testable import SQLHistory

@Suite("A ledger that fails", .overAllHistories)
struct LedgerFailureTests {
  private let place: HistoryReference
  private var path: String { place.path }
  private let pace = SQLLedger.Pace(batchResults: 1000, busyMilliseconds: 20)

  // What makes a ledger fail stays in its database.
  init() throws { place = try HistoryReference(isBare: true) }

  /// What makes a ledger fail, and what it says then.
  enum Trouble: CaseIterable {
    case noRoom
    case readOnly

    var error: HistoryError {
      switch self {
      case .noRoom: .full
      case .readOnly: .readOnly
      }
    }

    func begin(_ ledger: SQLLedger) throws {
      switch (self, HistoryKind.current) {
      case (.noRoom, .sqlite):
        let pages = try ledger.database.number("PRAGMA page_count")
        try ledger.database.execute("PRAGMA max_page_count = \(pages)")
      case (.readOnly, .sqlite): try ledger.database.execute("PRAGMA query_only = ON")
      case (.noRoom, .postgreSQL):
        try ledger.database.execute(
          """
          CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql
            AS 'BEGIN RAISE disk_full; END';
          CREATE TRIGGER no_room BEFORE INSERT ON commits EXECUTE FUNCTION no_room()
          """)
      case (.readOnly, .postgreSQL):
        try ledger.database.execute("SET default_transaction_read_only TO on")
      }
    }

    func end(_ ledger: SQLLedger) throws {
      switch (self, HistoryKind.current) {
      case (.noRoom, .sqlite): try ledger.database.execute("PRAGMA max_page_count = 1000000")
      case (.readOnly, .sqlite): try ledger.database.execute("PRAGMA query_only = OFF")
      case (.noRoom, .postgreSQL): try ledger.database.execute("DROP FUNCTION no_room CASCADE")
      case (.readOnly, .postgreSQL):
        try ledger.database.execute("SET default_transaction_read_only TO off")
      }
    }
  }

  @Test("keeps every result that it could not commit", arguments: Trouble.allCases)
  func keeps(trouble: Trouble) throws {
    let ledger = try SQLLedger.begin(.sample(), at: path, pace: pace)
    let results = try Push.samples(2500).map(\.accepted)
    try ledger.record(Array(results[..<1000]), now: dawn)
    try trouble.begin(ledger)
    #expect(throws: trouble.error) { try ledger.record(Array(results[1000..<2000]), now: dawn) }
    #expect(throws: trouble.error) { try ledger.record(Array(results[2000...]), now: dawn) }
    #expect(ledger.failure == trouble.error)
    #expect(ledger.committed == 1000)
    #expect(ledger.tally.accepted == 1000)
    #expect(ledger.takeUncommitted().map(\.push.sequence) == Array(1001...2500))
    #expect(try rows("SELECT count(*) FROM pushes", in: path) == ["1000"])
  }

  @Test("commits all of it when the trouble is over", arguments: Trouble.allCases)
  func recovers(trouble: Trouble) throws {
    let ledger = try SQLLedger.begin(.sample(), at: path, pace: pace)
    let results = try Push.samples(2000).map { $0.result(.rejected, .gone) }
    try trouble.begin(ledger)
    #expect(throws: trouble.error) { try ledger.record(results, now: dawn) }
    #expect(throws: trouble.error) { try ledger.retry() }
    try trouble.end(ledger)
    try ledger.retry()
    try ledger.finishAll(2000)
    #expect(ledger.committed == 2000)
    // The reason was put in by a transaction that came to nothing, and again by one that counts.
    let found = try rows(
      "SELECT count(*), min(word), max(word) FROM pushes JOIN reasons ON reasons.id = reason",
      in: path)
    #expect(found == ["2000|Unregistered|Unregistered"])
  }

  @Test("puts in all rows of a commit or none, although only one finds no room", .only(.postgreSQL))
  func oneRow() throws {
    let ledger = try SQLLedger.begin(.sample(), at: path, pace: pace)
    try ledger.database.execute(
      """
      CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE disk_full; END';
      CREATE TRIGGER no_room BEFORE INSERT ON results FOR EACH ROW
        WHEN (NEW.id = \(1 << 40 | 700)) EXECUTE FUNCTION no_room()
      """)
    let results = try Push.samples(1000).map { $0.result(.rejected, .gone) }
    #expect(throws: HistoryError.full) { try ledger.record(results, now: dawn) }
    #expect(try rows("SELECT count(*) FROM results", in: path) == ["0"])
    try ledger.database.execute("DROP FUNCTION no_room CASCADE")
    try ledger.retry()
    try ledger.finishAll(1000)
    #expect(try rows("SELECT count(*), count(reason) FROM results", in: path) == ["1000|1000"])
    #expect(try rows("SELECT rejected FROM progress", in: path) == ["1000"])
  }

  @Test("asks once for room when there is none, and goes on with it")
  func makesRoom() throws {
    let ledger = try SQLLedger.begin(.sample(), at: path, pace: pace)
    var asked = 0
    ledger.makeRoom = { [unowned ledger] in
      asked += 1
      try? Trouble.noRoom.end(ledger)
    }
    try Trouble.noRoom.begin(ledger)
    let results = try Push.samples(4000).map(\.accepted)
    try ledger.record(Array(results[..<2000]), now: dawn)
    #expect(asked == 1 && ledger.failure == nil && ledger.committed == 2000)
    try Trouble.noRoom.begin(ledger)
    #expect(throws: HistoryError.full) { try ledger.record(Array(results[2000...]), now: dawn) }
    #expect(asked == 1)
    try Trouble.noRoom.end(ledger)
  }

  @Test("takes no more claims, even of pushes that it had claimed", arguments: Trouble.allCases)
  func noClaims(trouble: Trouble) throws {
    let ledger = try SQLLedger.begin(.sample(), at: path, pace: pace)
    try ledger.claim(upTo: 1)
    let claimed = ledger.claimed
    try trouble.begin(ledger)
    #expect(throws: trouble.error) {
      try ledger.record(try Push.samples(2000).map(\.accepted), now: dawn)
    }
    #expect(throws: trouble.error) { try ledger.claim(upTo: 2) }
    #expect(throws: trouble.error) { try ledger.finishAll(2) }
    #expect(ledger.claimed == claimed)
  }

  @Test(
    "gives up on a lock after the time it was told, and gets through once it is free",
    .only(.sqlite))
  func locked() throws {
    let ledger = try SQLLedger.begin(.sample(), at: path, pace: pace)
    let other = try Database.open(path)
    try other.execute("BEGIN IMMEDIATE")
    let results = try Push.samples(1000).map(\.accepted)
    #expect(throws: HistoryError.locked(milliseconds: 20)) { try ledger.record(results, now: dawn) }
    #expect(ledger.uncommitted == 1000)
    try other.execute("COMMIT")
    try ledger.retry()
    #expect(ledger.committed == 1000)
  }

  @Test("a reader that stays does not stop it")
  func reader() throws {
    let ledger = try SQLLedger.begin(.sample(), at: path, pace: pace)
    let other = try Database.open(path)
    let results = try Push.samples(1000).map(\.accepted)
    let count = "SELECT count(*) FROM pushes(0, \(Int64.max))"
    let found = try other.reading { () throws(HistoryError) in
      let before = try other.number(count)
      try ledger.record(results, now: dawn)
      return [before, try other.number(count)]
    }
    #expect(ledger.committed == 1000 && found == [0, 0])
    #expect(try other.number(count) == 1000)
  }

  /// What takes a history away while a run is written to it.
  enum Loss: CaseIterable {
    case deleted
    case replaced
    case emptied
    case cutShort

    func happen(to path: String) throws {
      switch self {
      case .deleted: unlink(path)
      case .replaced:
        unlink(path)
        _ = try Database.open(path)
      case .emptied: truncate(path, 0)
      case .cutShort: truncate(path, 8192)
      }
    }
  }

  @Test("says at its end that the history is gone", .only(.sqlite), arguments: Loss.allCases)
  func gone(loss: Loss) throws {
    let ledger = try SQLLedger.begin(.sample(), at: path, pace: pace)
    let results = try Push.samples(2500).map(\.accepted)
    try ledger.record(Array(results[..<2000]), now: dawn)
    try ledger.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    try ledger.commit()
    try loss.happen(to: path)
    try ledger.record(Array(results[2000...]), now: dawn)
    #expect(throws: HistoryError.gone(path: path)) { try ledger.finishAll(2500) }
  }

  @Test("says at the first commit that fails that the history was cut short", .only(.sqlite))
  func cutShort() throws {
    let ledger = try SQLLedger.begin(.sample(), at: path, pace: pace)
    let results = try Push.samples(3000).map(\.accepted)
    for part in [results[..<1000], results[1000..<2000]] {
      try ledger.record(Array(part), now: dawn)
      try ledger.commit()
      // Nothing of the file is left in memory or in the log, so that what is missing has to be read.
      try ledger.database.execute("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA shrink_memory")
    }
    try Loss.cutShort.happen(to: path)
    #expect(throws: HistoryError.gone(path: path)) {
      try ledger.record(Array(results[2000...]), now: dawn)
    }
  }

  @Test("does not call a history damaged that others have pruned", .only(.sqlite))
  func pruned() throws {
    do {
      let earlier = try SQLLedger.begin(.sample(), at: path)
      try earlier.record(try Push.samples(4000).map(\.accepted), now: dawn)
      try earlier.finishAll(4000)
    }
    let ledger = try SQLLedger.begin(.sample(), at: path, pace: pace)
    try ledger.record(try Push.samples(1000).map(\.accepted), now: dawn)
    try ledger.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    let size = try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    do {
      let other = try Database.open(path)
      try other.execute("DELETE FROM accepted WHERE id < 2 << 40; VACUUM")
      #expect(try other.number("PRAGMA wal_checkpoint(TRUNCATE)") == 0)
    }
    let left = try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    #expect(left < size)
    try ledger.finishAll(1000)
  }
}
