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
