internal import PushModel

/// Advisory locks of a history in PostgreSQL. A key has two numbers: the tool's, and a negative one here
/// or, for a lease, the number of a run.
enum AdvisoryLock {
  /// Held while the tables are created or migrated.
  static let schema = lock(-1)

  /// Held from the first new word of a transaction to its end.
  static let words = lock(-2)

  /// The call that waits for a lock and holds it until the transaction ends.
  private static func lock(_ number: Int32) -> String {
    "pg_advisory_xact_lock(\(Database.applicationID), \(number))"
  }
}

extension Database {
  /// Creates the tables in a PostgreSQL database, or migrates them.
  ///
  /// - Throws: `HistoryError`: among others `newerSchema`, and `denied` for a role without the rights.
  func migratePostgreSQL() throws(HistoryError) {
    if try postgreSQLVersion() == PostgreSQLSchema.version { return }
    try transaction { () throws(HistoryError) in
      try execute("SELECT \(AdvisoryLock.schema)")
      // Another process may have done it while this one waited.
      let version = try postgreSQLVersion()
      guard version < PostgreSQLSchema.version else { return }
      if version == 0 { try createSchema() }
      for step in PostgreSQLSchema.migrations.dropFirst(version) { try execute(step) }
      try execute(
        """
        DELETE FROM schema_version;
        INSERT INTO schema_version VALUES (\(PostgreSQLSchema.version))
        """)
    }
  }

  /// The version of the tables; 0 if there are none.
  ///
  /// - Throws: `HistoryError.newerSchema` for a version that this program does not know.
  func postgreSQLVersion() throws(HistoryError) -> Int {
    let table = "to_regclass('\(PostgreSQLSchema.name).schema_version')"
    guard try number("SELECT count(*) FROM pg_class WHERE oid = \(table)") > 0 else { return 0 }
    let statement = try Statement(
      "SELECT version FROM \(PostgreSQLSchema.name).schema_version", on: self)
    guard try statement.step() else { throw statement.corrupt }
    defer { statement.reset() }
    let version = try statement.count(0)
    guard version <= PostgreSQLSchema.version else {
      throw HistoryError.newerSchema(
        path: statement.path, found: version, known: PostgreSQLSchema.version)
    }
    return version
  }

  /// An administrator may have created it for a role that cannot.
  private func createSchema() throws(HistoryError) {
    let name = PostgreSQLSchema.name
    guard try number("SELECT count(*) FROM pg_namespace WHERE nspname = '\(name)'") == 0 else {
      return
    }
    try execute("CREATE SCHEMA \(name)")
  }
}
