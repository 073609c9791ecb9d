internal import POSIX
public import PushModel
internal import SQLHistory
internal import Synchronization

/// A worker's time on one run of the queue: a row of `workers`, whose lease covers all chunks that it
/// claims. Any thread may use it.
public final class WorkerSession: Sendable {
  /// The number of the session, which is unique among all workers.
  public let number: Int64

  /// The run.
  public let run: RunNumber

  /// The lease under which claimed pushes may be sent.
  public let lease: WorkerLease

  /// The chunks it has claimed and not returned, for its source and its ledger.
  public let chunks = ClaimedChunks()

  let clock: WorkerClock
  private let terms: LeaseTerms
  private let lost = Atomic(false)
  private let live = Atomic(1)
  private let firstFailure = Mutex(HistoryError?.none)
  private let line: Mutex<Line>

  /// The connection to the server, which one thread uses at a time.
  struct Line: ~Copyable {
    let database: Database
    var renewed: UInt64
    /// The statistics on answers in the session's row, for the other workers.
    var answers: [UInt8] = []
  }

  private init(
    number: Int64, run: RunNumber, lease: WorkerLease, terms: LeaseTerms, clock: WorkerClock,
    line: consuming sending Line
  ) {
    (self.number, self.run, self.lease, self.terms) = (number, run, lease, terms)
    self.clock = clock
    self.line = Mutex(line)
  }

  /// Begins a session.
  ///
  /// - Parameters:
  ///   - run: a run in the queue.
  ///   - name: the worker's name for others.
  ///   - version: the version of this tool.
  ///   - leaseMilliseconds: the time that the worker may be silent, at least three times the
  ///     duration of an attempt.
  ///   - timeoutMilliseconds: the maximum duration of an attempt.
  ///   - location: the history's address.
  ///   - clock: the worker's clock.
  /// - Throws: `HistoryError`: among others `noSuchRun` if the run is not in the queue.
  public static func begin(
    _ run: RunNumber, name: String, version: String, leaseMilliseconds: Int = 90_000,
    timeoutMilliseconds: Int, at location: String, clock: WorkerClock
  ) throws(HistoryError) -> WorkerSession {
    let terms = LeaseTerms(milliseconds: leaseMilliseconds, timeout: timeoutMilliseconds)
    let database = try Database.openQueue(location)
    database.driver.giveUp(when: clock.isOver)
    let insertion = try Statement(
      """
      INSERT INTO workers (run, name, version, started, heard, lease)
        SELECT run, ?1, ?2, server_time(), server_time(), server_time() + ?3
          FROM queued_runs WHERE run = ?4
        RETURNING id
      """, on: database)
    insertion.bind(name, at: 1)
    insertion.bind(version, at: 2)
    insertion.bind(terms.milliseconds, at: 3)
    insertion.bind(run.rawValue, at: 4)
    // Read before the request: the server's count starts later, so that ours ends earlier.
    let start = clock.monotonic()
    guard try insertion.step() else { throw HistoryError.noSuchRun(run) }
    return WorkerSession(
      number: insertion.int64(0), run: run, lease: WorkerLease(until: terms.deadline(from: start)),
      terms: terms, clock: clock, line: Line(database: database, renewed: start))
  }

  /// True if others may have its chunks by now. A lost session stays lost: the worker begins
  /// another one.
  public var isLost: Bool { lost.load(ordering: .acquiring) }

  /// The error that stops it, other than a database that is away; nil if there is none.
  public var failure: HistoryError? { firstFailure.withLock { $0 } }

  /// The number of workers on the run, as far as known; at least 1.
  package var liveWorkers: Int { live.load(ordering: .relaxed) }

  /// Stops sending under its claims for good.
  func lose() {
    lease.end()
    lost.store(true, ordering: .releasing)
  }

  /// Records the error that stops it.
  func fail(_ error: HistoryError) { firstFailure.withLock { $0 = $0 ?? error } }

  /// Exchanges states with the other workers. It also renews the lease when that is due, and
  /// reconnects after the connection was lost.
  ///
  /// - Parameter answers: the statistics on this worker's answers, for the others.
  /// - Throws: `HistoryError`. The lease then expires by itself, unless a later beat renews it.
  public func beat(_ answers: [UInt8] = []) throws(HistoryError) -> Beat {
    let beat = try onLine { line throws(HistoryError) in
      if !isLost { try write(answers, &line) }
      var beat = try Beat.read(run, of: number, from: line.database)
      if beat.isLost { lose() }
      beat.isLost = isLost
      return beat
    }
    live.store(max(1, beat.liveWorkers), ordering: .relaxed)
    return beat
  }

  private func write(_ answers: [UInt8], _ line: inout Line) throws(HistoryError) {
    let now = clock.monotonic()
    if now >= line.renewed + terms.renewal {
      try renew(answers, &line, now: now)
    } else if answers != line.answers {
      try line.database.write(answers, of: number)
      line.answers = answers
    }
  }

  /// Renews the lease. The lock on the row serializes this with other workers' ending of the
  /// session: whichever comes second checks its conditions again at that time.
  private func renew(
    _ answers: [UInt8], _ line: inout Line, now: UInt64
  ) throws(HistoryError) {
    let statement = try Statement(
      """
      UPDATE workers SET lease = server_time() + ?1, heard = server_time(), answers = ?2
        WHERE id = ?3 AND \(Dialect.hasLiveLease)
      """, on: line.database)
    statement.bind(terms.milliseconds, at: 1)
    statement.bind(answers, at: 2)
    statement.bind(number, at: 3)
    try statement.run()
    guard line.database.changes == 1 else { return lose() }
    lease.renew(until: terms.deadline(from: now))
    (line.renewed, line.answers) = (now, answers)
    try line.database.buryLostWorkers(of: run)
  }

  /// Ends the session. Its unfinished chunks are free for others at once. All pushes in flight must
  /// be answered and recorded by then.
  public func end() throws(HistoryError) {
    lease.end()
    try onLine { line throws(HistoryError) in
      // Every process that ends a session locks its row first, so that the session cannot claim
      // chunks meanwhile.
      try line.database.transaction { () throws(HistoryError) in
        try line.database.execute(
          """
          UPDATE workers SET ended = server_time() WHERE id = \(number) AND ended IS NULL;
          UPDATE chunks SET worker = NULL WHERE worker = \(number)
          """)
      }
    }
  }

  /// Uses the connection, or a new one if it was lost.
  func onLine<Result: Sendable>(
    _ body: @Sendable (inout Line) throws(HistoryError) -> Result
  ) throws(HistoryError) -> Result {
    let result = line.withLock { line -> Swift.Result<Result, HistoryError> in
      do throws(HistoryError) {
        try line.database.driver.reconnect()
        return .success(try body(&line))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}

/// The clock of a worker.
public struct WorkerClock: Sendable {
  /// Nanoseconds since some moment. It never goes back, and continues while the machine sleeps.
  public var monotonic: @Sendable () -> UInt64

  /// Waits at most the given time.
  public var pause: @Sendable (_ milliseconds: Int) -> Void

  /// Returns true once the worker may not wait for the database any longer.
  public var isOver: @Sendable () -> Bool

  /// Creates a clock; by default the worker may wait for ever.
  public init(
    monotonic: @escaping @Sendable () -> UInt64, pause: @escaping @Sendable (Int) -> Void,
    isOver: @escaping @Sendable () -> Bool = { false }
  ) {
    self.monotonic = monotonic
    self.pause = pause
    self.isOver = isOver
  }
}

extension Database {
  fileprivate func write(_ answers: [UInt8], of number: Int64) throws(HistoryError) {
    let statement = try Statement(
      "UPDATE workers SET answers = ?1 WHERE id = ?2 AND ended IS NULL", on: self)
    statement.bind(answers, at: 1)
    statement.bind(number, at: 2)
    try statement.run()
  }
}
