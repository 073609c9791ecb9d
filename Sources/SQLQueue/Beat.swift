internal import PushModel
internal import SQLHistory

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
