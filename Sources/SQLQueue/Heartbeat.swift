internal import POSIX
internal import PushModel
internal import SQLHistory
internal import Synchronization

/// Beats for a session twice a second, in a thread of its own.
public final class Heartbeat: Sendable {
  /// In milliseconds.
  private static let interval = 500
  /// How long to wait before the next attempt when the database is away, in milliseconds.
  private static let retryInterval = 1000

  /// What it does, and with what.
  public struct Work: Sendable {
    /// What the others are to know of this worker's answers.
    public var answers: @Sendable () -> [UInt8]
    /// Takes each beat. It must not stop the heartbeat.
    public var take: @Sendable (Beat) -> Void
    /// Waits so many milliseconds, or until it is woken.
    public var wait: @Sendable (_ milliseconds: Int) -> Void
    /// Ends the wait.
    public var wake: @Sendable () -> Void

    /// The work of a heartbeat.
    public init(
      answers: @escaping @Sendable () -> [UInt8], take: @escaping @Sendable (Beat) -> Void,
      wait: @escaping @Sendable (Int) -> Void, wake: @escaping @Sendable () -> Void
    ) {
      (self.answers, self.take, self.wait, self.wake) = (answers, take, wait, wake)
    }
  }

  private let session: WorkerSession
  private let work: Work
  /// Held while it beats.
  private let isStopped = Mutex(false)

  private init(_ session: WorkerSession, _ work: Work) {
    (self.session, self.work) = (session, work)
  }

  /// Starts a heartbeat; nil when the system has no thread left.
  public static func start(_ session: WorkerSession, _ work: Work) -> Heartbeat? {
    let heartbeat = Heartbeat(session, work)
    return Thread.start { heartbeat.run() } ? heartbeat : nil
  }

  /// Stops it: once this returns, no more beats are taken. It waits for one that is under way.
  public func stop() {
    isStopped.withLock { $0 = true }
    work.wake()
  }

  private func run() {
    while let pause = tick() { work.wait(pause) }
  }

  /// - Returns: how long to wait for the next; nil when it was stopped or the session is lost.
  private func tick() -> Int? {
    isStopped.withLock { isStopped in
      if isStopped { return nil }
      guard let beat = try? session.beat(work.answers()) else { return Self.retryInterval }
      work.take(beat)
      return beat.isLost ? nil : Self.interval
    }
  }
}

/// How a run in the queue stands, as its workers learn it twice a second.
public struct Beat: Sendable, Hashable {
  /// Whether nothing more is to be sent: somebody or a worker's breaker has stopped the run, or it is
  /// not in the history any more.
  public var isStopped = false

  /// Why it is stopped; nil when it was asked for.
  public var stopCause: String?

  /// How many workers send the run, this one included.
  public var liveWorkers = 0

  /// What they tell of their answers, this one included.
  public var answers: [[UInt8]] = []

  /// Whether this worker was taken for dead: it has to begin a new session.
  public var isLost = false

  /// Reads how a run stands for a worker.
  static func read(
    _ run: RunNumber, of worker: Int64, from database: borrowing Database
  ) throws(HistoryError) -> Beat {
    let rows = try Statement(
      """
      SELECT stopped, stop_cause, id = ?2, ended, lease > server_time(), answers
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
      if !rows.isNull(5) { beat.answers.append([UInt8](rows.bytes(5))) }
    }
    return beat
  }
}
