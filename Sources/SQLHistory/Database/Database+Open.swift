internal import PushModel

extension Database {
  /// Opens a history, or makes an empty one.
  ///
  /// - Parameters:
  ///   - location: a file, or an address that begins with `postgresql://`.
  ///   - busyMilliseconds: how long to wait for another process.
  static func open(
    _ location: String, busyMilliseconds: Int = usualBusyMilliseconds
  ) throws(HistoryError) -> Database {
    guard HistoryLocation(location).isPostgreSQL else {
      return try openFile(location, busyMilliseconds: busyMilliseconds)
    }
    let database = try connect(location, busyMilliseconds: busyMilliseconds)
    try database.migratePostgreSQL()
    return database
  }

  /// Opens a history that is there to write to it.
  ///
  /// - Throws: `HistoryError.missing` when there is none, or `empty`.
  static func openExisting(
    _ location: String, busyMilliseconds: Int = usualBusyMilliseconds
  ) throws(HistoryError) -> Database {
    guard HistoryLocation(location).isPostgreSQL else {
      try checkIsThere(location)
      return try openFile(location, busyMilliseconds: busyMilliseconds)
    }
    let database = try connect(location, busyMilliseconds: busyMilliseconds)
    try database.checkIsThere()
    try database.migratePostgreSQL()
    return database
  }

  /// Opens a history that is there to ask it questions. It is written to only to bring its tables up
  /// to date, and not at all where that is not allowed.
  static func openForReading(_ location: String) throws(HistoryError) -> Database {
    guard HistoryLocation(location).isPostgreSQL else { return try openFileForReading(location) }
    let database = try connect(location, busyMilliseconds: usualBusyMilliseconds)
    try database.checkIsThere()
    do throws(HistoryError) {
      try database.migratePostgreSQL()
    } catch .readOnly {
      throw HistoryError.olderReadOnly(path: database.server)
    }
    return database
  }

  private static func connect(
    _ location: String, busyMilliseconds: Int
  ) throws(HistoryError) -> Database {
    let session = try PostgreSQLSession(location, lockMilliseconds: busyMilliseconds)
    return Database(.postgreSQL(session), busyMilliseconds: busyMilliseconds)
  }

  private func checkIsThere() throws(HistoryError) {
    if try number("SELECT to_regclass('fanfare.runs') IS NOT NULL") == 0 {
      throw HistoryError.missing(path: server)
    }
  }
}
