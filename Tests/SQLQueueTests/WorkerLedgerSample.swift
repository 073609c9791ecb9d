import History
import PushModel
import SQLHistory
import SendingSupport
import Testing

@testable import SQLQueue

/// A worker of a run in the queue: what it is handed, and where its results go.
final class TrialWorker {
  let session: WorkerSession
  let ledger: WorkerLedger
  private var source: QueuedChunks

  /// - Parameters:
  ///   - path: where its results go to; nil for the trial's own address.
  ///   - waits: whether it waits for a database that is away.
  init(
    _ trial: QueueTrial, _ name: String = "one", at path: String? = nil,
    waits: @escaping (HistoryError, UInt64) -> Bool = { _, _ in true }
  ) throws {
    session = try trial.begin(name)
    source = try trial.source(session)
    ledger = try WorkerLedger(
      session, trial.record, at: path ?? trial.path, pace: .init(batchResults: 100_000),
      waits: waits)
  }

  /// The pushes of the next parts that are to have a result; of all parts that there are.
  func take(parts: Int = .max) -> [Push] {
    var pushes: [Push] = []
    var parts = parts
    while parts > 0, let part = source.next() {
      pushes += part.pushes.filter { part.step(at: $0.index) != .leave }
      parts -= 1
    }
    return pushes
  }

  /// Commits results at once.
  func commit(_ results: [PushResult]) throws {
    try ledger.record(results, now: dawn)
    try ledger.commit()
  }

  func finish() throws {
    try ledger.finish(RunEnding(.finished, recipients: RecipientCounts(), at: dawn))
  }
}

extension QueueTrial {
  /// What the history tells of the queue.
  func standing() throws -> QueueState {
    try #require(try HistoryReader(path).queueStanding(of: run))
  }

  /// Each push has one result at most, and the books are what the results are.
  func expectBooks(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let outcomes = (0...5).map { "count(*) FILTER (WHERE outcome = \($0))" }
    let found = try rows(
      "SELECT \(outcomes.joined(separator: ", ")) FROM pushes", in: path)
    #expect(
      try rows("SELECT \(Self.counters) FROM progress", in: path) == found,
      sourceLocation: sourceLocation)
    let twice = "SELECT id FROM pushes GROUP BY id HAVING count(*) > 1"
    #expect(try rows(twice, in: path).isEmpty, sourceLocation: sourceLocation)
  }

  private static let counters =
    "accepted, rejected, skipped, deferred, unknown, not_attempted"

  /// What each session has brought: accepted, rejected, skipped, deferred, unknown, not attempted.
  func brought() throws -> [String] {
    try rows("SELECT \(Self.counters) FROM workers ORDER BY id", in: path)
  }

  /// How the run stands, and whether the index of its device tokens is there.
  func state() throws -> String {
    try rows("SELECT state, is_indexed FROM runs JOIN progress ON run = id", in: path)[0]
  }

  /// Results beside those that count: the push, the worker and the outcome.
  func others() throws -> [String] {
    try rows(
      "SELECT id & 65535, worker, outcome FROM other_results ORDER BY id, outcome", in: path)
  }
}
