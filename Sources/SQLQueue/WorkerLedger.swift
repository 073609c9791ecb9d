public import PushModel
public import SQLHistory

/// The ledger of a run in the queue, while a worker's session sends a part of it.
///
/// Pushes from the queue's source are already claimed and marked. While the database is away,
/// results wait here, and the ledger does not fail but tries again every second. The results of a
/// session that was taken for dead are kept as well, besides those that others have written
/// meanwhile.
public final class WorkerLedger: ResultLedger {
  /// The maximum number of results that wait while the database is away.
  static let mostWaiting = 200_000

  /// The approximate number of results committed at a time.
  private static let mostAtOnce = 20_000

  /// The wait before the database is tried again, in nanoseconds.
  private static let retryInterval: UInt64 = 1_000_000_000

  /// The number of the run.
  public let run: RunNumber

  /// The stored properties of the run.
  public let record: RunRecord

  /// The failure that ended commits; nil if there was none, also while the database is away.
  public private(set) var failure: HistoryError?

  /// The number of committed results, in the order they were recorded.
  public var committed: Int { outbox.committed }

  /// The committed results of this session by outcome.
  public private(set) var tally = OutcomeTally()

  /// The time at which the first push that this session left is due, in milliseconds since 1970 UTC
  /// by the server's clock; nil if there is none.
  public private(set) var nextDue: Int64?

  /// The time at which the database is tried again, in nanoseconds of the session's monotonic
  /// clock; nil if it did not fail the last time.
  private(set) var retryAt: UInt64?

  private let session: WorkerSession
  private let database: Database
  private let pace: SQLLedger.Pace
  private var writer: WorkerWriter
  private var outbox: PendingCommits<WorkerWriter.Batch, Change>
  /// True if this session finished the run's last chunk.
  private var hasEndedRun = false
  /// The last error of a database that is away, and the time since when it is.
  private var absence: (error: HistoryError, since: UInt64)?
  private let waits: (HistoryError, UInt64) -> Bool

  /// The effects of a commit.
  private struct Change {
    var tally: OutcomeTally
    var outcomes: WorkerWriter.Outcomes
  }

  /// Opens the history for a session's results.
  ///
  /// - Parameters:
  ///   - session: a worker's time on the run.
  ///   - record: the stored properties of the run.
  ///   - location: the history's address.
  ///   - pace: the frequency of commits.
  ///   - waits: returns true to keep waiting for a database that has been away for the given
  ///     nanoseconds. Otherwise the ledger fails.
  public init(
    _ session: WorkerSession, _ record: RunRecord, at location: String,
    pace: SQLLedger.Pace = SQLLedger.Pace(),
    waits: @escaping (_ error: HistoryError, _ nanoseconds: UInt64) -> Bool = { _, _ in true }
  ) throws(HistoryError) {
    let database = try Database.openExisting(location, busyMilliseconds: pace.busyMilliseconds)
    database.driver.giveUp(when: session.clock.isOver)
    let writer = try WorkerWriter(session, record, on: database)
    // Waits until the server has ended the work of a lost connection.
    outbox = try PendingCommits(
      of: session.run, continuing: "workers WHERE id = \(session.number) FOR UPDATE", in: database)
    run = session.run
    self.session = session
    self.record = record
    self.database = database
    self.writer = writer
    (self.pace, self.waits) = (pace, waits)
  }

  /// The number of results that are not committed yet.
  public var uncommitted: Int { outbox.size }

  /// The latest time at which results must be committed: not before the database is tried again.
  public func commitTime(ofResultsSince since: UInt64) -> UInt64 {
    max(since + UInt64(pace.batchMilliseconds) * 1_000_000, retryAt ?? 0)
  }

  /// Stores, with each further result, the payload rendered for the recipient.
  public func keepPayloads() throws(HistoryError) { try writer.keepPayloads(in: database) }

  /// Takes results, and commits all pending ones once they are many.
  ///
  /// - Throws: `HistoryError`; the results are kept nevertheless. A database that is away is an
  ///   error only if too many results wait.
  public func record(_ results: PushResults, now: Int64) throws(HistoryError) {
    outbox.add(
      WorkerWriter.Batch(results: results, time: now, since: session.clock.monotonic()),
      size: results.count)
    if let failure { throw failure }
    if uncommitted >= pace.batchResults { try commit() }
    if let absence, uncommitted > Self.mostWaiting {
      failure = absence.error
      throw absence.error
    }
  }

  /// Commits everything pending, unless the database is away.
  public func commit() throws(HistoryError) {
    if let failure { throw failure }
    if let retryAt, retryAt > now { return }
    do throws(HistoryError) {
      try commitAll()
    } catch {
      if failure != nil { throw error }
    }
  }

  /// Commits everything pending, and returns the unfinished chunks of the session, which others can
  /// take at once. The worker that finishes the run's last chunk ends the run, and creates the
  /// index of its device tokens here. A worker does not decide how the run itself ends.
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
    if hasEndedRun { for name in SentFileName.ofSessions(run, record.identity) { name.remove() } }
    sentFile?.remove()
    hasEndedRun = false
  }

  /// Retries after a failure, over a new connection if the old one was lost.
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

  /// Takes the results that could not be committed, to be saved elsewhere.
  public func takeUncommitted() -> [PushResult] {
    outbox.takeAll().flatMap(\.results)
  }

  /// Keeps notes in a `SentFile` of the session, for the workers of this machine.
  public func keepNotes() -> (any RunNotes)? { sentFile.map { SentFile($0) } }

  private var sentFile: SentFileName? {
    SentFileName(run, record.identity, session: session.number)
  }
}

extension WorkerLedger {
  private var now: UInt64 { session.clock.monotonic() }

  private func commitAll() throws(HistoryError) {
    try trying { () throws(HistoryError) in
      while uncommitted > 0 || !session.chunks.complete.isEmpty { try write(isLast: false) }
    }
  }

  /// Uses the database, over a new connection if the old one was lost. Temporary errors are retried
  /// later, unless they last too long; all others make the ledger fail.
  private func trying(_ body: () throws(HistoryError) -> Void) throws(HistoryError) {
    do throws(HistoryError) {
      if let change = try outbox.reconnect(renewing: nil, in: database) { apply(change) }
      try body()
    } catch {
      let since = absence?.since ?? now
      if error.mayPassInRun, waits(error, now - since) {
        (retryAt, absence) = (now + Self.retryInterval, (error, since))
      } else {
        failure = error
      }
      throw error
    }
    (retryAt, absence) = (nil, nil)
  }

  /// Commits the first of the pending results.
  private func write(isLast: Bool) throws(HistoryError) {
    do throws(HistoryError) {
      let change = try outbox.commit(first: nextCount, in: database) {
        (batches, stamp) throws(HistoryError) in
        var tally = OutcomeTally()
        for batch in batches {
          tally.add(batch.results.accepted.count, to: .accepted)
          for result in batch.results.others { tally.add(to: result.outcome) }
        }
        return Change(
          tally: tally,
          outcomes: try writer.write(
            batches, tally, stamp: stamp, now: now, isLast: isLast, in: database))
      }
      apply(change)
    } catch {
      writer.forget()
      throw error
    }
  }

  /// The number of batches in the next commit.
  private var nextCount: Int {
    var (count, results) = (0, 0)
    for batch in outbox.items where results < Self.mostAtOnce {
      (count, results) = (count + 1, results + batch.results.count)
    }
    return count
  }

  private func apply(_ change: Change) {
    for outcome in Outcome.allCases { tally.add(change.tally[outcome], to: outcome) }
    let outcomes = change.outcomes
    if outcomes.isLost {
      session.lose()
      session.chunks.removeAll()
    } else {
      session.chunks.settle(outcomes.chunks)
    }
    nextDue = [nextDue, outcomes.nextDue].compactMap(\.self).min()
    hasEndedRun = hasEndedRun || outcomes.endsRun
  }
}
