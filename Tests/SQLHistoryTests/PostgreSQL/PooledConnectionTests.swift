import PushModel
import SendingSupport
import TestSupport
import Testing

@testable import SQLHistory

@Suite("A connection pooler before the database", .needsPostgreSQL, .needs("pgbouncer"))
struct PooledConnectionTests {
  private let database: PostgresDatabase

  init() throws { database = try PostgresDatabase() }

  private func session(_ pooler: PostgresPooler, waiting seconds: Int = 10) throws
    -> PostgreSQLSession
  {
    let address = pooler.address(of: database.name) + "&connect_timeout=\(seconds)"
    return try PostgreSQLSession(address, lockMilliseconds: 1000)
  }

  @Test("that holds sessions is as good as none, until it has no connection left")
  func sessions() throws {
    let pooler = try PostgresPooler(of: try PostgresServer.shared.get(), mode: "session", size: 1)
    let first = try session(pooler)
    try first.execute("SELECT 1")
    let error = HistoryError.noConnectionLeft(server: database.shownAddress)
    #expect(error.mayPass)
    #expect(throws: error) { try session(pooler, waiting: 2) }
    try first.execute("SELECT 1")
  }

  @Test("that gives each transaction another session is refused", arguments: [1, 3])
  func transactions(size: Int) throws {
    let pooler = try PostgresPooler(
      of: try PostgresServer.shared.get(), mode: "transaction", size: size)
    let error = HistoryError.pooledTransactions(server: database.shownAddress)
    #expect(!error.mayPass)
    #expect(throws: error) { try session(pooler) }
    #expect(throws: error) { try SQLLedger.look(at: pooler.address(of: database.name)) }
  }
}
