internal import APNS
public import History
public import PushModel

/// Reports the events in a history, whichever process writes it, by the numbers of its commits.
/// Belongs to one thread at a time.
///
/// It does not wait: the caller polls as often as it likes. Polling costs next to nothing when
/// nothing has changed.
public final class HistoryFollower {
  /// The progress of a run when it was last seen.
  private struct Position: Equatable {
    var run: RunNumber
    var pass: Int64
    var isRunning: Bool
    var isInQueue: Bool
    /// The row of its last commit.
    var commit: Int64
  }

  private let reader: HistoryReader
  private let filter: HistoryFilter
  private let commits: CommitReader
  private let changes: Statement
  private var change: Int64?
  private var standings: [RunNumber: Position] = [:]
  /// The reported states of workers, by number.
  private var workers: [Int64: WorkerEntry.State] = [:]

  /// Follows runs of a history.
  ///
  /// - Parameter filter: selects runs and their pushes. Its `since`, `until`, `token` and `apnsID`
  ///   only affect the results of ``begin(last:)``.
  init(_ reader: HistoryReader, _ filter: HistoryFilter) throws(HistoryError) {
    commits = try CommitReader(reader)
    changes = try Statement(reader.database.dialect.version, on: reader.database)
    self.reader = reader
    self.filter = filter
  }

  /// Returns true if a run had ended when it was last seen; false if it was never seen.
  public func hasEnded(_ run: RunNumber) -> Bool { standings[run].map { !$0.isRunning } ?? false }

  /// Begins to follow: later looks report only what is added from now on.
  ///
  /// - Returns: at most `count` of the latest results, newest last.
  public func begin(last count: Int) throws(HistoryError) -> [PushEntry] {
    _ = try hasChanged()
    return try reader.database.reading { () throws(HistoryError) in
      for standing in try currentStandings() {
        standings[standing.run] = standing
        if standing.isInQueue { try tellWorkers(of: standing.run) { _ in } }
      }
      return try newest(count)
    }
  }

  /// Reports what has happened since the last look.
  public func look(_ body: (HistoryEvent) -> Void) throws(HistoryError) {
    guard try hasChanged() else { return }
    for standing in try currentStandings() {
      if standing != standings[standing.run] {
        try tell(standing, standings[standing.run], body)
      } else if standing.isInQueue {
        try tellWorkers(of: standing.run, body)
      }
      standings[standing.run] = standing
    }
  }

  private func hasChanged() throws(HistoryError) -> Bool {
    guard try changes.step() else { return true }
    defer { changes.reset() }
    defer { change = changes.int64(0) }
    return change != changes.int64(0)
  }

  private func newest(_ count: Int) throws(HistoryError) -> [PushEntry] {
    var pushes: [PushEntry] = []
    guard count > 0 else { return [] }
    try reader.forEachPush(filter) { push in
      pushes.append(push)
      return pushes.count < count
    }
    return pushes.reversed()
  }
}

extension HistoryFollower {
  private func currentStandings() throws(HistoryError) -> [Position] {
    var filter = filter
    (filter.outcomes, filter.reasons, filter.since, filter.until) = ([], [], nil, nil)
    let condition = RunCondition(filter)
    let statement = try Statement(
      """
      SELECT runs.id, pass, CASE WHEN \(reader.database.dialect.isGoingOn) THEN 1 ELSE 0 END,
        CASE WHEN state IN ('enqueuing', 'enqueued') THEN 1 ELSE 0 END,
        (SELECT max(id) FROM commits WHERE id BETWEEN \(RunNumber.rowsOfRun))
        FROM runs JOIN progress ON progress.run = runs.id \(reader.database.dialect.joinedQueue)
        WHERE \(condition.sql) ORDER BY runs.id
      """, on: reader.database)
    condition.bind(to: statement, from: 1)
    var standings: [Position] = []
    while try statement.step() {
      let run = try RunNumber(row: statement)
      standings.append(
        Position(
          run: run, pass: statement.int64(1), isRunning: statement.int64(2) != 0,
          isInQueue: statement.int64(3) != 0,
          commit: statement.optionalInt64(4) ?? run.rows.lowerBound))
    }
    return standings
  }

  /// Reports a run that is under way, or was since it was last seen.
  private func tell(
    _ standing: Position, _ last: Position?, _ body: (HistoryEvent) -> Void
  ) throws(HistoryError) {
    // A run that was removed meanwhile is not reported.
    guard let context = try reader.context(of: standing.run),
      let entry = try reader.run(standing.run)
    else {
      return
    }
    if last == nil { body(.began(entry)) }
    var pass = last?.pass ?? standing.pass
    try commits.forEachCommit(
      of: context, after: last?.commit ?? standing.run.rows.lowerBound, upTo: standing.commit
    ) { commit in
      if commit.pass > pass {
        pass = standing.pass
        body(.began(entry))
      }
      for push in commit.pushes where filter.takes(push) { body(.push(push)) }
    }
    if pass < standing.pass { body(.began(entry)) }
    if standing.isInQueue || last?.isInQueue == true {
      try tellWorkers(of: standing.run, body)
    }
    // Results of pushes in flight arrive after a run was stopped, which is reported once.
    if !standing.isRunning, last?.isRunning != false || !standing.isInQueue { body(.ended(entry)) }
  }

  /// Reports the workers of a run that have started, ended or been lost since.
  private func tellWorkers(
    of run: RunNumber, _ body: (HistoryEvent) -> Void
  ) throws(HistoryError) {
    for worker in try WorkerEntry.all(of: run, in: reader.database)
    where workers[worker.number] != worker.state {
      workers[worker.number] = worker.state
      body(.worker(worker))
    }
  }
}

extension HistoryFilter {
  /// Returns true if the filter matches a push of a run that it matches.
  fileprivate func takes(_ push: PushEntry) -> Bool {
    let reason = push.response?.reason?.rawValue.lowercased()
    return (outcomes.isEmpty || outcomes.contains(push.outcome))
      && (reasons.isEmpty || reasons.contains { $0.lowercased() == reason })
  }
}

extension HistoryReader {
  /// Follows events from now on.
  ///
  /// - Parameter filter: the runs and pushes to follow. Its `since`, `until`, `token` and `apnsID`
  ///   apply only to the results of ``HistoryFollower/begin(last:)``.
  public func follower(_ filter: HistoryFilter) throws(HistoryError) -> HistoryFollower {
    try HistoryFollower(self, filter)
  }
}
