package import PushModel

extension Database {
  /// Opens a history, or creates an empty one.
  ///
  /// - Parameters:
  ///   - location: a file, or an address that begins with `postgresql://`.
  ///   - busyMilliseconds: the time to wait for another process.
  package static func open(
    _ location: String, busyMilliseconds: Int = usualBusyMilliseconds
  ) throws(HistoryError) -> Database {
    try HistoryLocation(location).driver
      .open(location, for: .making, busyMilliseconds: busyMilliseconds)
  }

  /// Opens an existing history for writing.
  ///
  /// - Throws: `HistoryError.missing` if there is none, or `empty`.
  package static func openExisting(
    _ location: String, busyMilliseconds: Int = usualBusyMilliseconds
  ) throws(HistoryError) -> Database {
    try HistoryLocation(location).driver
      .open(location, for: .writing, busyMilliseconds: busyMilliseconds)
  }

  /// Opens an existing history for reading.
  static func openForReading(_ location: String) throws(HistoryError) -> Database {
    try HistoryLocation(location).driver
      .open(location, for: .reading, busyMilliseconds: usualBusyMilliseconds)
  }
}
