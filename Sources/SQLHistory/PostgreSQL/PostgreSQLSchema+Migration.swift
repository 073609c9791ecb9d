internal import PushModel

extension PostgreSQLSchema {
  /// Creates the tables in a database, or migrates them.
  ///
  /// - Throws: `HistoryError`: among others `newerSchema`, and `denied` for a role without the rights.
  static func migrate(_ session: PostgreSQLSession) throws(HistoryError) {
    if try version(in: session) == version { return }
    try Database(session).transaction { () throws(HistoryError) in
      try session.execute("SELECT \(AdvisoryLock.schema)")
      // Another process may have done it while this one waited.
      let found = try version(in: session)
      guard found < version else { return }
      if found == 0 { try create(in: session) }
      for step in migrations.dropFirst(found) { try session.execute(step) }
      try session.execute(
        """
        DELETE FROM schema_version;
        INSERT INTO schema_version VALUES (\(version))
        """)
    }
  }

  /// The version of the tables; 0 if there are none.
  ///
  /// - Throws: `HistoryError.newerSchema` for a version that this program does not know.
  private static func version(in session: PostgreSQLSession) throws(HistoryError) -> Int {
    let table = "to_regclass('\(name).schema_version')"
    guard try session.number("SELECT count(*) FROM pg_class WHERE oid = \(table)") > 0 else {
      return 0
    }
    let statement = Statement(session.prepare("SELECT version FROM \(name).schema_version"))
    guard try statement.step() else { throw statement.corrupt }
    defer { statement.reset() }
    let found = try statement.count(0)
    guard found <= version else {
      throw HistoryError.newerSchema(path: session.place, found: found, known: version)
    }
    return found
  }

  /// An administrator may have created it for a role that cannot.
  private static func create(in session: PostgreSQLSession) throws(HistoryError) {
    guard
      try session.number("SELECT count(*) FROM pg_namespace WHERE nspname = '\(name)'") == 0
    else { return }
    try session.execute("CREATE SCHEMA \(name)")
  }
}
