internal import POSIX
public import PushModel

/// Removes runs from a history, and returns their space to the system. It belongs to one thread at
/// a time.
///
/// It writes in short transactions with pauses between them, so that others can send meanwhile.
public final class HistoryPruning {
  /// The number of runs removed per transaction; each keeps a file open.
  private static let runsAtOnce = 64

  let database: Database

  /// Opens an existing history.
  ///
  /// - Parameter isDryRun: opens a read-only history as well, which can then only be planned.
  /// - Throws: `HistoryError`, as `HistoryReader` does, and `readOnly`.
  public convenience init(_ path: String, isDryRun: Bool = false) throws(HistoryError) {
    try self.init(
      path, isDryRun: isDryRun, busyMilliseconds: Database.usualBusyMilliseconds)
  }

  /// - Parameter busyMilliseconds: the time to wait for others.
  init(_ path: String, isDryRun: Bool = false, busyMilliseconds: Int) throws(HistoryError) {
    database =
      isDryRun
      ? try Database.openForReading(path)
      : try Database.openExisting(path, busyMilliseconds: busyMilliseconds)
  }

  /// True for a history in a file, which has its own space on the disk.
  public var isFile: Bool { database.driver.file != nil }

  /// Determines the runs that a rule removes.
  ///
  /// - Parameter now: the time in milliseconds since 1970 UTC.
  public func plan(_ rule: PruningRule, now: Int64) throws(HistoryError) -> PruningPlan {
    var plan = PruningPlan(now: now, takesUnfinished: rule.takesUnfinished)
    let statement = try Statement(
      """
      SELECT runs.id, accepted + rejected + skipped + deferred + unknown + not_attempted,
        CASE WHEN \(UnfinishedRuns.condition(at: now)) THEN 1 ELSE 0 END
        FROM runs JOIN progress ON progress.run = runs.id WHERE \(rule.condition) ORDER BY runs.id
      """, on: database)
    while try statement.step() {
      let run = try RunNumber(row: statement)
      if try database.isBeingSent(run) {
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

  /// Removes the runs of a plan, except those that are being sent by now or could now be resumed.
  /// Leftovers of an earlier removal that was killed are removed as well.
  ///
  /// - Throws: `HistoryError`: `corrupt` also if removed rows did not tell how many results they
  ///   had.
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
    if report.pushes > 0 { try WordRemoval().removeUnused(from: database) }
    let files = try database.driver.file.map { (file) throws(HistoryError) in
      try CompanionFiles(beside: file).removeOrphans(in: database)
    }
    report.space = try giveSpaceBack()
    report.bytes = max(0, size - fileSize) + (files ?? 0)
    return report
  }

  /// Removes runs from `runs` in one transaction, which leaves their other rows without a run.
  private func forget(
    _ runs: ArraySlice<RunNumber>, _ plan: PruningPlan, _ report: inout PruningReport
  ) throws(HistoryError) {
    // Keeps others from resuming one of them meanwhile.
    var leases: [(run: RunNumber, lease: any RunLease)] = []
    for run in runs {
      do throws(HistoryError) {
        leases.append((run, try database.driver.takeLease(of: run)))
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

  /// - Returns: true if it was removed; false if it can now be resumed, which it could not when
  ///   planned.
  private func forget(_ run: RunNumber, _ plan: PruningPlan) throws(HistoryError) -> Bool {
    let isDone = plan.takesUnfinished ? "true" : "NOT \(UnfinishedRuns.condition(at: plan.now))"
    // Keeps workers from taking it up meanwhile.
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
  /// Returns the space to the system. This locks others out of the file, so it is not done while a
  /// process sends.
  private func giveSpaceBack() throws(HistoryError) -> PruningReport.Space {
    if !isFile { return .givenBack }
    guard try !database.isSomethingSent else { return .inUse }
    do throws(HistoryError) {
      return try database.driver.giveSpaceBack() ? .givenBack : .inUse
    } catch .locked {
      return .inUse
    } catch .full {
      return .noRoom
    }
  }

  /// The size of the file and its log.
  private var fileSize: Int {
    let files = database.driver.file.map { [$0, $0 + "-wal"] } ?? []
    return files.reduce(0) { size, file in
      var status = stat()
      return size + (stat(file, &status) == 0 ? Int(status.st_size) : 0)
    }
  }
}

extension Database {
  /// Returns true if a process sends or resumes a run of this history.
  var isSomethingSent: Bool {
    get throws(HistoryError) {
      let statement = try Statement(
        "SELECT id FROM runs WHERE state IN ('running', 'enqueuing', 'enqueued')", on: self)
      while try statement.step() {
        let run = try RunNumber(row: statement)
        if try isBeingSent(run) {
          statement.reset()
          return true
        }
      }
      return false
    }
  }
}
