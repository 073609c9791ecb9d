import TestSupport
import Testing

@testable import SQLHistory

@Suite("The tables of a history")
struct HistoryTablesTests {
  /// From the first release on, these snapshots are never recorded anew: other people have histories
  /// with these tables. What changes then is a further version, with a snapshot of its own.
  @Test("are those of the version that they say, in each kind of database")
  func released() throws {
    try expectSnapshot(SQLiteSchema.creation + "\n", "sqlite-1.sql")
    try expectSnapshot(PostgreSQLSchema.creation + "\n", "postgresql-1.sql")
    #expect(HistoryTables.version == 1)
  }
}
