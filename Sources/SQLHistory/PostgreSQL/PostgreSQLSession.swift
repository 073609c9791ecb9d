internal import PushModel

/// A session with a PostgreSQL server, which can be renewed after its connection was lost. It
/// converts failures to `HistoryError`.
final class PostgreSQLSession: DatabaseDriver {
  private let address: DatabaseAddress
  private let lockMilliseconds: Int
  private var connection: DatabaseConnection
  private var backend: Backend

  /// The number of rows that the last statement inserted, changed or deleted.
  private(set) var changes = 0

  /// True if the connection was lost. No call succeeds until ``reconnect()``.
  private(set) var isLost = false

  /// The number of the connection, from 1. State that the server keeps for a session ends with its
  /// connection.
  private(set) var connectionNumber = 1

  /// Begins a session.
  ///
  /// - Parameters:
  ///   - location: a libpq connection string.
  ///   - lockMilliseconds: the time that a statement waits for others.
  init(_ location: String, lockMilliseconds: Int) throws(HistoryError) {
    do throws(DatabaseError) {
      let address = try DatabaseAddress(location)
      let connection = try DatabaseConnection.open(address)
      backend = try Backend(preparing: connection, lockMilliseconds: lockMilliseconds)
      if try backend.isShared(by: connection, address) {
        throw DatabaseError.pooledTransactions(server: connection.server)
      }
      self.address = address
      self.connection = connection
      self.lockMilliseconds = lockMilliseconds
    } catch {
      throw HistoryError(error, lockMilliseconds: lockMilliseconds)
    }
  }

  static let dialect = Dialect.postgreSQL

  /// The server and the database, without secrets.
  var place: String { connection.server }

  func prepare(_ sql: String) -> any DatabaseStatement { PostgreSQLStatement(sql, on: self) }

  func rowWriter(into table: StaticString, _ columns: [String]) -> any RowWriter {
    CopiedRowWriter(into: table, columns, over: self)
  }

  func takeLease(of run: RunNumber) throws(HistoryError) -> any RunLease {
    try SessionLease(run, in: self)
  }

  func isLeased(_ run: RunNumber) throws(HistoryError) -> Bool {
    try SessionLease.isTaken(run, in: self)
  }

  /// Reconnects after the connection was lost, and has the server end the process of the lost one.
  func reconnect() throws(HistoryError) {
    guard isLost else { return }
    let (predecessor, isOver) = (backend, connection.isOver)
    if isOver() { throw .connectionLost(server: place) }
    try asking { () throws(DatabaseError) in
      var connection = try DatabaseConnection.open(address)
      backend = try Backend(preparing: connection, lockMilliseconds: lockMilliseconds)
      connection.isOver = isOver
      self.connection = connection
    }
    isLost = false
    connectionNumber += 1
    try query(predecessor.termination, [])
  }

  func giveUp(when isOver: @escaping @Sendable () -> Bool) { connection.isOver = isOver }

  /// Runs statements without parameters.
  func execute(_ sql: String) throws(HistoryError) {
    try asking { () throws(DatabaseError) in changes = try connection.execute(sql).changes }
  }

  /// Runs a statement with values for `$1`, `$2` and so on. One without parameters is not prepared,
  /// because its text may differ each time.
  @discardableResult
  func query(_ sql: String, _ parameters: [StatementParameter]) throws(HistoryError) -> QueryResult
  {
    try asking { () throws(DatabaseError) in
      let rows =
        parameters.isEmpty
        ? try connection.query(sql) : try connection.queryPrepared(sql, parameters)
      try rows.checkTypes()
      changes = rows.changes
      return rows
    }
  }

  /// Inserts rows into a table, faster than any statement.
  ///
  /// - Parameter target: the table and its columns, such as `chunks (id, count)`.
  func copy(_ rows: CopiedRows, into target: String) throws(HistoryError) {
    try asking { () throws(DatabaseError) in changes = try connection.copy(rows, into: target) }
  }

  /// Commits the transaction.
  ///
  /// - Throws: `connectionLost`, after which the transaction may or may not have taken effect.
  func commit() throws(HistoryError) {
    try asking { () throws(DatabaseError) in try connection.commit() }
  }

  /// Rolls back the transaction, if there is one.
  func rollBack() { if !isLost { connection.rollBack() } }

  private func asking<Result>(
    _ body: () throws(DatabaseError) -> Result
  ) throws(HistoryError) -> Result {
    do throws(DatabaseError) {
      return try body()
    } catch {
      if case .lost = error { isLost = true }
      throw HistoryError(error, lockMilliseconds: lockMilliseconds)
    }
  }
}

// Opening.
extension PostgreSQLSession {
  static func opens(_ location: HistoryLocation) -> Bool {
    ["postgresql://", "postgres://"].contains { location.text.hasPrefix($0) }
  }

  static func files(at location: HistoryLocation) -> [String] { [] }

  static func check(_ location: HistoryLocation) throws(HistoryError) { try location.checkURL() }

  static func open(
    _ location: String, for purpose: OpeningPurpose, busyMilliseconds: Int
  ) throws(HistoryError) -> Database {
    let session = try PostgreSQLSession(location, lockMilliseconds: busyMilliseconds)
    if purpose != .making { try session.checkIsThere() }
    try PostgreSQLSchema.prepare(session)
    return Database(session)
  }

  private func checkIsThere() throws(HistoryError) {
    if try number("SELECT to_regclass('fanfare.runs') IS NOT NULL") == 0 {
      throw HistoryError.missing(path: place)
    }
  }
}

/// The server's process for a session.
private struct Backend {
  private let pid: String
  /// The start time, which distinguishes it from other processes with this number.
  private let start: String

  /// Prepares a new connection for a history, and asks which process serves it.
  init(
    preparing connection: borrowing DatabaseConnection, lockMilliseconds: Int
  ) throws(DatabaseError) {
    // A timeout of 0 would mean none. With keepalives the server soon notices that this machine is
    // gone, and frees its locks. Plans for particular bounds of `pushes` and compiled expressions
    // cost more than they save.
    let found = try connection.executeFirst(
      """
      SET search_path = fanfare, pg_temp; SET lock_timeout = \(max(1, lockMilliseconds));
      SET synchronous_commit = on; SET client_min_messages = warning;
      SET default_transaction_isolation = 'read committed';
      SET tcp_keepalives_idle = 20; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3;
      SET tcp_user_timeout = 30000; SET plan_cache_mode = force_generic_plan; SET jit = off;
      SELECT pid, backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()
      """)
    guard found.count == 1 else { throw found.unexpected(0) }
    (pid, start) = (found.text(0, 0), found.text(0, 1))
  }

  /// Returns true if a connection pooler lets other connections use the process between this one's
  /// transactions. A pooler names a number of its own for the process. One in transaction mode gives
  /// an idle process to another connection; one in session mode may have none for that.
  func isShared(
    by connection: borrowing DatabaseConnection, _ address: DatabaseAddress
  ) throws(DatabaseError) -> Bool {
    if connection.backendNumber == Int32(pid) { return false }
    let other = try DatabaseConnection.open(address.waiting(seconds: 2))
    do throws(DatabaseError) {
      if try other.executeFirst("SELECT pg_backend_pid()").text(0, 0) == pid { return true }
    } catch {
      return false
    }
    return try connection.execute("SELECT pg_backend_pid()").text(0, 0) != pid
  }

  /// The SQL that ends the process, if it still runs.
  var termination: String {
    """
    SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
      WHERE pid = \(pid) AND backend_start::text = '\(start)'
    """
  }
}

/// Advisory locks of a history in PostgreSQL. A key has two numbers: the tool's, and a negative one here
/// or, for a lease, the number of a run.
enum AdvisoryLock {
  /// The lock held while the tables are created.
  static let schema = lock(-1)

  /// The lock held from the first new word of a transaction to its end.
  static let words = lock(-2)

  /// The call that waits for a lock and holds it until the transaction ends.
  private static func lock(_ number: Int32) -> String {
    "pg_advisory_xact_lock(\(Database.applicationID), \(number))"
  }
}

extension Dialect {
  /// The SQL of PostgreSQL. The server ends a transaction whose process is frozen and blocks others
  /// with its locks. Unlike `version`, `versionOfResults` ignores other databases of the server.
  /// Two runs that insert the same words in different orders would deadlock without a lock.
  static let postgreSQL = Dialect(
    begin: "BEGIN; SET LOCAL idle_in_transaction_session_timeout = '30s'",
    beginReading: "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY",
    version: """
      SELECT hashtextextended(concat(pg_current_snapshot(), ' ', count(*)), 0) FROM workers
        WHERE \(hasOverdueLease)
      """,
    versionOfResults: "SELECT hashtextextended(concat(count(*), ' ', sum(id)), 0) FROM commits",
    idIsAmong: "id = ANY(?)",
    newWord: "SELECT ?1 FROM (SELECT \(AdvisoryLock.words)) AS held",
    lockWords: "SELECT \(AdvisoryLock.words)",
    lastDigits: { "right(encode(token, 'hex'), \($0))" }, hasQueue: true)
}
