internal import History
package import PushModel

/// The one owner of a connection to the history's database, of whatever kind it is. It belongs to one
/// thread at a time.
package struct Database: ~Copyable {
  /// How long a connection waits for another process, in milliseconds.
  package static let usualBusyMilliseconds = 5000

  /// Marks a database as a history of this tool: "fanf" in ASCII.
  static let applicationID: Int32 = 0x6661_6E66

  /// Carries out the statements.
  package let driver: any DatabaseDriver

  /// Takes a connection over.
  init(_ driver: any DatabaseDriver) { self.driver = driver }

  /// The SQL that other databases have in another form.
  package var dialect: Dialect { driver.dialect }

  /// The file or the server, as messages call it.
  package var place: String { driver.place }

  /// The number of rows that the last statement took out, put in or changed.
  package var changes: Int { driver.changes }

  /// Runs statements that take no values.
  package func execute(_ sql: String) throws(HistoryError) { try driver.execute(sql) }

  /// The whole number that a statement without values gives.
  package func number(_ sql: String) throws(HistoryError) -> Int64 { try driver.number(sql) }

  /// The text that a statement without values gives.
  package func text(_ sql: String) throws(HistoryError) -> String? { try driver.text(sql) }

  /// Keeps other runs from looking up new words until the transaction ends.
  package func lockWords() throws(HistoryError) {
    if let lock = dialect.lockWords { try execute(lock) }
  }
}

// Transactions.
extension Database {
  /// Does everything or nothing.
  ///
  /// - Throws: what the body throws, and `connectionLost` when no answer to COMMIT has come: then it may
  ///   or may not have taken effect.
  package func transaction<Result>(
    _ body: () throws(HistoryError) -> Result
  ) throws(HistoryError) -> Result {
    try execute(dialect.begin)
    do throws(HistoryError) {
      let result = try body()
      try driver.commit()
      return result
    } catch {
      driver.rollBack()
      throw error
    }
  }

  /// Reads what belongs together: nothing that others commit meanwhile is seen.
  func reading<Result>(
    _ body: () throws(HistoryError) -> Result
  ) throws(HistoryError) -> Result {
    try execute(dialect.beginReading)
    defer { driver.rollBack() }
    return try body()
  }
}

/// The SQL that differs from one kind of database to another; all other statements run unchanged.
package struct Dialect: Sendable {
  /// Begins a transaction that writes.
  let begin: String

  /// Begins one that reads, and sees nothing that others commit meanwhile.
  let beginReading: String

  /// A query whose number changes whenever another connection commits, or the lease of a worker runs out.
  let version: String

  /// A query whose number changes whenever another connection commits results.
  let versionOfResults: String

  /// For any row: whether its number is among those that are bound to the only parameter.
  package let idIsAmong: String

  /// The row that ``WordTable`` inserts: `?1`.
  let newWord: String

  /// Keeps others from looking up new words until the transaction ends; nil where one that writes does.
  let lockWords: String?

  /// For a row of `pushes`: so many of the device token's last digits, in lower case.
  let lastDigits: @Sendable (_ count: Int) -> String

  /// True where there are the tables of a queue.
  package let hasQueue: Bool
}

extension Dialect {
  /// For a row of `pushes`: as many of the device token's last digits as a pattern has, in lower case.
  func end(of token: TokenPattern) -> String { lastDigits(token.digits.count) }

  /// Joins the queue's row of a run to `runs`, where there is a queue.
  var joinedQueue: String {
    hasQueue ? "LEFT JOIN queued_runs ON queued_runs.run = runs.id" : ""
  }

  /// For a row of `runs` with ``joinedQueue``: whether it is being sent, as far as is written down.
  var isGoingOn: String {
    hasQueue ? "state = 'running' OR \(Self.isOpenInQueue)" : "state = 'running'"
  }

  /// For a row of `runs`: whether no worker works on it.
  var isWithoutWorker: String { hasQueue ? "NOT \(Self.hasWorker)" : "true" }
}

// Conditions over the tables of a queue.
extension Dialect {
  /// Over `runs` and `queued_runs`: whether a run is neither stopped nor finished.
  package static let isOpenInQueue = "state IN ('enqueuing', 'enqueued') AND stopped IS NULL"

  /// For a row of `workers`: whether its lease lasts.
  package static let hasLiveLease = "(ended IS NULL AND lease > server_time())"

  /// For a row of `workers`: whether its lease has run out before it was ended.
  package static let hasOverdueLease = "(ended IS NULL AND lease <= server_time())"

  /// Over `runs`: whether a worker works on it.
  static let hasWorker = "EXISTS (SELECT 1 FROM workers WHERE run = runs.id AND \(hasLiveLease))"
}
