internal import History

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
