import Foundation
import SQLHistory
import Synchronization
package import TestSupport
package import Testing

/// A place for a history of a test's own, in a database of the kind that the test runs over. What is in
/// it is gone when nobody holds it any more.
package struct HistoryReference: Sendable {
  /// Where it is, as `--history` would say.
  package let path: String
  /// Where messages say that it is.
  package let name: String
  /// For the test's files. A history in SQLite is the file `history.sqlite` in it.
  package let folder: KeptFolder
  private let database: PostgresDatabase?
  private let loan: EmptyHistory?

  /// - Parameter isBare: whether there is no history yet, in a database that no other test will use. In
  ///   SQLite there never is one.
  package init(isBare: Bool = false) throws {
    folder = try KeptFolder()
    let isFile = HistoryKind.current == .sqlite
    loan = isFile || isBare ? nil : try EmptyHistory()
    database = isFile ? nil : try loan?.database ?? PostgresDatabase()
    path = database?.address ?? folder.path(of: "history.sqlite")
    name = database?.shownAddress ?? path
  }

  /// Whether there is a history.
  package var isMade: Bool {
    get throws {
      guard let database else { return FileManager.default.fileExists(atPath: path) }
      return try database.rows("SELECT to_regclass('fanfare.runs')") != [[nil]]
    }
  }

  /// Expects that nothing is damaged, where the database can tell.
  package func expectWhole(_ location: SourceLocation = #_sourceLocation) throws {
    guard database == nil else { return }
    let found = try rows("PRAGMA integrity_check", in: path)
    #expect(found == ["ok"], sourceLocation: location)
  }

  /// Waits until nobody is connected: PostgreSQL hears of a process's death a moment later.
  package func waitUntilUnused() throws { try database?.waitUntilUnused() }
}

// Where the databases write something differently.
extension HistoryReference {
  /// Bytes, given in hexadecimal.
  package func blob(_ digits: String) -> String {
    database == nil ? "x'\(digits)'" : "'\\x\(digits)'::bytea"
  }

  /// Bytes as digits.
  package func hex(_ column: String) -> String {
    database == nil ? "lower(hex(\(column)))" : "encode(\(column), 'hex')"
  }

  /// Bytes as text.
  package func text(_ column: String) -> String {
    database == nil ? "CAST(\(column) AS TEXT)" : "convert_from(\(column), 'UTF8')"
  }
}

/// A history in PostgreSQL without runs. One test uses it after the other, because to empty one takes a
/// third of the time that it takes to make one.
private final class EmptyHistory: Sendable {
  let database: PostgresDatabase
  private static let idle = Mutex<[PostgresDatabase]>([])

  init() throws {
    if let idle = Self.idle.withLock({ $0.popLast() }) {
      database = idle
    } else {
      database = try PostgresDatabase()
      try SQLLedger.look(at: database.address)
    }
  }

  /// One that cannot be emptied is not used again.
  deinit {
    do {
      try database.endConnections()
      try database.empty("fanfare", except: "format")
    } catch { return }
    Self.idle.withLock { $0.append(database) }
  }
}
