package import PushModel

/// A connection to a history in one kind of database. It belongs to one thread at a time.
///
/// A new kind needs a driver, a ``DatabaseStatement`` and a ``Dialect``, and a row in ``Database/drivers``.
package protocol DatabaseDriver: AnyObject, SendableMetatype {
  /// Returns true if a history at this location is of this kind.
  static func opens(_ location: HistoryLocation) -> Bool

  /// The files that a history consists of; empty on a server.
  static func files(at location: HistoryLocation) -> [String]

  /// Checks a location without opening anything.
  ///
  /// - Throws: `HistoryError.invalidAddress`, or `secretInAddress`.
  static func check(_ location: HistoryLocation) throws(HistoryError)

  /// Opens a history, and creates its tables if there are none.
  ///
  /// - Parameters:
  ///   - location: a path or a URL, as the user wrote it.
  ///   - busyMilliseconds: the longest wait for others.
  static func open(
    _ location: String, for purpose: OpeningPurpose, busyMilliseconds: Int
  ) throws(HistoryError) -> Database

  /// The SQL that differs between databases.
  static var dialect: Dialect { get }

  /// The name of the file or server in messages.
  var place: String { get }

  /// The path of the history's file, beside which its runs have theirs; nil for a history on a
  /// server.
  var file: String? { get }

  /// True if the history is read as a file that nobody writes to.
  var isAtRest: Bool { get }

  /// The number of rows that the last statement deleted, inserted or changed.
  var changes: Int { get }

  /// Runs statements without parameters.
  func execute(_ sql: String) throws(HistoryError)

  /// Prepares a statement for repeated use, written in SQLite's form.
  func prepare(_ sql: String) throws(HistoryError) -> any DatabaseStatement

  /// Prepares to insert rows into a table.
  ///
  /// - Parameter columns: all columns to be written; the first is `id`.
  func rowWriter(
    into table: StaticString, _ columns: [String]
  ) throws(HistoryError) -> any RowWriter

  /// Commits the transaction.
  ///
  /// - Throws: `HistoryError`. After `connectionLost`, the transaction may or may not have taken
  ///   effect.
  func commit() throws(HistoryError)

  /// Rolls back the transaction, if there is one.
  func rollBack()

  /// Takes the lease of a run.
  ///
  /// - Throws: `HistoryError.owned` if another process holds it, with what is known about that
  ///   process.
  func takeLease(of run: RunNumber) throws(HistoryError) -> any RunLease

  /// Returns true if a process holds the lease of a run.
  func isLeased(_ run: RunNumber) throws(HistoryError) -> Bool

  /// True if the connection was lost. No call succeeds until ``reconnect()``. That of a file is never
  /// lost.
  var isLost: Bool { get }

  /// Reconnects after the connection was lost. A driver for files has nothing to do.
  func reconnect() throws(HistoryError)

  /// Has calls end with `connectionLost`, rather than wait for a server, once `isOver` returns true. A
  /// driver for files has nothing to do.
  func giveUp(when isOver: @escaping @Sendable () -> Bool)

  /// Prepares for a run of few pushes, in which the time for opening and closing matters. A driver
  /// for servers has nothing to do.
  func expectLittle() throws(HistoryError)

  /// Returns the space of removed rows to the system, during which others are locked out. A server
  /// reuses it by itself.
  ///
  /// - Returns: false if others prevent it.
  func giveSpaceBack() throws(HistoryError) -> Bool
}

extension DatabaseDriver {
  /// The SQL that differs between databases.
  package var dialect: Dialect { Self.dialect }
}

/// The purpose of opening a history.
package enum OpeningPurpose {
  /// Writing; the history is created if missing.
  case making
  /// Writing to an existing history.
  case writing
  /// Reading, also where nothing can be written.
  case reading
}

extension DatabaseDriver {
  package var file: String? { nil }

  package var isAtRest: Bool { false }

  package var isLost: Bool { false }

  package func reconnect() throws(HistoryError) {}

  package func giveUp(when isOver: @escaping @Sendable () -> Bool) {}

  package func expectLittle() throws(HistoryError) {}

  package func giveSpaceBack() throws(HistoryError) -> Bool { true }

  /// The integer that a statement without parameters returns, such as a PRAGMA.
  package func number(_ sql: String) throws(HistoryError) -> Int64 {
    let statement = try prepare(sql)
    return try statement.step() ? statement.int64(0) : 0
  }

  /// The text that a statement without parameters returns.
  package func text(_ sql: String) throws(HistoryError) -> String? {
    let statement = try prepare(sql)
    return try statement.step() ? statement.text(0) : nil
  }
}

/// A prepared statement of a ``DatabaseDriver``, with its bound values and its current row.
/// Parameters are numbered from 1, columns from 0.
package protocol DatabaseStatement: AnyObject {
  /// The name of the file or server in messages.
  var place: String { get }

  /// Advances to the next row; false at the end, after which the statement can be used again.
  func step() throws(HistoryError) -> Bool

  /// Runs a statement and ignores its rows.
  func run() throws(HistoryError)

  /// Releases the current row; the next step starts from the beginning.
  func reset()

  /// Binds a value. A parameter that the statement does not have is ignored.
  func bind(_ value: StatementParameter, at parameter: Int32)

  /// True for NULL.
  func isNull(_ column: Int32) -> Bool

  /// An integer; 0 for NULL, 1 for true.
  func int64(_ column: Int32) -> Int64

  /// A text; nil for NULL.
  func text(_ column: Int32) -> String?

  /// The bytes of a blob or a text, valid until the next step.
  func bytes(_ column: Int32) -> UnsafeRawBufferPointer
}

/// A value for a statement. It has a type even if it is NULL, so that statements need no casts.
package enum StatementParameter: Hashable, Sendable {
  /// NULL of the type that the database infers.
  case null
  case int64(Int64?)
  case text(String?)
  case bytes([UInt8]?)
  /// Numbers for ``Dialect/idIsAmong``.
  case numbers([Int64])
}

/// Inserts rows into a table in the way that is fastest for its database: one by one, or in
/// batches.
package protocol RowWriter: AnyObject {
  /// Adds a row, within the caller's transaction.
  ///
  /// - Parameters:
  ///   - id: the first of the values.
  ///   - values: the values of all columns, with exactly the columns' types.
  ///   - replacing: true if a row with this number may exist; it is then replaced.
  func add(_ id: Int64, _ values: [StatementParameter], replacing: Bool) throws(HistoryError)

  /// Writes the pending rows, within the caller's transaction.
  func write() throws(HistoryError)

  /// Discards the pending rows after the transaction was rolled back.
  func clear()
}

/// The right to send a run's pushes. It ends with the object, or with the process that holds it.
package protocol RunLease: AnyObject {
  /// Takes the lease again after it was lost with the connection.
  ///
  /// - Throws: `HistoryError.owned` if another process has taken it.
  func renew() throws(HistoryError)
}
