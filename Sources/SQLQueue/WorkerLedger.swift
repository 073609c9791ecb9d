public import PushModel
public import SQLHistory

/// The history of a run of the queue, while a worker's session sends a part of it.
///
/// What the queue's source hands out is claimed and marked already. When the database is away, results
/// wait here and the ledger does not fail: it tries again a second later. The results of a session
/// that was taken for dead are kept as well, beside those that others have brought meanwhile.
public final class WorkerLedger: ResultLedger {
  /// The most results that wait for a database that is away.
  static let mostWaiting = 200_000

  /// About so many results are committed at a time.
  private static let mostAtOnce = 20_000

  /// How long to wait before the database is tried again, in nanoseconds.
  private static let retryInterval: UInt64 = 1_000_000_000

  /// The number of the run.
  public let run: RunNumber

  /// What is kept of the run.
  public let record: RunRecord

  /// Why nothing is committed any more; nil while all is well, and while the database is away.
  public private(set) var failure: HistoryError?

  /// How many of the results that were handed in are committed, in the order they came.
  public private(set) var committed = 0

  /// What the committed results of this session are.
  public private(set) var tally = OutcomeTally()

  /// When the first of the pushes is due that this session has left, in milliseconds since 1970 UTC by
  /// the server's clock; nil when there is none.
  public private(set) var nextDue: Int64?

  /// When the database is tried again, in nanoseconds of the session's monotonic clock; nil when it did
  /// not fail the last time.
  private(set) var retryAt: UInt64?

  private let session: WorkerSession
  private let database: Database
  private let pace: SQLLedger.Pace
  private var writer: WorkerWriter
  private var pending: [WorkerWriter.Batch] = []
  private var pendingCount = 0
  /// How many commits of the session are known to have taken effect.
  private var commits: Int64
  /// The commit that was tried when the connection was lost.
  private var unanswered: Attempt?
  /// Whether this session finished the run's last chunk.
  private var hasEndedRun = false
  /// Why the database could not be used the last time, and since when it cannot.
  private var absence: (error: HistoryError, since: UInt64)?
  private let waits: (HistoryError, UInt64) -> Bool

  /// What a commit writes, and what is so once it has taken effect.
  private struct Attempt {
    var tally = OutcomeTally()
    /// How many of those that wait.
    var batches = 0
    var results = 0
    var outcomes = WorkerWriter.Outcomes()
  }

  /// Opens the history for a session's results.
  ///
  /// - Parameters:
  ///   - session: a worker's time on the run.
  ///   - record: what is kept of the run.
  ///   - location: the history's address.
  ///   - pace: how often to commit.
  ///   - waits: whether to wait further for a database that has been away for so many nanoseconds.
  ///     Otherwise the ledger fails.
  public init(
    _ session: WorkerSession, _ record: RunRecord, at location: String,
    pace: SQLLedger.Pace = SQLLedger.Pace(),
    waits: @escaping (_ error: HistoryError, _ nanoseconds: UInt64) -> Bool = { _, _ in true }
  ) throws(HistoryError) {
    let database = try Database.openExisting(location, busyMilliseconds: pace.busyMilliseconds)
    let writer = try WorkerWriter(session, record, on: database)
    commits = try database.commits(of: session)
    run = session.run
    self.session = session
    self.record = record
    self.database = database
    self.writer = writer
    (self.pace, self.waits) = (pace, waits)
  }

  /// How many results wait to be committed.
  public var uncommitted: Int { pendingCount }

  /// The time at which results have to be committed, at the latest: not before the database is tried
  /// again.
  public func commitTime(ofResultsSince since: UInt64) -> UInt64 {
    max(since + UInt64(pace.batchMilliseconds) * 1_000_000, retryAt ?? 0)
  }

  /// From now on keeps, with each result, the payload that the row made of the template.
  public func keepPayloads() throws(HistoryError) { try writer.keepPayloads(in: database) }

  /// Takes results, and commits all that wait when they are many.
  ///
  /// - Throws: `HistoryError`; the results are kept even then. A database that is away is a reason only
  ///   when too many wait for it.
  public func record(_ results: [PushResult], now: Int64) throws(HistoryError) {
    pending.append(
      WorkerWriter.Batch(results: results, time: now, since: session.clock.monotonic()))
    pendingCount += results.count
    if let failure { throw failure }
    if pendingCount >= pace.batchResults { try commit() }
    if let absence, pendingCount > Self.mostWaiting {
      failure = absence.error
      throw absence.error
    }
  }

  /// Commits everything that waits, unless the database is away: then it waits further.
  public func commit() throws(HistoryError) {
    if let failure { throw failure }
    if let retryAt, retryAt > now { return }
    do throws(HistoryError) {
      try commitAll()
    } catch {
      if failure != nil { throw error }
    }
  }

  /// Commits what waits, and gives back whatever the session has and has not finished, for others to
  /// take at once. Whoever finishes the run's last chunk ends the run, and makes the index of its device
  /// tokens here; how the run itself ends is not a worker's to say.
  ///
  /// - Throws: `HistoryError`, also when the database has been away for too long. The results are kept.
  public func finish(_ ending: RunEnding) throws(HistoryError) {
    while true {
      do throws(HistoryError) {
        return try finish()
      } catch {
        if failure != nil || retryAt == nil { throw error }
        session.clock.pause(Int(Self.retryInterval / 1_000_000))
      }
    }
  }

  private func finish() throws(HistoryError) {
    if let failure { throw failure }
    try commitAll()
    try trying { () throws(HistoryError) in
      try write(isLast: true)
      if hasEndedRun { try TokenIndex(of: run).build(in: database) }
    }
    hasEndedRun = false
  }

  /// Tries once more after a failure, over a new connection when that was lost.
  public func retry() throws(HistoryError) {
    let before = failure
    failure = nil
    do throws(HistoryError) {
      try commitAll()
    } catch {
      failure = failure ?? before
      throw error
    }
  }

  /// Hands the results out that could not be committed, to be saved elsewhere.
  public func takeUncommitted() -> [PushResult] {
    defer { (pending, pendingCount, unanswered) = ([], 0, nil) }
    return pending.flatMap(\.results)
  }
}

extension WorkerLedger {
  private var now: UInt64 { session.clock.monotonic() }

  private func commitAll() throws(HistoryError) {
    try trying { () throws(HistoryError) in
      while pendingCount > 0 || !session.chunks.complete.isEmpty { try write(isLast: false) }
    }
  }

  /// Does something with the database, over a new connection when it was lost. What may pass is tried
  /// again later, unless that has lasted too long; everything else is a failure.
  private func trying(_ body: () throws(HistoryError) -> Void) throws(HistoryError) {
    do throws(HistoryError) {
      try database.driver.reconnect()
      try settleUnanswered()
      try body()
    } catch {
      let since = absence?.since ?? now
      if error.mayPass, waits(error, now - since) {
        (retryAt, absence) = (now + Self.retryInterval, (error, since))
      } else {
        failure = error
      }
      throw error
    }
    (retryAt, absence) = (nil, nil)
  }

  /// Commits the first of those that wait.
  private func write(isLast: Bool) throws(HistoryError) {
    var attempt = nextAttempt
    let own = attempt.tally
    do throws(HistoryError) {
      try database.transaction { () throws(HistoryError) in
        attempt.outcomes = try writer.write(
          pending[..<attempt.batches], own, now: now, isLast: isLast, in: database)
      }
    } catch {
      writer.forget()
      if case .connectionLost = error { unanswered = attempt }
      throw error
    }
    settle(attempt)
  }

  private var nextAttempt: Attempt {
    var attempt = Attempt()
    for batch in pending {
      for result in batch.results { attempt.tally.add(to: result.outcome) }
      attempt.batches += 1
      attempt.results += batch.results.count
      if attempt.results >= Self.mostAtOnce { break }
    }
    return attempt
  }

  /// Finds out whether the commit took effect whose answer was lost. It waits for the server to end
  /// what it may still be doing for the lost connection.
  private func settleUnanswered() throws(HistoryError) {
    guard let attempt = unanswered else { return }
    if try database.commits(of: session) > commits { settle(attempt) }
    unanswered = nil
  }

  private func settle(_ attempt: Attempt) {
    commits += 1
    committed += attempt.results
    pending.removeFirst(attempt.batches)
    pendingCount -= attempt.results
    for outcome in Outcome.allCases { tally.add(attempt.tally[outcome], to: outcome) }
    let outcomes = attempt.outcomes
    if outcomes.isLost { session.lose() }
    if outcomes.isLost {
      session.chunks.removeAll()
    } else {
      session.chunks.settle(outcomes.chunks)
    }
    nextDue = [nextDue, outcomes.nextDue].compactMap(\.self).min()
    hasEndedRun = hasEndedRun || outcomes.endsRun
  }
}

extension Database {
  /// How many commits of a session's results have taken effect. The lock on its row is the one that a
  /// commit holds.
  fileprivate func commits(of session: WorkerSession) throws(HistoryError) -> Int64 {
    let statement = try Statement(
      "SELECT commits FROM workers WHERE id = ? FOR UPDATE", on: self)
    statement.bind(session.number, at: 1)
    guard try statement.step() else { throw HistoryError.noSuchRun(session.run) }
    defer { statement.reset() }
    return statement.int64(0)
  }
}
