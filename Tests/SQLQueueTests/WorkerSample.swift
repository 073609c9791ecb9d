import APNS
import PushModel
import SQLHistory
import SendingSupport
import Synchronization
import TestSupport
import Testing

@testable import SQLQueue

/// A run in a queue of its own, and the workers that a test begins for it.
struct QueueTrial {
  let database: PostgresDatabase
  let run: RunNumber
  let record: RunRecord
  let clock = TrialClock()
  var path: String { database.address }

  /// - Parameters:
  ///   - sizes: how many recipients each chunk has, of a list of its own.
  ///   - server: nil for the one that all tests share.
  init(
    _ sizes: [Int], _ record: RunRecord = .sample(), isSealed: Bool = true,
    on server: PostgresServer? = nil
  ) throws {
    database = try PostgresDatabase(on: server)
    self.record = record
    let queue = try Enqueuing.begin(record, credentials: "key A/B", at: database.address)
    run = queue.run
    queue.smallChunk = QueuedRecipients.capacity
    try queue.add(sizes)
    if isSealed { try queue.seal(counts: RecipientCounts(lines: sizes.reduce(0, +))) }
  }

  /// A session whose lease is 90 s, and in which an attempt takes 30 s at most.
  func begin(_ name: String = "one") throws -> WorkerSession {
    try WorkerSession.begin(
      run, name: name, version: "1.0", timeoutMilliseconds: 30_000, at: path,
      clock: clock.workerClock)
  }

  func source(
    _ session: WorkerSession, rate: PushRate? = nil, idling: QueuedChunks.Idling = .ends,
    isStopping: @escaping @Sendable () -> Bool = { false }
  ) throws -> QueuedChunks {
    try QueuedChunks(
      session, record, nil, at: path, rate: rate, idling: idling, isStopping: isStopping)
  }

  /// Lets a session's lease run out by the server's clock.
  func lapse(_ session: WorkerSession) throws {
    try database.execute(
      "UPDATE fanfare.workers SET lease = 0 WHERE id = \(session.number)")
  }

  /// Lets the time come at which everything deferred is due.
  func makeDue() throws {
    try database.execute("UPDATE fanfare.chunks SET due = 0; UPDATE fanfare.results SET at = 0")
  }

  /// The chunks: the number of the first push, the worker and the mark.
  func chunks() throws -> [String] {
    try rows(
      "SELECT id - (\(run)::bigint << 40), worker, mark FROM chunks ORDER BY id", in: path)
  }

  /// A result of a push, by the outcome's number.
  func insert(_ outcome: Int64, of sequence: Int, at time: Int64 = 1000) throws {
    try database.execute(
      """
      INSERT INTO fanfare.results (id, token, list, line, outcome, attempts, deferrals, pass, at,
        resent) VALUES (\(run.row(of: UInt64(sequence))), '', 0, 1, \(outcome), 1, 1, 0, \(time), 0)
      """)
  }

  /// In SQL: waits until somebody waits for a lock.
  static let waitUntilBlocked = """
    DO $$ BEGIN
      WHILE NOT EXISTS (SELECT FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock') LOOP
        PERFORM pg_sleep(0.005), pg_stat_clear_snapshot();
      END LOOP;
    END $$
    """
}

extension Enqueuing {
  fileprivate func add(_ sizes: [Int]) throws {
    var builder = PushChunkBuilder()
    for (index, size) in sizes.enumerated() {
      builder.begin(list: "list \(index)")
      for number in 1...size {
        var token = tokenText(number)
        token.withUTF8 { builder.append(token: $0, line: number) }
        guard builder.isFull || number == size else { continue }
        try add(builder.take(), counts: RecipientCounts())
      }
    }
    try flush()
  }
}

/// A clock that a test moves. A pause takes no time but moves it.
final class TrialClock: Sendable {
  private let time = Atomic<UInt64>(1_000_000_000_000)

  var now: UInt64 { time.load(ordering: .relaxed) }

  func advance(milliseconds: Int) {
    time.add(UInt64(milliseconds) * 1_000_000, ordering: .relaxed)
  }

  var workerClock: WorkerClock {
    WorkerClock(monotonic: { self.now }, pause: { self.advance(milliseconds: $0) })
  }
}

extension QueuedChunks {
  /// The next part, which has to be there.
  mutating func part() throws -> PushChunk {
    let part = next()
    return try #require(part)
  }

  /// The numbers of all pushes that it gives.
  mutating func allSequences() -> [UInt64] {
    var found: [UInt64] = []
    while let chunk = next() { found += chunk.pushes.map(\.sequence) }
    return found
  }
}
