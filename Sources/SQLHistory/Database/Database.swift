internal import History
package import PushModel

/// A connection to the history's database, of any kind. It belongs to one thread at a time.
package struct Database: ~Copyable {
  /// The time a connection waits for another process, in milliseconds.
  package static let usualBusyMilliseconds = 5000

  /// Marks a database as a history of this tool: "fanh" in ASCII.
  static let applicationID: Int32 = 0x6661_6E68

  /// The driver that executes the statements.
  package let driver: any DatabaseDriver

  /// Takes over a connection.
  init(_ driver: any DatabaseDriver) { self.driver = driver }

  /// The SQL that differs between databases.
  package var dialect: Dialect { driver.dialect }

  /// The name of the file or server in messages.
  package var place: String { driver.place }

  /// The number of rows that the last statement deleted, inserted or changed.
  package var changes: Int { driver.changes }

  /// Runs statements without parameters.
  package func execute(_ sql: String) throws(HistoryError) { try driver.execute(sql) }

  /// The integer that a statement without parameters returns.
  package func number(_ sql: String) throws(HistoryError) -> Int64 { try driver.number(sql) }

  /// The text that a statement without parameters returns.
  package func text(_ sql: String) throws(HistoryError) -> String? { try driver.text(sql) }

  /// Blocks other runs from looking up new words until the transaction ends.
  package func lockWords() throws(HistoryError) {
    if let lock = dialect.lockWords { try execute(lock) }
  }
}

// Transactions.
extension Database {
  /// Runs a transaction.
  ///
  /// - Throws: the body's error, and `connectionLost` if no answer to COMMIT arrived: the
  ///   transaction may or may not have taken effect.
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

  /// Reads from a snapshot: commits that others make meanwhile are not visible.
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

  /// Begins a transaction that reads from a snapshot.
  let beginReading: String

  /// A query whose number changes whenever another connection commits, or a worker's lease expires.
  let version: String

  /// A query whose number changes whenever another connection commits results.
  let versionOfResults: String

  /// A condition for any row: its number is among those bound to the only parameter.
  package let idIsAmong: String

  /// The row that ``WordTable`` inserts, with the word as `?1`.
  let newWord: String

  /// Blocks others from looking up new words until the transaction ends; nil if every transaction
  /// that writes does so.
  let lockWords: String?

  /// An expression for a row of `pushes`: the last `count` digits of the device token, in lower
  /// case.
  let lastDigits: @Sendable (_ count: Int) -> String

  /// True if the database has the tables of a queue.
  package let hasQueue: Bool
}

extension Dialect {
  /// An expression for a row of `pushes`: as many of the device token's last digits as a pattern
  /// has, in lower case.
  func end(of token: TokenPattern) -> String { lastDigits(token.digits.count) }

  /// A join of the queue's row of a run to `runs`, if there is a queue.
  var joinedQueue: String {
    hasQueue ? "LEFT JOIN queued_runs ON queued_runs.run = runs.id" : ""
  }

  /// A condition for a row of `runs` with ``joinedQueue``: the run is being sent, according to its
  /// row.
  var isGoingOn: String {
    hasQueue ? "state = 'running' OR \(Self.isOpenInQueue)" : "state = 'running'"
  }

  /// A condition for a row of `runs`: no worker works on it.
  var isWithoutWorker: String { hasQueue ? "NOT \(Self.hasWorker)" : "true" }
}

// Conditions over the tables of a queue.
extension Dialect {
  /// A condition over `runs` and `queued_runs`: the run is neither stopped nor finished.
  package static let isOpenInQueue = "state IN ('enqueuing', 'enqueued') AND stopped IS NULL"

  /// A condition for a row of `workers`: its lease is valid.
  package static let hasLiveLease = "(ended IS NULL AND lease > server_time())"

  /// A condition for a row of `workers`: its lease has expired, and it was not ended.
  package static let hasOverdueLease = "(ended IS NULL AND lease <= server_time())"

  /// A condition over `runs`: a worker works on the run.
  static let hasWorker = "EXISTS (SELECT 1 FROM workers WHERE run = runs.id AND \(hasLiveLease))"
}
