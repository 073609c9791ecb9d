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
