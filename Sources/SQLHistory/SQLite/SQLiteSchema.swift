internal import PushModel

/// The tables of a history in a file.
enum SQLiteSchema {
  /// The tables, and the indexes on results. Accepted pushes are in neither of the two, whose entries
  /// are inserted in the order of the rows.
  static let creation = """
    \(HistoryTables.text)
    CREATE INDEX results_reason ON results (reason) WHERE reason IS NOT NULL;
    CREATE INDEX results_outcome ON results (outcome) WHERE outcome <> 0;
    PRAGMA application_id = \(Database.applicationID);
    PRAGMA user_version = \(HistoryTables.version);
    """

  /// Creates the tables, unless they are there, and marks the file as ours.
  static func prepare(_ driver: SQLiteDriver) throws(HistoryError) {
    if try isThere(driver) { return }
    try Database(driver).transaction { () throws(HistoryError) in
      // Another process may have done it while this one waited.
      if try !isThere(driver) { try driver.execute(creation) }
    }
  }

  private static func isThere(_ driver: SQLiteDriver) throws(HistoryError) -> Bool {
    try driver.number("PRAGMA user_version") == Int64(HistoryTables.version)
  }
}
