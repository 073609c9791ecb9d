import PushModel
import SendingSupport
import Synchronization
import TestSupport
import Testing

@testable import SQLHistory

@Suite("A run's lease in PostgreSQL", .needsPostgreSQL)
struct SessionLeaseTests {
  private let server: PostgresDatabase
  private let run: RunNumber

  init() throws {
    server = try PostgresDatabase()
    run = try #require(RunNumber(rawValue: 9))
  }

  private func take(_ database: borrowing Database) throws(HistoryError) -> any RunLease {
    try database.driver.takeLease(of: run)
  }

  private func isLeased(_ database: borrowing Database) throws -> Bool {
    try database.driver.isLeased(run)
  }

  @Test("has one holder, and is free when that lets go of it")
  func owned() throws {
    let first = try Database.open(server.address)
    let second = try Database.open(server.address)
    do {
      let lease = try take(first)
      #expect(throws: HistoryError.owned(run: run, pid: nil, host: nil)) { try take(second) }
      #expect(try isLeased(first) && isLeased(second))
      withExtendedLifetime(lease) {}
    }
    #expect(try !isLeased(first) && !isLeased(second))
    _ = try take(second)
  }

  @Test("is one run's, in one database")
  func others() throws {
    let database = try Database.open(server.address)
    let lease = try take(database)
    let next = try #require(RunNumber(rawValue: 10))
    #expect(try !database.driver.isLeased(next))
    let neighbour = try PostgresDatabase()
    #expect(try !isLeased(Database.open(neighbour.address)))
    withExtendedLifetime(lease) {}
  }

  @Test("outlives the database's value, but not its session")
  func ended() throws {
    let other = try Database.open(server.address)
    var lease: (any RunLease)?
    do { lease = try take(Database.open(server.address)) }
    #expect(try isLeased(other))
    try server.endSessions()
    try other.loseAndReconnect()
    #expect(try !isLeased(other))
    withExtendedLifetime(lease) {}
  }

  @Test("is taken again over a new connection")
  func renewed() throws {
    let database = try Database.open(server.address)
    let lease = try take(database)
    try server.endSessions()
    try database.loseAndReconnect()
    #expect(try !isLeased(database))
    try lease.renew()
    try lease.renew()
    let error = #expect(throws: HistoryError.self) { try take(Database.open(server.address)) }
    #expect(error?.isOwned == true)
  }

  @Test("stays with another session that took it meanwhile")
  func stolen() throws {
    let database = try Database.open(server.address)
    let lease = try take(database)
    try server.endSessions()
    let thief = try take(Database.open(server.address))
    try database.loseAndReconnect()
    #expect(throws: HistoryError.owned(run: run, pid: nil, host: nil)) { try lease.renew() }
    withExtendedLifetime(thief) {}
  }

  @Test("names the machine that has it")
  func host() throws {
    let server = try PostgresServer(listening: true)
    let address = "postgresql://fanfare@127.0.0.1:\(server.port)/postgres"
    let lease = try Database.open(address).driver.takeLease(of: run)
    #expect(throws: HistoryError.owned(run: run, pid: nil, host: "127.0.0.1")) {
      try Database.open(address).driver.takeLease(of: run)
    }
    withExtendedLifetime(lease) {}
  }

  @Test("has one holder at any time, however many want it")
  func crowd() throws {
    let (address, run) = (server.address, run)
    let held = HolderCount()
    let failures = Atomic(0)
    try within {
      onThreads(4) { _ in
        do {
          let database = try Database.open(address)
          for _ in 0..<100 {
            guard let lease = try? database.driver.takeLease(of: run) else { continue }
            held.enter()
            held.leave()
            withExtendedLifetime(lease) {}
          }
        } catch {
          failures.add(1, ordering: .relaxed)
        }
      }
    }
    #expect(held.most == 1 && failures.load(ordering: .relaxed) == 0)
  }
}

extension PostgresDatabase {
  /// Ends all sessions that others have with it, and waits until they have ended.
  func endSessions() throws {
    try execute(
      """
      SELECT pg_terminate_backend(pid, 30000) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()
      """)
  }
}

extension Database {
  /// Finds out that the connection was lost, and connects again.
  func loseAndReconnect() throws {
    #expect(throws: HistoryError.connectionLost(server: place)) { try execute("SELECT 1") }
    let session = try #require(driver as? PostgreSQLSession)
    #expect(session.isLost)
    try session.reconnect()
    #expect(!session.isLost)
  }
}
