package import PushModel

extension Database {
  /// The kinds of databases that a history can be in.
  private static let drivers: [any DatabaseDriver.Type] = [
    PostgreSQLSession.self, SQLiteDriver.self,
  ]

  /// Opens a history, or makes an empty one.
  ///
  /// - Parameters:
  ///   - location: a file, or an address that begins with `postgresql://`.
  ///   - busyMilliseconds: how long to wait for another process.
  package static func open(
    _ location: String, busyMilliseconds: Int = usualBusyMilliseconds
  ) throws(HistoryError) -> Database {
    try driver(of: location).open(location, for: .making, busyMilliseconds: busyMilliseconds)
  }

  /// Opens a history that is there to write to it.
  ///
  /// - Throws: `HistoryError.missing` when there is none, or `empty`.
  package static func openExisting(
    _ location: String, busyMilliseconds: Int = usualBusyMilliseconds
  ) throws(HistoryError) -> Database {
    try driver(of: location).open(location, for: .writing, busyMilliseconds: busyMilliseconds)
  }

  /// Opens a history that is there to ask it questions. It is written to only to bring its tables up
  /// to date, and not at all where that is not allowed.
  static func openForReading(_ location: String) throws(HistoryError) -> Database {
    try driver(of: location)
      .open(location, for: .reading, busyMilliseconds: usualBusyMilliseconds)
  }

  private static func driver(of location: String) -> any DatabaseDriver.Type {
    drivers.first { $0.opens(HistoryLocation(location)) } ?? SQLiteDriver.self
  }
}
