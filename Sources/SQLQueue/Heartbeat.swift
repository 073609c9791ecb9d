internal import POSIX
internal import PushModel
internal import SQLHistory
internal import Synchronization

/// The heartbeat of a session, twice a second in a separate thread.
public final class Heartbeat: Sendable {
  /// The time between beats, in milliseconds.
  private static let interval = 500
  /// The wait before the next attempt while the database is away, in milliseconds.
  private static let retryInterval = 1000

  /// The functions that a heartbeat calls.
  public struct Duties: Sendable {
    /// Returns the statistics on this worker's answers, for the other workers.
    public var answers: @Sendable () -> [UInt8]
    /// Takes each beat. It must not stop the heartbeat.
    public var take: @Sendable (Beat) -> Void
    /// Waits the given time, or until it is woken.
    public var wait: @Sendable (_ milliseconds: Int) -> Void
    /// Ends the wait.
    public var wake: @Sendable () -> Void

    /// Creates the functions of a heartbeat.
    public init(
      answers: @escaping @Sendable () -> [UInt8], take: @escaping @Sendable (Beat) -> Void,
      wait: @escaping @Sendable (Int) -> Void, wake: @escaping @Sendable () -> Void
    ) {
      (self.answers, self.take, self.wait, self.wake) = (answers, take, wait, wake)
    }
  }

  private let session: WorkerSession
  private let duties: Duties
  /// The flag that ends the heartbeat; locked during a beat.
  private let isStopped = Mutex(false)

  private init(_ session: WorkerSession, _ duties: Duties) {
    (self.session, self.duties) = (session, duties)
  }

  /// Starts a heartbeat; nil if the system has no thread left.
  public static func start(_ session: WorkerSession, _ duties: Duties) -> Heartbeat? {
    let heartbeat = Heartbeat(session, duties)
    return Thread.start { heartbeat.run() } ? heartbeat : nil
  }

  /// Stops the heartbeat, waiting for a beat that is under way. No more beats are taken afterwards.
  public func stop() {
    isStopped.withLock { $0 = true }
    duties.wake()
  }

  private func run() {
    while let pause = tick() { duties.wait(pause) }
  }

  /// - Returns: the wait before the next beat; nil if the heartbeat was stopped or the session is
  ///   lost.
  private func tick() -> Int? {
    isStopped.withLock { isStopped in
      if isStopped { return nil }
      guard let beat = try? session.beat(duties.answers()) else { return Self.retryInterval }
      duties.take(beat)
      return beat.isLost ? nil : Self.interval
    }
  }
}

/// The state of a run in the queue, as its workers learn it twice a second.
public struct Beat: Sendable, Hashable {
  /// True if nothing more may be sent: the run was stopped, by a user or a worker's breaker, or is
  /// no longer in the history.
  public var isStopped = false

  /// The cause of the stop; nil if it was requested.
  public var stopCause: String?

  /// The number of workers on the run, including this one.
  public var liveWorkers = 0

  /// The number of other workers that have something to send; the rest of them wait for it.
  public var otherSenders = 0

  /// Their statistics on answers, including this worker's.
  public var answers: [[UInt8]] = []

  /// True if the run's chunks are claimed before those of other runs.
  public var isUrgent = false

  /// True if no other worker on the run began later.
  public var isLastToJoin = false

  /// The other runs that have chunks to claim.
  public var waiting: [WaitingRun] = []

  /// True if this worker was taken for dead. It must begin a new session.
  public var isLost = false

  /// Reads the state of a run for a worker.
  static func read(
    _ run: RunNumber, of worker: Int64, from database: borrowing Database
  ) throws(HistoryError) -> Beat {
    let rows = try Statement(
      """
      SELECT stopped, stop_cause, id = ?2, ended, lease > server_time(), answers,
          id <> ?2 AND EXISTS (SELECT FROM chunks WHERE worker = workers.id), is_urgent
        FROM queued_runs JOIN workers USING (run)
        WHERE run = ?1 AND (ended IS NULL OR id = ?2) ORDER BY id
      """, on: database)
    rows.bind(run.rawValue, at: 1)
    rows.bind(worker, at: 2)
    var beat = Beat(isStopped: true, isLost: true)
    while try rows.step() {
      (beat.isStopped, beat.stopCause) = (!rows.isNull(0), rows.text(1))
      let isLive = rows.isNull(3) && rows.int64(4) != 0
      beat.isUrgent = rows.int64(7) != 0
      let isOwn = rows.int64(2) != 0
      if isOwn { beat.isLost = !isLive }
      guard isLive else { continue }
      beat.isLastToJoin = isOwn
      beat.liveWorkers += 1
      if rows.int64(6) != 0 { beat.otherSenders += 1 }
      if !rows.isNull(5) { beat.answers.append([UInt8](rows.bytes(5))) }
    }
    rows.reset()
    beat.waiting = try WaitingRun.all(but: run, in: database)
    return beat
  }
}

extension WaitingRun {
  /// Reads the runs that a worker could take up, oldest first.
  fileprivate static func all(
    but run: RunNumber, in database: borrowing Database
  ) throws(HistoryError) -> [Self] {
    let rows = try Statement(
      """
      SELECT runs.id, is_urgent, \(WorkQueue.liveWorkers)
        FROM runs JOIN queued_runs ON run = runs.id
        WHERE runs.id <> ?1 AND \(Dialect.isOpenInQueue) AND \(WorkQueue.hasClaimable)
        ORDER BY runs.id
      """, on: database)
    rows.bind(run.rawValue, at: 1)
    var runs: [Self] = []
    while try rows.step() {
      runs.append(
        Self(
          run: try RunNumber(row: rows), isUrgent: rows.int64(1) != 0, workers: try rows.count(2)))
    }
    return runs
  }
}
