internal import History
internal import PushModel

// The SQL that differs between SQLite and PostgreSQL; both run all other statements unchanged.
extension Database {
  /// A query whose number changes whenever another connection commits, or the lease of a worker runs out.
  var version: String {
    isPostgreSQL
      ? """
      SELECT hashtextextended(concat(pg_current_snapshot(), ' ', count(*)), 0) FROM workers
        WHERE \(Self.hasOverdueLease)
      """ : "PRAGMA data_version"
  }

  /// A query whose number changes whenever another connection commits results. In PostgreSQL, other than
  /// ``version``, it tells nothing of other databases of the server.
  var versionOfResults: String {
    isPostgreSQL
      ? "SELECT hashtextextended(concat(count(*), ' ', sum(id)), 0) FROM commits" : version
  }

  /// For any row: whether its number is among those that are bound to the only parameter.
  var idIsAmong: String {
    isPostgreSQL ? "id = ANY(?)" : "id IN (SELECT value FROM json_each(?))"
  }

  /// Joins the queue's row of a run to `runs`, where there is a queue.
  var joinedQueue: String {
    isPostgreSQL ? "LEFT JOIN queued_runs ON queued_runs.run = runs.id" : ""
  }

  /// In SQL, over `runs` and `queued_runs`: whether a run is neither stopped nor finished.
  static let isOpenInQueue = "state IN ('enqueuing', 'enqueued') AND stopped IS NULL"

  /// For a row of `workers`: whether its lease lasts.
  static let hasLiveLease = "(ended IS NULL AND lease > server_time())"

  /// For a row of `workers`: whether its lease has run out before it was ended.
  static let hasOverdueLease = "(ended IS NULL AND lease <= server_time())"

  /// For a row of `runs` with ``joinedQueue``: whether it is being sent, as far as is written down.
  var isGoingOn: String {
    isPostgreSQL
      ? "state = 'running' OR \(Self.isOpenInQueue)"
      : "state = 'running'"
  }

  /// For a row of `pushes`: as many of the device token's last digits as a pattern has, in lower case.
  func end(of token: TokenPattern) -> String {
    isPostgreSQL
      ? "right(encode(token, 'hex'), \(token.digits.count))"
      : "lower(substr(hex(token), -\(token.digits.count)))"
  }

  /// The row that ``WordTable`` inserts: `?1`. In PostgreSQL, two runs that insert the same words in
  /// different orders would otherwise deadlock.
  var newWord: String {
    isPostgreSQL ? "SELECT ?1 FROM (SELECT \(AdvisoryLock.words)) AS held" : "VALUES (?1)"
  }

  /// Keeps other runs from looking up new words until the transaction ends.
  func lockWords() throws(HistoryError) {
    if isPostgreSQL { try execute("SELECT \(AdvisoryLock.words)") }
  }
}
