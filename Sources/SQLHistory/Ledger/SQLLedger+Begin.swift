public import PushModel

extension SQLLedger {
  /// Begins a run.
  ///
  /// - Parameters:
  ///   - record: what to keep of it.
  ///   - path: the history's file, which is made when it is not there.
  ///   - lineage: which pushes of an older run it sends again; nil for a run of its own.
  ///   - sequence: pushes up to this number are claimed right away; 0 for none.
  ///   - pace: how often to commit.
  public static func begin(
    _ record: RunRecord, _ lineage: Lineage? = nil, at path: String,
    claiming sequence: UInt64 = 0, pace: Pace = Pace()
  ) throws(HistoryError) -> SQLLedger {
    var record = record
    (record.resends, record.resent) = (lineage?.run, lineage?.count)
    let database = try Database.open(path, busyMilliseconds: pace.busyMilliseconds)
    if sequence > 0 { try database.driver.expectLittle() }
    let start = try database.transaction { [record] () throws(HistoryError) in
      let run = try record.insert(into: database)
      try lineage?.markRoot(of: run, in: database)
      // Taken before anybody can see the run.
      let lease = try database.driver.takeLease(of: run, at: path)
      try database.claim(sequence, run)
      return Start(
        run: run, record: record, path: path, lease: lease, watch: try HistoryWatch(path),
        claimed: sequence, pace: pace)
    }
    try lineage?.insert(for: start.run, into: database)
    return try open(start, database)
  }

  /// Opens a history, which is made when it is not there, and closes it again: what keeps a run from
  /// being written down is found before the first of several begins.
  public static func look(at path: String) throws(HistoryError) {
    _ = try Database.open(path, busyMilliseconds: Pace().busyMilliseconds)
  }

  /// Makes the ledger of a run whose lease was taken.
  static func open(
    _ start: Start, _ database: consuming Database
  ) throws(HistoryError) -> SQLLedger {
    let writer = try ResultWriter(
      run: start.run, started: start.record.started, pass: start.plan?.pass ?? 0, on: database)
    let progress = try RunProgress.Writer(start.run, on: database)
    let last = start.plan == nil ? nil : try database.lastCommit(of: start.run)
    return SQLLedger(
      start, after: last ?? start.run.rows.lowerBound, writer: writer, progress: progress,
      database: database)
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
  /// How often a ledger commits.
  public struct Pace: Sendable, Hashable {
    /// How many pushes are claimed at a time. Of these, a kill leaves as many in doubt as were not
    /// answered.
    public var claimStep: UInt64

    /// How many results wait at most.
    public var batchResults: Int

    /// How long results wait at most, in milliseconds.
    public var batchMilliseconds: Int

    /// How long another process is waited for, in milliseconds.
    public var busyMilliseconds: Int

    /// The usual pace.
    public init(
      claimStep: UInt64 = 8192, batchResults: Int = 2000, batchMilliseconds: Int = 200,
      busyMilliseconds: Int = 5000
    ) {
      self.claimStep = claimStep
      self.batchResults = batchResults
      self.batchMilliseconds = batchMilliseconds
      self.busyMilliseconds = busyMilliseconds
    }

    /// For a run whose pushes must not be sent twice: small claims, since what was claimed when its
    /// process was killed is never sent again.
    public static let atMostOnce = Pace(claimStep: 64)
  }
}
