package import PushModel

extension Database {
  /// The kinds of databases that a history can be in.
  private static let drivers: [any DatabaseDriver.Type] = [
    PostgreSQLSession.self, SQLiteDriver.self,
  ]

  /// Opens a history, or creates an empty one.
  ///
  /// - Parameters:
  ///   - location: a file, or an address that begins with `postgresql://`.
  ///   - busyMilliseconds: the time to wait for another process.
  package static func open(
    _ location: String, busyMilliseconds: Int = usualBusyMilliseconds
  ) throws(HistoryError) -> Database {
    try driver(of: location).open(location, for: .making, busyMilliseconds: busyMilliseconds)
  }

  /// Opens an existing history for writing.
  ///
  /// - Throws: `HistoryError.missing` if there is none, or `empty`.
  package static func openExisting(
    _ location: String, busyMilliseconds: Int = usualBusyMilliseconds
  ) throws(HistoryError) -> Database {
    try driver(of: location).open(location, for: .writing, busyMilliseconds: busyMilliseconds)
  }

  /// Opens an existing history for reading.
  static func openForReading(_ location: String) throws(HistoryError) -> Database {
    try driver(of: location)
      .open(location, for: .reading, busyMilliseconds: usualBusyMilliseconds)
  }

  private static func driver(of location: String) -> any DatabaseDriver.Type {
    drivers.first { $0.opens(HistoryLocation(location)) } ?? SQLiteDriver.self
  }
}
