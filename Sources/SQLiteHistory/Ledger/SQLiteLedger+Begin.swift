internal import POSIX
public import PushModel

extension SQLiteLedger {
  /// Begins a run.
  ///
  /// - Parameters:
  ///   - record: what to keep of it.
  ///   - path: the history's file, which is made when it is not there.
  ///   - lineage: which pushes of an older run it sends again; nil when it is no resend.
  ///   - sequence: pushes up to this number are claimed right away; 0 for none.
  ///   - pace: how often to commit.
  public static func begin(
    _ record: RunRecord, _ lineage: Lineage? = nil, at path: String,
    claiming sequence: UInt64 = 0, pace: Pace = Pace()
  ) throws(HistoryError) -> SQLiteLedger {
    var record = record
    (record.resends, record.resent) = (lineage?.run, lineage?.count)
    let database = try Database.open(path, busyMilliseconds: pace.busyMilliseconds)
    if sequence > 0 { try database.expectLittle() }
    let start = try database.transaction { [record] () throws(HistoryError) in
      let run = try record.insert(into: database)
      try lineage?.markRoot(of: run, in: database)
      // Taken before anybody can see the run.
      let lease = try RunOwner.take(run, of: path, in: database)
      try RunOwner.sign(run, in: database)
      try RunOwner.claim(sequence, run, in: database)
      return Start(run: run, record: record, lease: lease, claimed: sequence, pace: pace)
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
  ) throws(HistoryError) -> SQLiteLedger {
    let writer = try ResultWriter(
      run: start.run, started: start.record.started, pass: start.plan?.pass ?? 0, on: database)
    let progress = try RunProgress.Writer(start.run, on: database)
    return SQLiteLedger(start, writer: writer, progress: progress, database: database)
  }
}

extension Database {
  /// For a run of a few pushes, whose time is its own: the log is left to the next one, and kept
  /// short, for the next one has to read it.
  fileprivate func expectLittle() throws(HistoryError) {
    leaveLogOnClose()
    try execute("PRAGMA wal_autocheckpoint = 200")
  }
}

/// Who sends a run.
enum RunOwner {
  /// Takes a run's lease.
  ///
  /// - Throws: `HistoryError.owned` with what its owner said of itself.
  static func take(
    _ run: RunNumber, of path: String, in database: borrowing Database
  ) throws(HistoryError) -> RunLease {
    guard let lease = try RunLease.take(run, of: path) else { throw try owned(run, in: database) }
    return lease
  }

  /// Writes down who owns a run, within the caller's transaction.
  static func sign(_ run: RunNumber, in database: borrowing Database) throws(HistoryError) {
    let statement = try Statement(
      "UPDATE runs SET owner_pid = ?, owner_host = ? WHERE id = ?", on: database)
    statement.bind(Int64(getpid()), at: 1)
    statement.bind(hostName, at: 2)
    statement.bind(run.rawValue, at: 3)
    try statement.run()
  }

  /// Claims a run's first pushes, within the caller's transaction.
  static func claim(
    _ sequence: UInt64, _ run: RunNumber, in database: borrowing Database
  ) throws(HistoryError) {
    let statement = try Statement(
      "UPDATE progress SET claimed = ?1, pass_claimed = ?1 WHERE run = ?2", on: database)
    statement.bind(Int64(sequence), at: 1)
    statement.bind(run.rawValue, at: 2)
    try statement.run()
  }

  private static func owned(
    _ run: RunNumber, in database: borrowing Database
  ) throws(HistoryError) -> HistoryError {
    let statement = try Statement(
      "SELECT owner_pid, owner_host FROM runs WHERE id = ?", on: database)
    statement.bind(run.rawValue, at: 1)
    guard try statement.step() else { return .owned(run: run, pid: nil, host: nil) }
    defer { statement.reset() }
    let pid = statement.optionalInt64(0).map { Int32(truncatingIfNeeded: $0) }
    return .owned(run: run, pid: pid, host: statement.text(1))
  }

  private static var hostName: String? {
    var name = [CChar](repeating: 0, count: 256)
    let code = gethostname(&name, name.count - 1)
    let bytes = name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return code == 0 ? String(decoding: bytes, as: UTF8.self) : nil
  }
}
