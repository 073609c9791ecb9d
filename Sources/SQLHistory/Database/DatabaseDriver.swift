package import PushModel

/// A connection to a history in one kind of database. It belongs to one thread at a time.
///
/// A new kind needs a driver, a ``DatabaseStatement`` and a ``Dialect``, and a row in ``Database/drivers``.
package protocol DatabaseDriver: AnyObject, SendableMetatype {
  /// Tells by its location whether a history is of this kind.
  static func opens(_ location: HistoryLocation) -> Bool

  /// Opens a history, and brings its tables up to date.
  ///
  /// - Parameters:
  ///   - location: a path or a URL, as a person has written it.
  ///   - busyMilliseconds: the longest wait for others.
  static func open(
    _ location: String, for purpose: OpeningPurpose, busyMilliseconds: Int
  ) throws(HistoryError) -> Database

  /// The SQL that other databases have in another form.
  var dialect: Dialect { get }

  /// The file or the server, as messages call it.
  var place: String { get }

  /// True when the history is read as one that is never written to.
  var isAtRest: Bool { get }

  /// The number of rows that the last statement took out, put in or changed.
  var changes: Int { get }

  /// Runs statements that take no values.
  func execute(_ sql: String) throws(HistoryError)

  /// Prepares a statement that will be used often, in SQLite's form.
  func prepare(_ sql: String) throws(HistoryError) -> any DatabaseStatement

  /// Prepares to put rows into a table.
  ///
  /// - Parameter columns: all that are given; the first is `id`.
  func rowWriter(
    into table: StaticString, _ columns: [String]
  ) throws(HistoryError) -> any RowWriter

  /// Ends a transaction.
  ///
  /// - Throws: `HistoryError`; after `connectionLost` it may or may not have taken effect.
  func commit() throws(HistoryError)

  /// Ends a transaction, if there is one, as if it had not been.
  func rollBack()

  /// Takes the lease of a run.
  ///
  /// - Parameter location: the history's, as it was opened.
  /// - Throws: `HistoryError.owned` when another process has it, with what is known of that.
  func takeLease(of run: RunNumber, at location: String) throws(HistoryError) -> any RunLease

  /// Finds out whether a process has the lease of a run.
  func isLeased(_ run: RunNumber, at location: String) throws(HistoryError) -> Bool

  /// Connects again when the connection was lost. A file is always there.
  func reconnect() throws(HistoryError)

  /// Prepares for a run of a few pushes, whose time is its own. A server needs no preparation.
  func expectLittle() throws(HistoryError)

  /// Gives the space back that removed rows have left, which locks others out for as long as it takes. A
  /// server reuses it by itself.
  ///
  /// - Returns: false when others keep it from being given back.
  func giveSpaceBack() throws(HistoryError) -> Bool
}

/// The purpose for which a history is opened.
package enum OpeningPurpose {
  /// To write to it. It is made where there is none.
  case making
  /// To write to one that is there.
  case writing
  /// To ask it questions. It is written to only to bring its tables up to date, and not at all where that
  /// is not allowed.
  case reading
}

extension DatabaseDriver {
  package var isAtRest: Bool { false }

  package func reconnect() throws(HistoryError) {}

  package func expectLittle() throws(HistoryError) {}

  package func giveSpaceBack() throws(HistoryError) -> Bool { true }

  /// The whole number that a statement without values gives, such as a PRAGMA.
  package func number(_ sql: String) throws(HistoryError) -> Int64 {
    let statement = try prepare(sql)
    return try statement.step() ? statement.int64(0) : 0
  }

  /// The text that a statement without values gives.
  package func text(_ sql: String) throws(HistoryError) -> String? {
    let statement = try prepare(sql)
    return try statement.step() ? statement.text(0) : nil
  }
}

/// One prepared statement of a ``DatabaseDriver``: the values that are bound to it, and the row that it
/// stands on. Parameters are numbered from 1, columns from 0.
package protocol DatabaseStatement: AnyObject {
  /// The file or the server, as messages call it.
  var place: String { get }

  /// Goes to the next row; false at the end, where the statement is ready for its next use.
  func step() throws(HistoryError) -> Bool

  /// Runs a statement whose rows, if any, do not matter.
  func run() throws(HistoryError)

  /// Lets go of the row it stands on; the next step starts anew.
  func reset()

  /// Binds a value. A parameter that the statement does not have is left out.
  func bind(_ value: StatementParameter, at parameter: Int32)

  /// True for NULL.
  func isNull(_ column: Int32) -> Bool

  /// A whole number; 0 for NULL, and 1 for a truth.
  func int64(_ column: Int32) -> Int64

  /// A text; nil for NULL.
  func text(_ column: Int32) -> String?

  /// The bytes of a blob or a text, valid until the next step.
  func bytes(_ column: Int32) -> UnsafeRawBufferPointer
}

/// A value for a statement. It has a type also when it is NULL, so that statements need no casts.
package enum StatementParameter: Hashable, Sendable {
  /// NULL of whatever type the database finds.
  case null
  case int64(Int64?)
  case text(String?)
  case bytes([UInt8]?)
  /// Numbers for ``Dialect/idIsAmong``.
  case numbers([Int64])
}

/// Puts rows into a table, in the way that is the fastest for its database: each at once, or many that
/// have waited.
package protocol RowWriter: AnyObject {
  /// Adds a row, within the caller's transaction.
  ///
  /// - Parameters:
  ///   - id: the first of the values.
  ///   - values: those of all columns, of exactly their types.
  ///   - replacing: whether there may be a row with this number, which it replaces.
  func add(_ id: Int64, _ values: [StatementParameter], replacing: Bool) throws(HistoryError)

  /// Writes the rows that wait, within the caller's transaction.
  func write() throws(HistoryError)

  /// Forgets the rows that wait: the transaction was rolled back.
  func clear()
}

/// The right to send a run's pushes. It ends with the object, and with the process that holds it.
package protocol RunLease: AnyObject {
  /// Takes the lease again when it was lost with the connection.
  ///
  /// - Throws: `HistoryError.owned` when another process has it by now.
  func renew() throws(HistoryError)
}
