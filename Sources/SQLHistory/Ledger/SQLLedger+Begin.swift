public import PushModel

extension SQLLedger {
  /// Begins a run.
  ///
  /// - Parameters:
  ///   - record: the properties to store.
  ///   - path: the history's file, which is created if missing.
  ///   - lineage: the pushes of an older run that it sends again; nil for an independent run.
  ///   - sequence: the last push to claim right away; 0 for none.
  ///   - pace: how often to commit.
  public static func begin(
    _ record: RunRecord, _ lineage: Lineage? = nil, at path: String,
    claiming sequence: UInt64 = 0, pace: Pace = Pace()
  ) throws(HistoryError) -> SQLLedger {
    var record = record
    record.resends = lineage?.run
    let database = try Database.open(path, busyMilliseconds: pace.busyMilliseconds)
    if sequence > 0 { try database.driver.expectLittle() }
    let start = try database.transaction { [record] () throws(HistoryError) in
      let run = try record.insert(into: database)
      try lineage?.markRoot(of: run, in: database)
      // Taken before others can see the run.
      let lease = try database.driver.takeLease(of: run)
      try database.claim(sequence, run)
      return Start(
        run: run, record: record, lease: lease, watch: try HistoryWatch(database),
        claimed: sequence, pace: pace)
    }
    try lineage?.insert(for: start.run, into: database)
    return try open(start, database)
  }

  /// Checks that a run can begin in a history, and creates nothing: a missing file only needs a
  /// folder that it can be created in.
  public static func check(at path: String) throws(HistoryError) {
    do throws(HistoryError) {
      _ = try Database.openExisting(path, busyMilliseconds: Pace().busyMilliseconds)
    } catch {
      switch error {
      case .empty: return
      case .missing where HistoryLocation(path).files.isEmpty: return
      case .missing: try HistoryFile(path: path).checkFolder()
      default: throw error
      }
    }
  }

  /// Opens a history, which is created if missing, and closes it again.
  public static func look(at path: String) throws(HistoryError) {
    _ = try Database.open(path, busyMilliseconds: Pace().busyMilliseconds)
  }

  /// Opens the ledger of a run whose lease was taken.
  static func open(
    _ start: Start, _ database: consuming Database
  ) throws(HistoryError) -> SQLLedger {
    let writer = try ResultWriter(
      run: start.run, started: start.record.started, pass: start.plan?.pass ?? 0, on: database)
    let progress = try RunProgress.Writer(start.run, on: database)
    let (run, row) = (start.run, "progress WHERE run = \(start.run)")
    let isNew = start.plan == nil
    let last = isNew ? nil : try database.lastCommit(of: run)
    return SQLLedger(
      start, after: last ?? run.rows.lowerBound,
      isNew
        ? PendingCommits(of: run, stamping: row)
        : try PendingCommits(of: run, continuing: row, in: database),
      writer: writer, progress: progress, database: database)
  }
}

extension Database {
  /// Claims a run's first pushes, within the caller's transaction.
  fileprivate func claim(_ sequence: UInt64, _ run: RunNumber) throws(HistoryError) {
    let statement = try Statement(
      "UPDATE progress SET claimed = ?1, pass_claimed = ?1 WHERE run = ?2", on: self)
    statement.bind(Int64(sequence), at: 1)
    statement.bind(run.rawValue, at: 2)
    try statement.run()
  }
}

extension SQLLedger {
  /// The frequency of a ledger's commits.
  public struct Pace: Sendable, Hashable {
    /// The number of pushes claimed at a time. After a kill, those without an answer are in doubt.
    public var claimStep: UInt64

    /// The maximum number of pending results.
    public var batchResults: Int

    /// The maximum time that results wait, in milliseconds.
    public var batchMilliseconds: Int

    /// The time to wait for another process, in milliseconds.
    public var busyMilliseconds: Int

    /// Creates a pace; the defaults are the usual one.
    public init(
      claimStep: UInt64 = 8192, batchResults: Int = 2000, batchMilliseconds: Int = 200,
      busyMilliseconds: Int = 5000
    ) {
      self.claimStep = claimStep
      self.batchResults = batchResults
      self.batchMilliseconds = batchMilliseconds
      self.busyMilliseconds = busyMilliseconds
    }

    /// The pace of a run whose pushes must not be sent twice. It claims in small steps, since
    /// pushes that were claimed when the process was killed are never sent again.
    public static let atMostOnce = Pace(claimStep: 64)
  }
}
