import Foundation
import History
import PushModel
import SendingSupport
import TestSupport
import Testing

@testable import SQLHistory

@Suite("The schema of a history in PostgreSQL", .needsPostgreSQL)
struct HistorySchemaTests {
  private let database: PostgresDatabase
  private var path: String { database.address }

  init() throws { database = try PostgresDatabase() }

  @Test("is all that is made in a database, and is left as it is by whoever comes next")
  func schema() throws {
    for _ in 1...2 { try SQLLedger.look(at: path) }
    let schemas = """
      SELECT nspname, count(oid) FROM pg_namespace WHERE nspname !~ '^pg_' GROUP BY 1 ORDER BY 1
      """
    #expect(
      try database.rows(schemas).map { $0[0] } == ["fanfare", "information_schema", "public"])
    let outside = """
      SELECT count(*) FROM pg_class JOIN pg_namespace AS schema ON schema.oid = relnamespace
        WHERE nspname = 'public'
      """
    #expect(try database.rows(outside) == [["0"]])
  }

  @Test("does not depend on settings of the user")
  func settings() throws {
    try database.execute(
      """
      CREATE SCHEMA other;
      ALTER DATABASE \(database.name) SET search_path TO other;
      ALTER DATABASE \(database.name) SET default_transaction_isolation TO serializable;
      ALTER DATABASE \(database.name) SET standard_conforming_strings TO off;
      ALTER DATABASE \(database.name) SET synchronous_commit TO off
      """)
    let ledger = try SQLLedger.begin(.sample(), at: path)
    try ledger.record(try Push.samples(3).map(\.accepted), now: dawn)
    try ledger.finishAll(3)
    #expect(try HistoryReader(path).newestRun()?.tally.accepted == 3)
    #expect(try rows("SELECT line FROM pushes ORDER BY id", in: path) == ["10", "20", "30"])
    #expect(try ledger.database.text("SHOW synchronous_commit") == "on")
    #expect(
      try database.rows("SELECT count(*) FROM pg_class WHERE relnamespace = 'other'::regnamespace")
        == [["0"]])
  }

  @Test("is refused when a newer version made it, and nothing is written to it")
  func newer() throws {
    try SQLLedger.look(at: path)
    try database.execute("UPDATE fanfare.format SET version = 99")
    let error = HistoryError.newerSchema(
      path: database.shownAddress, found: 99, known: HistoryTables.version)
    #expect(throws: error) { try SQLLedger.begin(.sample(), at: path) }
    #expect(throws: error) { try HistoryReader(path) }
    #expect(try database.rows("SELECT count(*) FROM fanfare.runs") == [["0"]])
  }

  @Test("is refused when a build before the first release made it, and is left as it is")
  func beforeRelease() throws {
    try database.execute(
      "CREATE SCHEMA fanfare; CREATE TABLE fanfare.schema_version (version BIGINT NOT NULL)")
    let error = HistoryError.beforeRelease(path: database.shownAddress)
    #expect(throws: error) { try SQLLedger.begin(.sample(), at: path) }
    #expect(
      try database.rows(
        "SELECT count(*) FROM pg_class WHERE relnamespace = 'fanfare'::regnamespace") == [["1"]])
  }
}

@Suite("Where a history in PostgreSQL cannot be")
struct HistoryLocationTests {
  @Test(
    "has a password in its location",
    arguments: ["postgresql://kim:s3cret@h/d", "postgres://h/d?password=s3cret"])
  func secrets(_ path: String) {
    #expect(throws: HistoryError.secretInAddress) { try SQLLedger.look(at: path) }
    #expect(throws: HistoryError.secretInAddress) { try HistoryReader(path) }
    #expect(throws: HistoryError.secretInAddress) { try ChannelTable(path).channels() }
  }

  @Test(
    "cannot be read as a location", arguments: ["postgresql://h/d?sslmod=x", "postgres://[h/d"])
  func nonsense(_ path: String) {
    #expect(throws: HistoryError.invalidAddress) { try SQLLedger.look(at: path) }
  }

  @Test("has no server, and then there is no file of that name either")
  func noServer() throws {
    let folder = try KeptFolder()
    let path = "postgresql:///d?host=\(folder.path)"
    for _ in 1...2 {
      let error = #expect(throws: HistoryError.self) { try SQLLedger.look(at: path) }
      if case .cannotConnect("postgresql:///d", _)? = error { continue }
      Issue.record("another error: \(error as Any)")
    }
    #expect(try folder.names() == [])
    #expect(!FileManager.default.fileExists(atPath: "postgresql:"))
  }
}
