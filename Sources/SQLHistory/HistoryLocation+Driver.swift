package import PushModel

// What depends on the kind of database at a location.
extension HistoryLocation {
  private static let drivers: [any DatabaseDriver.Type] = [
    PostgreSQLSession.self, SQLiteDriver.self,
  ]

  /// The driver that opens it.
  ///
  /// - Throws: `HistoryError.invalidAddress` for text that none knows.
  var driver: any DatabaseDriver.Type {
    get throws(HistoryError) {
      guard let driver = Self.drivers.first(where: { $0.opens(self) }) else {
        throw .invalidAddress
      }
      return driver
    }
  }

  /// Workers can share a run.
  package var hasQueue: Bool { (try? driver)?.dialect.hasQueue ?? false }

  /// The files that the database consists of; empty for a server.
  package var files: [String] { (try? driver)?.files(at: self) ?? [] }

  /// The error in the location; nil when it is usable.
  package var fault: HistoryError? {
    do throws(HistoryError) {
      try driver.check(self)
      return nil
    } catch {
      return error
    }
  }

  /// The location without passwords, for display.
  package var shown: String { fault == nil ? text : "(hidden, as it may contain a password)" }
}
