/// Advisory locks of a history in PostgreSQL. A key has two numbers: the tool's, and a negative one here
/// or, for a lease, the number of a run.
enum AdvisoryLock {
  /// Held while the tables are created or migrated.
  static let schema = lock(-1)

  /// Held from the first new word of a transaction to its end.
  static let words = lock(-2)

  /// The call that waits for a lock and holds it until the transaction ends.
  private static func lock(_ number: Int32) -> String {
    "pg_advisory_xact_lock(\(Database.applicationID), \(number))"
  }
}

extension Dialect {
  /// That of PostgreSQL. The server ends a transaction whose process is frozen, and holds others up by its
  /// locks. `versionOfResults`, other than `version`, tells nothing of other databases of the server.
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
