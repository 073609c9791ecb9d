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
  public struct Work: Sendable {
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
  private let work: Work
  /// The flag that ends the heartbeat; locked during a beat.
  private let isStopped = Mutex(false)

  private init(_ session: WorkerSession, _ work: Work) {
    (self.session, self.work) = (session, work)
  }

  /// Starts a heartbeat; nil if the system has no thread left.
  public static func start(_ session: WorkerSession, _ work: Work) -> Heartbeat? {
    let heartbeat = Heartbeat(session, work)
    return Thread.start { heartbeat.run() } ? heartbeat : nil
  }

  /// Stops the heartbeat, waiting for a beat that is under way. No more beats are taken afterwards.
  public func stop() {
    isStopped.withLock { $0 = true }
    work.wake()
  }

  private func run() {
    while let pause = tick() { work.wait(pause) }
  }

  /// - Returns: the wait before the next beat; nil if the heartbeat was stopped or the session is
  ///   lost.
  private func tick() -> Int? {
    isStopped.withLock { isStopped in
      if isStopped { return nil }
      guard let beat = try? session.beat(work.answers()) else { return Self.retryInterval }
      work.take(beat)
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

  /// True if this worker was taken for dead. It must begin a new session.
  public var isLost = false

  /// Reads the state of a run for a worker.
  static func read(
    _ run: RunNumber, of worker: Int64, from database: borrowing Database
  ) throws(HistoryError) -> Beat {
    let rows = try Statement(
      """
      SELECT stopped, stop_cause, id = ?2, ended, lease > server_time(), answers,
          id <> ?2 AND EXISTS (SELECT FROM chunks WHERE worker = workers.id)
        FROM queued_runs JOIN workers USING (run)
        WHERE run = ?1 AND (ended IS NULL OR id = ?2) ORDER BY id
      """, on: database)
    rows.bind(run.rawValue, at: 1)
    rows.bind(worker, at: 2)
    var beat = Beat(isStopped: true, isLost: true)
    while try rows.step() {
      (beat.isStopped, beat.stopCause) = (!rows.isNull(0), rows.text(1))
      let isLive = rows.isNull(3) && rows.int64(4) != 0
      if rows.int64(2) != 0 { beat.isLost = !isLive }
      guard isLive else { continue }
      beat.liveWorkers += 1
      if rows.int64(6) != 0 { beat.otherSenders += 1 }
      if !rows.isNull(5) { beat.answers.append([UInt8](rows.bytes(5))) }
    }
    return beat
  }
}
