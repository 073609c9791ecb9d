import Foundation
import PushModel
import TestSupport
import Testing

@testable import SQLHistory

@Suite("A database that is gone or refuses", .needsPostgreSQL)
struct LostConnectionTests {
  @Test("a server that crashes ends each call, and comes back")
  func crash() throws {
    let server = try PostgresServer()
    let database = try PostgresDatabase(on: server)
    let first = try DatabaseConnection.open(database)
    let second = try DatabaseConnection.open(database)
    try server.stop("immediate")
    #expect(isLost(#expect(throws: DatabaseError.self) { try first.execute("SELECT 1") }))
    #expect(
      isLost(
        #expect(throws: DatabaseError.self) { try second.queryPrepared("SELECT $1", [.int64(1)]) }))
    let refused = #expect(throws: DatabaseError.self) { try DatabaseConnection.use(database) }
    guard case .cannotConnect? = refused else {
      Issue.record("\(String(describing: refused))")
      return
    }
    try server.start()
    try DatabaseConnection.use(database)
  }

  @Test("a server that is frozen is waited for only so long, and one that works as long as it does")
  func frozen() throws {
    let server = try PostgresServer()
    let database = try PostgresDatabase(on: server)
    let session = try PostgreSQLSession(
      database.address + "&tcp_user_timeout=50&connect_timeout=2", lockMilliseconds: 1000)
    try session.execute("SELECT pg_sleep(0.3)")
    let other = try PostgreSQLSession(
      database.address + "&tcp_user_timeout=50&connect_timeout=2", lockMilliseconds: 1000)
    let frozen = HistoryError.connectionLost(server: database.shownAddress, silence: 50)
    try database.freezeServer {
      #expect(throws: frozen) { try session.execute("SELECT 1") }
      #expect(throws: frozen) { try other.query("SELECT $1::bigint", [.int64(1)]) }
      #expect(throws: HistoryError.connectionLost(server: database.shownAddress)) {
        try session.execute("SELECT 1")
      }
    }
    try session.reconnect()
    try session.execute("SELECT 1")
  }

  @Test("a server that is frozen is not waited for once the worker is to end")
  func givenUp() throws {
    let server = try PostgresServer()
    let database = try PostgresDatabase(on: server)
    let session = try PostgreSQLSession(database.address, lockMilliseconds: 1000)
    session.giveUp { true }
    try session.execute("SELECT 1")
    try database.freezeServer {
      // By itself it would be asked for half a minute whether it still works.
      let error = #expect(throws: HistoryError.self) { try session.execute("SELECT 1") }
      guard case .connectionLost(_, let silence?)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(silence < 30_000)
      // Nor is it connected to again.
      #expect(throws: HistoryError.connectionLost(server: database.shownAddress)) {
        try session.reconnect()
      }
    }
  }

  @Test("one connection can be ended by an administrator")
  func administrator() throws {
    let database = try PostgresDatabase()
    let connection = try DatabaseConnection.open(database)
    try database.execute(
      """
      SELECT pg_terminate_backend(pid, 30000) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()
      """)
    #expect(isLost(#expect(throws: DatabaseError.self) { try connection.execute("SELECT 1") }))
  }

  @Test("no message holds the password, wherever libpq has it from")
  func secrets() throws {
    let server = try PostgresServer(
      listening: true, access: "local all all trust\nhost all all all scram-sha-256")
    let database = try PostgresDatabase(on: server)
    try database.execute("CREATE ROLE worker LOGIN PASSWORD 's3cret'")
    try withFile("pgpass", "127.0.0.1:*:*:worker:s3cret\n") { file in
      try #require(chmod(file, 0o600) == 0)
      let address = try DatabaseAddress(
        "host=127.0.0.1 port=\(server.port) dbname=postgres user=worker passfile=\(file)")
      let connection = try DatabaseConnection.open(address)
      let failure = #expect(throws: DatabaseError.self) {
        try connection.execute("DO $$ BEGIN RAISE EXCEPTION 'it is s3cret!'; END $$")
      }
      #expect(failure?.refusal?.message == "it is …!")
      let denied = #expect(throws: DatabaseError.self) { try connection.execute("CREATE ROLE x") }
      #expect(denied?.state == .insufficientPrivilege)
    }
  }

  @Test(
    "each condition has a meaning for the history",
    arguments: [
      ("53100", HistoryError.full), ("55P03", .locked(milliseconds: 20)), ("25006", .readOnly),
      ("42P01", .missing(path: "it")),
      ("3F000", .missing(path: "it")), ("XX001", .corrupt(path: "it")),
      ("2202E", .corrupt(path: "it")), ("22003", .corrupt(path: "it")),
      ("22011", .corrupt(path: "it")),
      ("42501", .denied(server: "it", reason: "why")),
      ("22012", .refused(server: "it", state: "22012", reason: "why")),
    ])
  func meanings(_ state: String, _ meaning: HistoryError) {
    let refusal = DatabaseError.Refusal(
      server: "it", state: SQLState(rawValue: state), message: "why")
    #expect(HistoryError(.refused(refusal), lockMilliseconds: 20) == meaning)
    #expect(HistoryError(.lost(refusal), lockMilliseconds: 20) == .connectionLost(server: "it"))
  }

  private func isLost(_ error: DatabaseError?) -> Bool {
    if case .lost = error { true } else { false }
  }
}

extension DatabaseConnection {
  /// Connects, and asks something.
  fileprivate static func use(_ database: PostgresDatabase) throws {
    try open(database).execute("SELECT 1")
  }
}
