import APNS
import CSQLite
import Foundation
import PushModel
import SendingSupport
import Synchronization
import TestSupport
import Testing

@testable import SQLHistory

@Suite("Removing runs from a history", .overAllHistories)
struct HistoryPruningTests {
  private static let day: Int64 = 86_400_000
  private let place: HistoryReference
  private var path: String { place.path }

  init() throws { place = try HistoryReference() }

  /// A run that began so many days after ``dawn`` and ended a minute later.
  private func run(
    day: Int64 = 0, _ outcomes: [Outcome] = [.accepted], list: String = "all.txt",
    _ record: RunRecord = .sample()
  ) throws {
    var record = record
    record.started = dawn + day * Self.day
    let ledger = try SQLLedger.begin(record, at: path)
    let results = zip(try Push.samples(outcomes.count, list: list), outcomes).map {
      $0.result($1, $1 == .rejected ? .gone : nil, at: record.started)
    }
    try ledger.record(results, now: record.started)
    try ledger.finishAll(outcomes.count, at: record.started + minute)
  }

  private func remove(_ rule: PruningRule) throws -> PruningReport {
    let pruning = try HistoryPruning(path)
    return try pruning.remove(pruning.plan(rule, now: dawn + 100 * Self.day))
  }

  private var runs: [String] {
    get throws { try rows("SELECT id FROM runs ORDER BY id", in: path) }
  }

  private var files: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: place.folder.path).filter {
        $0.contains(".run-")
      }
    }
  }

  static let rules: [(rule: PruningRule, left: [String])] = [
    (PruningRule(), ["1", "2", "3", "4"]),
    (PruningRule(before: dawn + 2 * day), ["3", "4"]),
    // A run that ended at that very moment is not older.
    (PruningRule(before: dawn + day + minute), ["2", "3", "4"]),
    (PruningRule(keep: 1), ["4"]),
    (PruningRule(keep: 0), []),
    (PruningRule(keep: 9), ["1", "2", "3", "4"]),
    (PruningRule(before: dawn + day, keep: 3), ["2", "3", "4"]),
    (PruningRule(before: dawn + 3 * day, keep: 3), ["4"]),
  ]

  @Test("takes those that are old or many, with all that belongs to them", arguments: rules)
  func removal(_ row: (rule: PruningRule, left: [String])) throws {
    for day in 0..<4 { try run(day: Int64(day), [.accepted, .rejected]) }
    let report = try remove(row.rule)
    #expect(try runs == row.left)
    #expect(report.runs == 4 - row.left.count && report.pushes == 2 * report.runs)
    #expect(try rows("SELECT run FROM progress ORDER BY run", in: path) == row.left)
    let counts = row.left.map { "\($0)|2" }
    #expect(
      try rows("SELECT id >> 40, count(*) FROM pushes GROUP BY 1 ORDER BY 1", in: path) == counts)
    #expect(
      try rows("SELECT DISTINCT block >> 22 FROM token_tails ORDER BY 1", in: path) == row.left)
    #expect(try files.isEmpty)
    try place.expectWhole()
  }

  @Test("waits for the disk once for a batch of runs, not once for each", .only(.sqlite))
  func syncs() throws {
    for _ in 1...200 { try run([.accepted, .rejected]) }
    let pruning = try HistoryPruning(path)
    let plan = try pruning.plan(PruningRule(keep: 1), now: dawn + Self.day)
    let count = CommitCount()
    let driver = try #require(pruning.database.driver as? SQLiteDriver)
    count.attach(to: driver.handle)
    #expect(try pruning.remove(plan).pushes == 398)
    // Four for the runs, and four for what they packed; a few for other rows and the space.
    #expect(1...20 ~= count.value, "\(count.value)")
  }

  @Test("leaves what could be resumed, unless it is told to take it")
  func unfinished() throws {
    try run([.accepted])
    try run([.deferred])
    try run([.unknown])
    try run([.notAttempted])
    try run([.unknown], .sample(atMostOnce: true))
    do { _ = try SQLLedger.begin(.sample(), at: path, claiming: 5) }
    var report = try remove(PruningRule(keep: 0))
    #expect(try runs == ["2", "3", "4", "6"])
    #expect(report.runs == 2 && report.unfinished.map(\.rawValue) == [2, 3, 4, 6])
    report = try remove(PruningRule(keep: 0, takesUnfinished: true))
    #expect(try runs == [] && report.runs == 4 && report.unfinished.isEmpty)
  }

  @Test("never takes a run that is being sent")
  func beingSent() throws {
    try run([.accepted, .rejected])
    let ledger = try SQLLedger.begin(.sample(), at: path)
    let rule = PruningRule(keep: 0, takesUnfinished: true)
    var report = try remove(rule)
    #expect(report.runs == 1 && report.beingSent == [ledger.run])
    try ledger.record(try Push.samples(3).map { $0.result(.rejected, .gone) }, now: dawn)
    try ledger.finishAll(3)
    #expect(try rows("SELECT word FROM reasons", in: path) == ["Unregistered"])
    report = try remove(PruningRule(keep: 1))
    #expect(report.runs == 0 && report.space == .givenBack)
  }

  @Test("keeps the space while a run is being sent", .only(.sqlite))
  func spaceInUse() throws {
    try run([.accepted, .rejected])
    let ledger = try SQLLedger.begin(.sample(), at: path)
    #expect(try remove(PruningRule(keep: 1)).space == .inUse)
    try ledger.finishAll(0)
    #expect(try remove(PruningRule(keep: 1)).space == .givenBack)
    #expect(try rows("PRAGMA freelist_count", in: path) == ["0"])
  }

  @Test("looks again before it takes a run: it may have been sent, or resumed, since")
  func changedSince() throws {
    for _ in 1...3 { try run() }
    let pruning = try HistoryPruning(path)
    let plan = try pruning.plan(PruningRule(keep: 0), now: dawn)
    #expect(plan.runs.map(\.rawValue) == [1, 2, 3])
    let database = try Database.open(path)
    try database.execute("UPDATE progress SET deferred = 1 WHERE run = 1")
    let lease = try database.driver.takeLease(of: plan.runs[1])
    let report = try pruning.remove(plan)
    #expect(report.unfinished == [plan.runs[0]] && report.beingSent == [plan.runs[1]])
    #expect(try report.runs == 1 && runs == ["1", "2"])
    withExtendedLifetime(lease) {}
  }

  @Test("gives the space back", .only(.sqlite))
  func space() throws {
    try run([Outcome](repeating: .rejected, count: 20_000))
    try run()
    let size = try place.folder.bytes("history.sqlite").count
    let report = try remove(PruningRule(keep: 1))
    let left = try place.folder.bytes("history.sqlite").count
    #expect(report.space == .givenBack && report.pushes == 20_000)
    #expect(size > 1_000_000 && left < 120_000 && report.bytes >= size - left)
  }

  @Test("keeps the space while somebody reads, and gives it back another time", .only(.sqlite))
  func reader() throws {
    try run([Outcome](repeating: .rejected, count: 5000))
    let database = try Database.open(path)
    try database.execute("BEGIN; SELECT count(*) FROM runs")
    let pruning = try HistoryPruning(path, busyMilliseconds: 10)
    let plan = try pruning.plan(PruningRule(keep: 0), now: dawn)
    #expect(try pruning.remove(plan).space == .inUse)
    try database.execute("COMMIT")
    let report = try remove(PruningRule(keep: 0))
    #expect(report.space == .givenBack && report.bytes > 100_000 && report.runs == 0)
  }

  @Test("takes what a removal left behind that was killed")
  func orphans() throws {
    try run([.accepted, .accepted])
    try run()
    try Database.open(path).execute(
      """
      INSERT INTO payloads VALUES (\(1 << 40 + 1), \(place.blob("7b7d")));
      INSERT INTO payloads VALUES (\(2 << 40 + 1), \(place.blob("7b7d")));
      DELETE FROM runs WHERE id = 1
      """)
    let report = try remove(PruningRule())
    #expect(report.runs == 0 && report.pushes == 2)
    for table in ["pushes", "payloads"] {
      #expect(try rows("SELECT id >> 40 FROM \(table)", in: path) == ["2"])
    }
  }

  @Test("takes what was left behind and does not tell how many results it had, and calls it damage")
  func damagedOrphans() throws {
    try run()
    // Too far apart for one transaction.
    for sequence in [1, 2, 100_000] as [Int64] {
      let row: Int64 = 9 << 40 | sequence
      try Database.open(path).execute(
        "INSERT INTO accepted VALUES (\(row), 0, \(1 << 62), \(place.blob("00")))")
    }
    #expect(throws: HistoryError.corrupt(path: place.name)) { try remove(PruningRule()) }
    #expect(try rows("SELECT id FROM accepted WHERE id >> 40 = 9", in: path) == [])
    #expect(try remove(PruningRule()).pushes == 0)
  }

  @Test("takes the lock and the lists of its runs, and no other files", .only(.sqlite))
  func besides() throws {
    try run()
    try run()
    let mine = [
      "run-1.lock", "run-1.sent", "run-1.list-1", "run-1.suppress-2", "run-1.list-3.part",
    ]
    let others = ["run-2.list-1", "run-3.list-1", "run-1.txt", "run-x.lock", "run-.lock"]
    for name in mine + others { _ = try place.folder.file("history.sqlite.\(name)", "four") }
    let report = try remove(PruningRule(keep: 1))
    #expect(try files.sorted() == others.map { "history.sqlite.\($0)" }.sorted())
    #expect(report.bytes >= 12)
  }

  /// Words that are needed, with their numbers.
  private func words(_ table: String) throws -> [String] {
    try rows("SELECT id, word FROM \(table) WHERE word <> '' ORDER BY id", in: path)
  }

  @Test("forgets words that nobody needs, and gives no number to another word")
  func words() throws {
    try run([.rejected], list: "old.txt")
    try run(list: "new.txt")
    try run(list: "newest.txt")
    _ = try remove(PruningRule(keep: 2))
    #expect(try words("lists") == ["2|new.txt", "3|newest.txt"] && words("reasons") == [])
    _ = try remove(PruningRule(keep: 0))
    #expect(try words("lists") == [])
    try run([.rejected], list: "next.txt")
    #expect(try words("lists") == ["4|next.txt"] && words("reasons") == ["2|Unregistered"])
    #expect(try runs == ["4"])
    _ = try remove(PruningRule(keep: 0))
    #expect(try words("lists") == [])
  }

  @Test("of many does not lock out somebody who sends")
  func writer() throws {
    let path = path
    let count = HistoryKind.current == .sqlite ? 60_000 : 20_000
    try run([Outcome](repeating: .rejected, count: count))
    let removed = Mutex(0)
    let accepted = Mutex(0)
    try within {
      onThreads(2) { number in
        if number == 0 {
          removed.withLock { $0 = (try? prune(path)) ?? -1 }
        } else {
          accepted.withLock { $0 = (try? send(path)) ?? -1 }
        }
      }
    }
    #expect(removed.withLock { $0 } >= count)
    #expect(accepted.withLock { $0 } == 2000)
    try place.expectWhole()
  }

  @Test("needs a history, and leaves none behind where there was none")
  func missing() throws {
    let place = try HistoryReference(isBare: true)
    for isDryRun in [false, true] {
      #expect(throws: HistoryError.missing(path: place.name)) {
        try HistoryPruning(place.path, isDryRun: isDryRun)
      }
    }
    #expect(try !place.isMade)
  }
}

/// Removes all runs that are done.
private func prune(_ path: String) throws -> Int {
  let pruning = try HistoryPruning(path)
  return try pruning.remove(pruning.plan(PruningRule(keep: 0), now: dawn)).pushes
}

/// Sends in many small transactions, none of which waits for long.
private func send(_ path: String) throws -> Int {
  let pace = SQLLedger.Pace(claimStep: 64, batchResults: 20, busyMilliseconds: 5000)
  let ledger = try SQLLedger.begin(.sample(), at: path, pace: pace)
  for push in try Push.samples(2000) {
    try ledger.claim(upTo: push.sequence)
    try ledger.record([push.accepted], now: dawn)
  }
  try ledger.finishAll(2000)
  return ledger.tally.accepted
}

/// Counts the transactions that wrote something.
private final class CommitCount {
  private(set) var value = 0

  func attach(to connection: OpaquePointer) {
    sqlite3_commit_hook(
      connection,
      { count in
        if let count { Unmanaged<CommitCount>.fromOpaque(count).takeUnretainedValue().value += 1 }
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }
}
