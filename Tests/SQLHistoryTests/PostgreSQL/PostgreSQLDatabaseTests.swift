import PushModel
import TestSupport
import Testing

@testable import SQLHistory

@Suite("A history's database in PostgreSQL", .needsPostgreSQL)
struct PostgreSQLDatabaseTests {
  private let server: PostgresDatabase

  init() throws { server = try PostgresDatabase() }

  @Test("is made by who writes, and not by who asks")
  func missing() throws {
    let name = try PostgreSQLSession(server.address, lockMilliseconds: 20).place
    #expect(throws: HistoryError.missing(path: name)) {
      _ = try Database.openForReading(server.address)
    }
    #expect(throws: HistoryError.missing(path: name)) {
      _ = try Database.openExisting(server.address)
    }
    _ = try Database.open(server.address)
    _ = try Database.openForReading(server.address)
    _ = try Database.openExisting(server.address)
  }

  @Test("has a schema of its own, and what is committed is on the disk")
  func settings() throws {
    let database = try Database.open(server.address)
    #expect(try database.text("SELECT current_schema::text") == "fanfare")
    #expect(try database.text("SELECT current_setting('synchronous_commit')") == "on")
    #expect(try database.text("SELECT current_setting('lock_timeout')") == "5s")
    #expect(try database.text("SHOW default_transaction_isolation") == "read committed")
    // A process that is frozen in a transaction does not hold others up for long.
    let idle = try database.transaction { () throws(HistoryError) in
      try database.text("SHOW idle_in_transaction_session_timeout")
    }
    #expect(idle == "30s")
  }

  @Test("is not opened with a password in its address, nor with nonsense")
  func addresses() {
    #expect(throws: HistoryError.secretInAddress) {
      _ = try Database.open("postgresql://kim:s3cret@localhost/pushes")
    }
    #expect(throws: HistoryError.invalidAddress) {
      _ = try Database.openForReading("postgres://localhost/pushes?sslmod=require")
    }
  }

  @Test("says that a role has no right to it")
  func denied() throws {
    do { _ = try Database.open(server.address) }
    try server.execute("DROP ROLE IF EXISTS stranger; CREATE ROLE stranger LOGIN")
    let address = server.address.replacing("user=fanfare", with: "user=stranger")
    let error = #expect(throws: HistoryError.self) { _ = try Database.openForReading(address) }
    guard case .denied = error else { return #expect(Bool(false), "\(String(describing: error))") }
  }

  @Test("is read where nothing can be written, and is not made there")
  func readOnly() throws {
    let other = try PostgresDatabase()
    for database in [server, other] {
      if database === server { _ = try Database.open(database.address) }
      try database.execute(
        """
        DO $$ BEGIN EXECUTE format(
          'ALTER DATABASE %I SET default_transaction_read_only = on', current_database()); END $$
        """)
    }
    _ = try Database.openForReading(server.address)
    #expect(throws: HistoryError.readOnly) {
      try Database.open(server.address).execute("CREATE TABLE t (a bigint)")
    }
    #expect(throws: HistoryError.self) { _ = try Database.openForReading(other.address) }
    #expect(throws: HistoryError.readOnly) { _ = try Database.open(other.address) }
  }

  @Test("does everything or nothing in a transaction")
  func transactions() throws {
    let database = try Database.open(server.address)
    try database.execute("CREATE TABLE t (a bigint)")
    let failure = #expect(throws: HistoryError.self) { try insertTwice(database, "SELECT 1 / 0") }
    guard case .refused(_, "22012", _) = failure else {
      return #expect(Bool(false), "\(String(describing: failure))")
    }
    #expect(try database.number("SELECT count(*) FROM t") == 0)
    try insertTwice(database, "INSERT INTO t VALUES (2)")
    #expect(try database.number("SELECT count(*) FROM t") == 2)
  }

  private func insertTwice(
    _ database: borrowing Database, _ second: String
  ) throws(HistoryError) {
    try database.transaction { () throws(HistoryError) in
      try database.execute("INSERT INTO t VALUES (1)")
      try database.execute(second)
    }
  }

  @Test("does not take a rollback for a commit")
  func swallowedFailure() throws {
    let database = try Database.open(server.address)
    #expect(throws: HistoryError.self) {
      try database.transaction { () throws(HistoryError) in
        try? database.execute("SELECT 1 / 0")
      }
    }
  }

  @Test("writes nothing while it reads what belongs together, and sees nothing new")
  func reading() throws {
    let database = try Database.open(server.address)
    let other = try Database.open(server.address)
    try database.execute("CREATE TABLE t (a bigint)")
    try database.reading { () throws(HistoryError) in
      #expect(try database.number("SELECT count(*) FROM t") == 0)
      try other.execute("INSERT INTO t VALUES (1)")
      #expect(try database.number("SELECT count(*) FROM t") == 0)
      #expect(throws: HistoryError.readOnly) { try database.execute("INSERT INTO t VALUES (2)") }
    }
    #expect(try database.number("SELECT count(*) FROM t") == 1)
  }

  @Test("gives up on a lock after the time it was told")
  func locked() throws {
    let first = try Database.open(server.address)
    try first.execute("CREATE TABLE t (a bigint)")
    let second = try Database.open(server.address, busyMilliseconds: 20)
    try first.transaction { () throws(HistoryError) in
      try first.execute("LOCK TABLE t")
      #expect(throws: HistoryError.locked(milliseconds: 20)) {
        try second.number("SELECT count(*) FROM t")
      }
    }
    #expect(try second.number("SELECT count(*) FROM t") == 0)
  }
}
