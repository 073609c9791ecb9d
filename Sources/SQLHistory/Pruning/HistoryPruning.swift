internal import POSIX
public import PushModel

/// Removes runs from a history, and gives their space back. It belongs to one thread at a time.
///
/// Others may send meanwhile: it writes in short transactions, with pauses between them.
public final class HistoryPruning {
  /// How many runs are removed in one transaction: each holds a file open.
  private static let runsAtOnce = 64

  private let path: String
  let database: Database

  /// Opens a history that is there.
  ///
  /// - Parameter isDryRun: opens one that cannot be written to as well; then it can only be planned.
  /// - Throws: `HistoryError`, as `HistoryReader` does, and `readOnly`.
  public convenience init(_ path: String, isDryRun: Bool = false) throws(HistoryError) {
    try self.init(
      path, isDryRun: isDryRun, busyMilliseconds: Database.usualBusyMilliseconds)
  }

  /// - Parameter busyMilliseconds: how long to wait for others.
  init(_ path: String, isDryRun: Bool = false, busyMilliseconds: Int) throws(HistoryError) {
    self.path = path
    database =
      isDryRun
      ? try Database.openForReading(path)
      : try Database.openExisting(path, busyMilliseconds: busyMilliseconds)
  }

  /// Finds out what a rule comes to.
  ///
  /// - Parameter now: in milliseconds since 1970 UTC.
  public func plan(_ rule: PruningRule, now: Int64) throws(HistoryError) -> PruningPlan {
    var plan = PruningPlan(now: now, takesUnfinished: rule.takesUnfinished)
    let statement = try Statement(
      """
      SELECT runs.id, accepted + rejected + skipped + deferred + unknown + not_attempted,
        CASE WHEN \(Unfinished.condition(at: now)) THEN 1 ELSE 0 END
        FROM runs JOIN progress ON progress.run = runs.id WHERE \(rule.condition) ORDER BY runs.id
      """, on: database)
    while try statement.step() {
      let run = try RunNumber(row: statement)
      if try database.isBeingSent(run, at: path) {
        plan.beingSent.append(run)
      } else if !rule.takesUnfinished, statement.int64(2) != 0 {
        plan.unfinished.append(run)
      } else {
        plan.runs.append(run)
        plan.pushes += try statement.count(1)
      }
    }
    return plan
  }

  /// Removes the runs of a plan, but for those that are sent by now or could be resumed by now. What
  /// an earlier removal left behind that was killed goes as well.
  ///
  /// - Throws: `HistoryError`: `corrupt` also for rows that are gone, but did not tell how many results
  ///   they had.
  public func remove(_ plan: PruningPlan) throws(HistoryError) -> PruningReport {
    var report = PruningReport(unfinished: plan.unfinished, beingSent: plan.beingSent)
    let size = fileSize
    var rest = plan.runs[...]
    while !rest.isEmpty {
      try forget(rest.prefix(Self.runsAtOnce), plan, &report)
      rest = rest.dropFirst(Self.runsAtOnce)
    }
    var removal = RowRemoval()
    report.pushes = try removal.removeOrphans(from: database)
    if report.pushes > 0 { try WordRemoval(path: path).removeUnused(from: database) }
    let files = try RunFiles(history: path).removeOrphans(in: database)
    report.space = try giveSpaceBack()
    report.bytes = max(0, size - fileSize) + files
    return report
  }

  /// Takes runs out of sight, in one transaction: their rows have no run from then on.
  private func forget(
    _ runs: ArraySlice<RunNumber>, _ plan: PruningPlan, _ report: inout PruningReport
  ) throws(HistoryError) {
    // Nobody begins to resume one of them meanwhile.
    var leases: [(run: RunNumber, lease: any RunLease)] = []
    for run in runs {
      do throws(HistoryError) {
        leases.append((run, try database.driver.takeLease(of: run, at: path)))
      } catch .owned {
        report.beingSent.append(run)
      }
    }
    let removed = try database.transaction { () throws(HistoryError) in
      var removed: [Bool] = []
      for (run, _) in leases { removed.append(try forget(run, plan)) }
      return removed
    }
    report.runs += removed.count { $0 }
    report.unfinished += zip(leases, removed).filter { !$1 }.map(\.0.run)
  }

  /// - Returns: whether it has gone; not so a run that became one to be resumed since the plan was
  ///   made.
  private func forget(_ run: RunNumber, _ plan: PruningPlan) throws(HistoryError) -> Bool {
    let isDone = plan.takesUnfinished ? "true" : "NOT \(Unfinished.condition(at: plan.now))"
    // No worker begins to work on it meanwhile.
    if database.dialect.hasQueue {
      try database.execute("SELECT id FROM runs WHERE id = \(run) FOR UPDATE")
    }
    try database.execute(
      """
      DELETE FROM runs WHERE id IN (SELECT id FROM runs JOIN progress ON progress.run = runs.id
        WHERE id = \(run) AND \(isDone) AND \(database.dialect.isWithoutWorker))
      """)
    return database.changes > 0
  }
}

extension HistoryPruning {
  /// Locks others out of a file for as long as it takes, so it is left alone while somebody sends.
  private func giveSpaceBack() throws(HistoryError) -> PruningReport.Space {
    if HistoryLocation(path).isServer { return .givenBack }
    guard try !database.isSomethingSent(path) else { return .inUse }
    do throws(HistoryError) {
      return try database.driver.giveSpaceBack() ? .givenBack : .inUse
    } catch .locked {
      return .inUse
    } catch .full {
      return .noRoom
    }
  }

  /// Of the file and its log.
  private var fileSize: Int {
    [path, path + "-wal"].reduce(0) { size, file in
      var status = stat()
      return size + (stat(file, &status) == 0 ? Int(status.st_size) : 0)
    }
  }
}

extension Database {
  /// Whether a process sends or resumes a run of this history.
  func isSomethingSent(_ path: String) throws(HistoryError) -> Bool {
    let statement = try Statement(
      "SELECT id FROM runs WHERE state IN ('running', 'enqueuing', 'enqueued')", on: self)
    while try statement.step() {
      let run = try RunNumber(row: statement)
      if try isBeingSent(run, at: path) {
        statement.reset()
        return true
      }
    }
    return false
  }
}
