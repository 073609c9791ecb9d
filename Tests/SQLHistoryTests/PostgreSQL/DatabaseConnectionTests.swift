import TestSupport
import Testing

@testable import SQLHistory

@Suite("A connection to PostgreSQL", .needsPostgreSQL)
struct DatabaseConnectionTests {
  private let database: PostgresDatabase

  init() throws { database = try PostgresDatabase() }

  @Test("prepares a statement once")
  func prepared() throws {
    let connection = try DatabaseConnection.open(database)
    for number in [1, 2, 3] as [Int64] {
      let rows = try connection.queryPrepared("SELECT $1 + 1", [.int64(number)])
      #expect(rows.wholeNumber(0, 0) == number + 1)
    }
    let count = try connection.query("SELECT count(*) FROM pg_prepared_statements")
    #expect(count.wholeNumber(0, 0) == 1)
  }

  @Test("prepares a statement again for a value after NULL, and once more for none")
  func preparedForNull() throws {
    let connection = try DatabaseConnection.open(database)
    for value in [.null, .int64(7), .null, .int64(8)] as [StatementParameter] {
      let rows = try connection.queryPrepared("SELECT coalesce($1, 0)", [value])
      #expect(rows.wholeNumber(0, 0) == (value == .null ? 0 : value == .int64(7) ? 7 : 8))
    }
    let count = try connection.query("SELECT count(*) FROM pg_prepared_statements")
    #expect(count.wholeNumber(0, 0) == 2)
  }
}

extension DatabaseConnection {
  static func open(_ database: PostgresDatabase) throws -> DatabaseConnection {
    try open(DatabaseAddress(database.address))
  }
}
