internal import POSIX
public import PushModel
internal import SQLHistory
internal import Synchronization

/// A worker's time on one run of the queue: a row of `workers`, whose lease covers all chunks that it
/// claims. Any thread may use it.
public final class WorkerSession: Sendable {
  /// Its number: no other session of any worker has had it.
  public let number: Int64

  /// The run.
  public let run: RunNumber

  /// Until when pushes may be sent that it has claimed.
  public let lease: WorkerLease

  /// What it has claimed and not given back, for its source and its ledger.
  public let chunks = ClaimedChunks()

  let clock: WorkerClock
  private let terms: LeaseTerms
  private let lost = Atomic(false)
  private let live = Atomic(1)
  private let firstFailure = Mutex(HistoryError?.none)
  private let line: Mutex<Line>

  /// Its connection to the server, which one thread uses at a time.
  struct Line: ~Copyable {
    let database: Database
    var renewed: UInt64
    /// What the row of the session has for the others.
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
  ///   - name: what others call the worker.
  ///   - version: the version of this tool.
  ///   - leaseMilliseconds: how long the worker may be silent. It is at least three times as long as an
  ///     attempt takes.
  ///   - timeoutMilliseconds: how long an attempt takes at most.
  ///   - location: the history's address.
  ///   - clock: its time.
  /// - Throws: `HistoryError`: among others `noSuchRun` when the run is not in the queue.
  public static func begin(
    _ run: RunNumber, name: String, version: String, leaseMilliseconds: Int = 90_000,
    timeoutMilliseconds: Int, at location: String, clock: WorkerClock
  ) throws(HistoryError) -> WorkerSession {
    let terms = LeaseTerms(milliseconds: leaseMilliseconds, timeout: timeoutMilliseconds)
    let database = try Database.openQueue(location)
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
    // Before the request: the server's count begins later, so that ours ends earlier.
    let start = clock.monotonic()
    guard try insertion.step() else { throw HistoryError.noSuchRun(run) }
    return WorkerSession(
      number: insertion.int64(0), run: run, lease: WorkerLease(until: terms.deadline(from: start)),
      terms: terms, clock: clock, line: Line(database: database, renewed: start))
  }

  /// Whether it turned out that others may have its chunks by now. It never comes back: the worker
  /// begins another one.
  public var isLost: Bool { lost.load(ordering: .acquiring) }

  /// What keeps it from going on, besides a database that is away; nil while nothing does.
  public var failure: HistoryError? { firstFailure.withLock { $0 } }

  /// How many workers send the run, as far as it knows; at least 1.
  var liveWorkers: Int { live.load(ordering: .relaxed) }

  /// From now on nothing is sent under its claims.
  func lose() {
    lease.end()
    lost.store(true, ordering: .releasing)
  }

  /// It cannot go on.
  func fail(_ error: HistoryError) { firstFailure.withLock { $0 = $0 ?? error } }

  /// Tells the others how it stands and learns how they do; renews the lease when it is time for that,
  /// and connects again when the connection was lost.
  ///
  /// - Parameter answers: what the others are to know of this worker's answers.
  /// - Throws: `HistoryError`; then the lease runs out by itself, unless a later beat renews it.
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

  /// The lock on the row puts renewal and burial in an order: whichever waits for the other looks at the
  /// conditions again, with the time as it is then.
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

  /// Ends it: what it has claimed and not finished is free for others at once. What is in flight has to
  /// be answered and recorded by then.
  public func end() throws(HistoryError) {
    lease.end()
    try onLine { line throws(HistoryError) in
      // The order of all who end a session: its row first, so that no claim of its own comes between.
      try line.database.transaction { () throws(HistoryError) in
        try line.database.execute(
          """
          UPDATE workers SET ended = server_time() WHERE id = \(number) AND ended IS NULL;
          UPDATE chunks SET worker = NULL WHERE worker = \(number)
          """)
      }
    }
  }

  /// Asks the server, over a new connection if the old one was lost.
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

/// The time, as a worker needs it.
public struct WorkerClock: Sendable {
  /// Nanoseconds since some moment; never goes back, and goes on while the machine sleeps.
  public var monotonic: @Sendable () -> UInt64

  /// Waits so many milliseconds, or less long.
  public var pause: @Sendable (_ milliseconds: Int) -> Void

  /// A clock.
  public init(
    monotonic: @escaping @Sendable () -> UInt64, pause: @escaping @Sendable (Int) -> Void
  ) {
    self.monotonic = monotonic
    self.pause = pause
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
