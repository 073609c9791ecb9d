internal import PushModel

/// Whether a run has something left that `resume`, or workers would do, now or later.
enum Unfinished {
  /// In SQL, over `runs` joined with `progress`. What is unknown counts as
  /// ``RunRecord/resendsUnknown(at:)`` says.
  ///
  /// - Parameter now: in milliseconds since 1970 UTC.
  static func condition(at now: Int64) -> String {
    """
    (state <> 'finished' OR deferred > 0 OR not_attempted > 0
      OR unknown > 0 AND at_most_once = 0
        AND (coalesce(expiration, 0) <= 0 OR expiration > \(now / 1000)))
    """
  }

  /// As ``condition(at:)``, without the runs that are workers' to send.
  static func resumable(at now: Int64, in database: borrowing Database) -> String {
    let queue = database.dialect.hasQueue ? " AND runs.id NOT IN (SELECT run FROM queued_runs)" : ""
    return condition(at: now) + queue
  }
}

extension Database {
  /// - Throws: `HistoryError.inQueue` for a run that workers send.
  func refuseQueued(_ run: RunNumber) throws(HistoryError) {
    let state = try text("SELECT state FROM runs WHERE id = \(run)")
    if state.flatMap({ RunState(rawValue: $0) })?.isInQueue == true { throw .inQueue(run) }
  }
}
