internal import PushModel

/// The progress of a run, stored with every commit.
struct RunProgress {
  /// Pushes up to this one were claimed by any pass.
  var claimed: UInt64
  /// Pushes up to this one were claimed by the last pass.
  var passClaimed: UInt64
  /// The number of the last push; nil if the lists were not read to their end.
  var last: UInt64?
  /// The number of results by outcome.
  var tally: OutcomeTally
  /// The counts of list lines, as far as any pass has read them.
  var recipients: RecipientCounts

  /// Writes the progress of one run repeatedly.
  struct Writer: ~Copyable {
    private let statement: Statement

    init(_ run: RunNumber, on database: borrowing Database) throws(HistoryError) {
      statement = try Statement(
        """
        UPDATE progress SET claimed = ?, pass_claimed = ?, last = ?, accepted = ?, rejected = ?,
          skipped = ?, deferred = ?, unknown = ?, not_attempted = ?, lines = ?, bad_lines = ?,
          duplicates = ?, suppressed = ?, other_shards = ?, stamp = ? WHERE run = \(run)
        """, on: database)
    }

    /// Writes the progress, within the caller's transaction.
    func write(_ progress: RunProgress, stamp: Int64) throws(HistoryError) {
      statement.bind(Int64(progress.claimed), at: 1)
      statement.bind(Int64(progress.passClaimed), at: 2)
      statement.bind(progress.last.map { Int64($0) }, at: 3)
      statement.bind(progress.tally, from: 4)
      statement.bind(progress.recipients, from: 10)
      statement.bind(stamp, at: 15)
      try statement.run()
    }
  }
}

/// The progress of a run, as its last pass left it.
struct StoredProgress {
  /// The last push that may have been sent, or was claimed and may not exist.
  private(set) var claimed: Int
  let last: Int?
  let wasFinished: Bool
  let recipients: RecipientCounts
  /// The pushes that the last pass may have sent again.
  let claimedAgain: ReclaimedPushes
  /// The notes of the last pass; nil if this machine has none.
  let notes: SentNotes?

  /// The last existing push that may have been sent.
  var end: Int { min(claimed, last ?? claimed) }

  /// Reads the progress of a run. Pushes that were claimed ahead and not sent do not count as
  /// claimed.
  init(
    of run: RunNumber, _ record: RunRecord, in database: borrowing Database
  ) throws(HistoryError) {
    let row = try Statement(
      """
      SELECT claimed, pass, pass_claimed, pass_due, last, state, lines, bad_lines, duplicates,
        suppressed, other_shards, state <> 'finished' OR deferred + not_attempted + accepted > 0
        FROM progress JOIN runs ON runs.id = run WHERE run = ?
      """, on: database)
    row.bind(run.rawValue, at: 1)
    guard try row.step() else { throw row.corrupt }
    defer { row.reset() }
    let pass = Int64(try row.count(1))
    notes = SentNotes.find(run, record.identity, pass: pass, beside: database.driver.file)
    claimed = min(try row.count(0), notes.map { Int(clamping: $0.mark) } ?? .max)
    (last, wasFinished) = (try row.optionalCount(4), row.text(5) == RunState.finished.rawValue)
    recipients = try RecipientCounts(row: row, from: 6)
    claimedAgain = ReclaimedPushes(
      pass: pass, lastRow: run.row(of: UInt64(min(try row.count(2), claimed))),
      due: try row.horizon(3).subtractingKeepingMaximum(record.started),
      takesRefused: row.int64(11) != 0)
  }
}

extension Statement {
  /// A time, or "at any time".
  fileprivate func horizon(_ column: Int32) throws(HistoryError) -> Int64 {
    int64(column) == .max ? .max : try time(column)
  }
}

extension RunEnding {
  /// Writes a run's ending, within the caller's transaction.
  func write(of run: RunNumber, to database: borrowing Database) throws(HistoryError) {
    let statement = try Statement(
      "UPDATE runs SET state = ?, finished = ? WHERE id = ?", on: database)
    statement.bind(state.rawValue, at: 1)
    statement.bind(at, at: 2)
    statement.bind(run.rawValue, at: 3)
    try statement.run()
    try figures?.write(of: run, to: database)
    try writeReasons(of: run, to: database)
    try writeAnswers(of: run, to: database)
  }

  /// Writes the reasons, in place of those of an earlier pass.
  private func writeReasons(
    of run: RunNumber, to database: borrowing Database
  ) throws(HistoryError) {
    if figures?.pass == 1, reasons.isEmpty { return }
    try database.execute("DELETE FROM refusals WHERE run = \(run)")
    let insertion = try Statement("INSERT INTO refusals VALUES (\(run), ?, ?)", on: database)
    for reason in reasons {
      insertion.bind(reason.name, at: 1)
      insertion.bind(reason.count, at: 2)
      try insertion.run()
    }
  }

  private func writeAnswers(
    of run: RunNumber, to database: borrowing Database
  ) throws(HistoryError) {
    if figures?.pass == 1, asked.isEmpty { return }
    try database.execute("DELETE FROM answers WHERE run = \(run)")
    let insertion = try Statement(
      "INSERT INTO answers VALUES (\(run), ?, ?, ?, ?)", on: database)
    for (place, answer) in asked.enumerated() {
      insertion.bind(place, at: 1)
      insertion.bind(answer.environment, at: 2)
      insertion.bind(answer.status, at: 3)
      insertion.bind(answer.reason, at: 4)
      try insertion.run()
    }
  }
}

/// The condition that a run has something left to do for `resume` or for workers, now or later.
enum UnfinishedRuns {
  /// The SQL condition over `runs` joined with `progress`. Unknown results count if
  /// ``RunRecord/resendsUnknown(at:)`` is true, and pushes that were rejected for the credentials
  /// while others were accepted.
  ///
  /// - Parameter now: the time in milliseconds since 1970 UTC.
  static func condition(at now: Int64) -> String {
    """
    (state <> 'finished' OR deferred > 0 OR not_attempted > 0
      OR (unknown > 0 AND at_most_once = 0 OR accepted > 0 AND \(areRefused))
        AND (coalesce(expiration, 0) <= 0 OR expiration > \(now / 1000)))
    """
  }

  private static let areRefused = """
    rejected > 0 AND EXISTS (SELECT 1 FROM refusals WHERE refusals.run = runs.id
      AND reason IN (\(ReasonCount.ofRefusedCredentials.map { "'\($0)'" }.joined(separator: ", "))))
    """

  /// The same as ``condition(at:)``, without the runs that workers send.
  static func resumable(at now: Int64, in database: borrowing Database) -> String {
    let queue = database.dialect.hasQueue ? " AND runs.id NOT IN (SELECT run FROM queued_runs)" : ""
    return condition(at: now) + queue
  }
}

extension Database {
  /// Finds out from its counts whether anything is left of a run, whose results may be millions.
  ///
  /// - Throws: `HistoryError.nothingToResume`.
  func refuseEnded(_ run: RunNumber, at now: Int64) throws(HistoryError) {
    let ended = try number(
      """
      SELECT count(*) FROM runs JOIN progress ON progress.run = runs.id
        WHERE runs.id = \(run) AND NOT \(UnfinishedRuns.condition(at: now))
      """)
    if ended > 0 { throw .nothingToResume(run) }
  }

  /// - Throws: `HistoryError.inQueue` for a run that workers send.
  func refuseQueued(_ run: RunNumber) throws(HistoryError) {
    let state = try text("SELECT state FROM runs WHERE id = \(run)")
    if state.flatMap({ RunState(rawValue: $0) })?.isInQueue == true { throw .inQueue(run) }
  }
}
