import APNS
import PushModel
import SQLHistory
import SendingSupport
import TestSupport
import Testing

@testable import SQLQueue

@Suite("Putting a run into the queue", .needsPostgreSQL)
struct EnqueuingTests {
  private let database: PostgresDatabase
  private var path: String { database.address }

  init() throws { database = try PostgresDatabase() }

  private func begin() throws -> Enqueuing {
    let queue = try Enqueuing.begin(.sample(), credentials: "key TEAM123456/KEY7654321", at: path)
    queue.longestWait = .seconds(3600)
    return queue
  }

  @Test("begins a run that others see with its sender")
  func begun() throws {
    let queue = try begin()
    #expect(
      try rows(
        "SELECT state, credentials, written FROM runs JOIN queued_runs ON run = id", in: path)
        == ["enqueuing|key TEAM123456/KEY7654321|0"])
    #expect(try Database.open(path).driver.isLeased(queue.run))
    #expect(queue.written == 0 && queue.record == .sample())
    #expect(throws: HistoryError.owned(run: queue.run, pid: nil, host: nil)) {
      try Enqueuing.resume(queue.run, at: path)
    }
  }

  @Test("lets workers begin while the list is read")
  func early() throws {
    let queue = try begin()
    queue.longestWait = .zero
    var sample = QueueSample()
    try queue.add(try sample.next(), counts: RecipientCounts(lines: 260, badLines: 4))
    #expect(queue.written == 256)
    #expect(
      try rows("SELECT claimed, last, lines, bad_lines FROM progress", in: path) == ["0||260|4"])
    #expect(try rows("SELECT state FROM runs", in: path) == ["enqueuing"])
    try expectQueued(1...256, in: path)
  }

  @Test("gathers recipients into chunks, each of one list")
  func chunks() throws {
    let queue = try begin()
    var sample = QueueSample()
    for _ in 0..<10 { try queue.add(try sample.next(), counts: RecipientCounts(lines: 1)) }
    sample.list = "second.txt"
    try queue.add(try sample.next(7), counts: RecipientCounts(lines: 2567))
    #expect(try rows("SELECT id FROM chunks", in: path).isEmpty && queue.written == 0)
    try queue.flush()
    #expect(queue.written == 2567)
    #expect(
      try rows(
        "SELECT id - (1::bigint << 40), count, worker, mark FROM chunks ORDER BY id", in: path)
        == stride(from: 1, to: 2560, by: 64).map { "\($0)|64||0" } + ["2561|7||0"])
    try expectQueued(1...2567, in: path)
  }

  @Test("cuts a list smaller at its beginning, so that workers can share a small one")
  func sizes() throws {
    let queue = try begin()
    queue.longestWait = .seconds(600)
    var sample = QueueSample()
    for _ in 0..<80 { try queue.add(try sample.next(), counts: RecipientCounts(lines: 1)) }
    try queue.flush()
    let sizes = try rows(
      "SELECT count, count(*) FROM chunks GROUP BY 1 ORDER BY 1", in: path)
    #expect(sizes == ["64|64", "256|16", "512|9", "768|6", "1024|3"])
  }

  @Test("writes many chunks at once")
  func many() throws {
    let queue = try begin()
    var sample = QueueSample()
    for number in 1...65 {
      sample.list = "list \(number)"
      let chunk = try sample.next(2)
      #expect(queue.written == 0)
      try queue.add(chunk, counts: RecipientCounts(lines: 2 * number))
    }
    #expect(queue.written == 130)
    #expect(
      try rows("SELECT count(*), lines FROM chunks, progress GROUP BY 2", in: path) == ["65|130"])
  }

  @Test("seals it when the list has ended")
  func sealed() throws {
    let queue = try begin()
    var sample = QueueSample(hasValues: true)
    try queue.add(try sample.next(), counts: RecipientCounts(lines: 256))
    try queue.seal(counts: RecipientCounts(lines: 259, duplicates: 3))
    #expect(try states() == ["enqueued||256|259|3|256"])
    #expect(try !Database.open(path).driver.isLeased(queue.run))
    try expectQueued(1...256, in: path)
  }

  @Test("ends a run without recipients")
  func empty() throws {
    let queue = try begin()
    try queue.seal(counts: RecipientCounts(lines: 2, badLines: 2))
    #expect(try rows("SELECT state, finished > started FROM runs", in: path) == ["finished|t"])
    #expect(try rows("SELECT last, bad_lines FROM progress", in: path) == ["0|2"])
  }

  @Test("ends a run that workers have sent by then")
  func overtaken() throws {
    let queue = try begin()
    var sample = QueueSample()
    try queue.add(try sample.next(), counts: RecipientCounts(lines: 256))
    try queue.flush()
    try database.execute("DELETE FROM fanfare.chunks")
    let connection = try Database.open(path)
    #expect(
      try !connection.transaction { () throws(HistoryError) in try connection.endIfDone(queue.run) }
    )
    try queue.seal(counts: RecipientCounts(lines: 256))
    #expect(try rows("SELECT state FROM runs", in: path) == ["finished"])
  }

  @Test("does not end a run because another one's queue is empty")
  func neighbours() throws {
    let (first, second) = try (begin(), begin())
    var sample = QueueSample()
    try first.add(try sample.next(1), counts: RecipientCounts(lines: 1))
    try second.seal(counts: RecipientCounts())
    try first.seal(counts: RecipientCounts(lines: 1))
    #expect(
      try rows("SELECT state FROM runs ORDER BY id", in: path) == ["enqueued", "finished"])
  }

  @Test("needs PostgreSQL")
  func file() throws {
    let folder = try KeptFolder()
    let file = folder.path(of: "history.sqlite")
    let run = try #require(RunNumber(rawValue: 1))
    #expect(throws: HistoryError.noQueue(path: file)) {
      try Enqueuing.begin(.sample(), credentials: "", at: file)
    }
    #expect(throws: HistoryError.noQueue(path: file)) { try Enqueuing.resume(run, at: file) }
  }

  private func states() throws -> [String] {
    try rows(
      """
      SELECT state, finished, last, lines, duplicates, written FROM runs
        JOIN progress ON progress.run = id JOIN queued_runs ON queued_runs.run = id
      """, in: path)
  }

  // Resuming.

  /// Leaves a run behind with so many recipients in the queue, and some that were not written.
  private func abandon(after written: Int) throws -> RunNumber {
    let queue = try begin()
    var sample = QueueSample()
    try queue.add(try sample.next(written), counts: RecipientCounts(lines: written))
    try queue.flush()
    try queue.add(try sample.next(50), counts: RecipientCounts(lines: written + 50))
    return queue.run
  }

  @Test("goes on behind what is written, also when that has left the queue", arguments: [0, 1])
  func resumed(gone: Int) throws {
    let run = try abandon(after: 200)
    try database.execute("DELETE FROM fanfare.chunks WHERE \(gone) = 1")
    #expect(try !Database.open(path).driver.isLeased(run))
    let queue = try Enqueuing.resume(run, at: path)
    #expect(queue.written == 200 && queue.record == .sample() && queue.run == run)
    var sample = QueueSample()
    for size in [90, 256, 154] {
      try queue.add(try sample.next(size), counts: RecipientCounts(lines: 500))
    }
    try queue.seal(counts: RecipientCounts(lines: 500))
    #expect(try states() == ["enqueued||500|500|0|500"])
    try expectQueued((gone == 1 ? 201 : 1)...500, in: path)
  }

  @Test("keeps what was read of a list that has become shorter")
  func shorter() throws {
    let queue = try Enqueuing.resume(try abandon(after: 200), at: path)
    var sample = QueueSample()
    try queue.add(try sample.next(100), counts: RecipientCounts(lines: 100))
    try queue.seal(counts: RecipientCounts(lines: 100))
    #expect(try states() == ["enqueued||200|200|0|200"])
    try expectQueued(1...200, in: path)
  }

  @Test("resumes only what is being enqueued")
  func others() throws {
    let queue = try begin()
    try queue.seal(counts: RecipientCounts())
    #expect(throws: HistoryError.nothingToResume(queue.run)) {
      try Enqueuing.resume(queue.run, at: path)
    }
    do { _ = try SQLLedger.begin(.sample(), at: path) }
    let other = try #require(RunNumber(rawValue: 2))
    #expect(throws: HistoryError.nothingToResume(other)) { try Enqueuing.resume(other, at: path) }
    let missing = try #require(RunNumber(rawValue: 3))
    #expect(throws: HistoryError.noSuchRun(missing)) { try Enqueuing.resume(missing, at: path) }
  }
}

/// Expects that the queue's chunks hold these recipients of a ``QueueSample``, each once.
func expectQueued(
  _ numbers: ClosedRange<Int>, in path: String, _ location: SourceLocation = #_sourceLocation
) throws {
  let database = try Database.open(path)
  let statement = try Statement("SELECT id, count, pushes FROM chunks ORDER BY id", on: database)
  var found: [Int] = []
  while try statement.step() {
    let first = RunNumber.sequence(ofRow: statement.int64(0))
    let queued = try #require(
      QueuedRecipients([UInt8](statement.bytes(2)), count: Int(statement.int64(1))))
    var rendering: (any RowRendering)? =
      queued.hasValues ? EchoRendering(names: QueueSample.names) : nil
    let part = try #require(queued.part(from: first, most: 1024, .sample(first), &rendering))
    #expect(part.count == queued.count, sourceLocation: location)
    #expect(
      part.pushes.allSatisfy { Int($0.token.suffix(15), radix: 16) == Int($0.sequence) },
      sourceLocation: location)
    found += part.pushes.map { Int($0.sequence) }
  }
  #expect(found == Array(numbers), sourceLocation: location)
}
