import CPQ
import Foundation
import Synchronization

/// An empty database of a test's own. It is gone when nobody holds it any more.
package final class PostgresDatabase: Sendable {
  /// How the program reaches it.
  package let address: String
  /// What the program's messages say of that.
  package var shownAddress: String { "postgresql:///\(name)" }
  /// What the server calls it.
  package let name: String
  private let server: PostgresServer
  private static let count = Mutex(0)

  /// - Parameter server: nil for the one that all tests of the process share.
  package init(on server: PostgresServer? = nil) throws {
    self.server = try server ?? PostgresServer.shared.get()
    let number = Self.count.withLock { count in
      count += 1
      return count
    }
    name = "test\(number)"
    address = self.server.address(of: name)
    try PostgresSession(self.server.address(of: "postgres")).execute("CREATE DATABASE \(name)")
  }

  /// The server may have been stopped meanwhile.
  deinit {
    let session = try? PostgresSession(server.address(of: "postgres"))
    session?.tryToExecute("DROP DATABASE \(name) WITH (FORCE)")
  }

  /// What a query gives, each column as text; nil for NULL.
  package func rows(_ sql: String) throws -> [[String?]] { try PostgresSession(address).rows(sql) }

  /// Runs statements.
  package func execute(_ sql: String) throws { try PostgresSession(address).execute(sql) }

  /// How another role reaches it.
  package func address(as role: String) -> String {
    address.replacing("user=fanfare", with: "user=\(role)")
  }

  /// Ends all connections to it, as an administrator can.
  package func endConnections() throws {
    try execute("SELECT pg_terminate_backend(pid, 30000) FROM (\(Self.others)) AS others")
  }

  /// Stops all processes of its server as long as `body` runs, which does not end them.
  package func freezeServer(during body: () throws -> Void) throws {
    let first = try server.folder.text("data/postmaster.pid").split(separator: "\n").first
    let others = try rows("SELECT pid FROM pg_stat_activity").map(\.[0])
    let processes = ([first.map(String.init)] + others).compactMap { pid_t($0 ?? "") }
    for process in processes { kill(process, SIGSTOP) }
    defer { for process in processes { kill(process, SIGCONT) } }
    try body()
  }

  /// Takes all rows out of the tables of a schema, but of one table.
  package func empty(_ schema: String, except table: String) throws {
    try execute(
      """
      DO $$ BEGIN
        EXECUTE (SELECT 'TRUNCATE ' || string_agg('\(schema).' || tablename, ', ')
          || ' RESTART IDENTITY' FROM pg_tables
          WHERE schemaname = '\(schema)' AND tablename <> '\(table)');
      END $$
      """)
  }

  /// Waits until nobody is connected to it.
  package func waitUntilUnused() throws {
    try execute(
      """
      SET statement_timeout TO '60s';
      DO $$ BEGIN
        WHILE EXISTS (\(Self.others)) LOOP
          PERFORM pg_sleep(0.005), pg_stat_clear_snapshot();
        END LOOP;
      END $$
      """)
  }

  /// Waits until something is so. The server looks, with a new snapshot each time.
  ///
  /// - Parameters:
  ///   - condition: in SQL.
  ///   - requirement: in SQL, what has to be so before the condition can be asked for.
  package func wait(until condition: String, once requirement: String = "TRUE") throws {
    // In a transaction for each look: within one, the server would not see a schema that is new.
    try execute(
      """
      DO $do$
      DECLARE is_so BOOLEAN := FALSE;
      BEGIN
        FOR attempt IN 1..60000 LOOP
          IF \(requirement) THEN EXECUTE $sql$SELECT \(condition)$sql$ INTO is_so; END IF;
          IF is_so THEN RETURN; END IF;
          PERFORM pg_sleep(0.005);
          COMMIT;
        END LOOP;
        RAISE 'it did not come about';
      END $do$
      """)
  }

  private static let others = """
    SELECT pid FROM pg_stat_activity WHERE datname = current_database()
      AND backend_type = 'client backend' AND pid <> pg_backend_pid()
    """
}

/// A connection to a database beside the program's own, for as long as it lives.
package final class PostgresSession {
  private let handle: OpaquePointer

  package init(_ address: String) throws {
    guard let handle = PQconnectdb(address) else { throw PostgresFailure(text: "no memory") }
    self.handle = handle
    guard PQstatus(handle) == CONNECTION_OK else { throw PostgresFailure(text: message) }
    fanfare_pq_silence(handle)
  }

  deinit { PQfinish(handle) }

  /// Runs statements.
  package func execute(_ sql: String) throws { _ = try rows(sql) }

  /// Begins to run statements and waits for nothing.
  package func begin(_ sql: String) throws {
    guard PQsendQuery(handle, sql) == 1 else { throw PostgresFailure(text: message) }
  }

  /// Runs statements that may fail.
  package func tryToExecute(_ sql: String) { PQclear(PQexec(handle, sql)) }

  /// What a query gives, each column as text; nil for NULL.
  package func rows(_ sql: String) throws -> [[String?]] {
    let result = PQexec(handle, sql)
    defer { PQclear(result) }
    guard [PGRES_TUPLES_OK, PGRES_COMMAND_OK].contains(PQresultStatus(result)) else {
      throw PostgresFailure(text: message)
    }
    return (0..<PQntuples(result)).map { row in
      (0..<PQnfields(result)).map { column in
        PQgetisnull(result, row, column) == 1
          ? nil : PQgetvalue(result, row, column).map { String(cString: $0) }
      }
    }
  }

  private var message: String { PQerrorMessage(handle).map { String(cString: $0) } ?? "" }
}
