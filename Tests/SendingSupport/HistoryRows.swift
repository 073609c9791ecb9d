package import TestSupport

/// The rows that a query gives, each column as text, joined by a bar; nothing for NULL. A history in
/// either database has the table `pushes`.
package func rows(_ sql: String, in path: String) throws -> [String] {
  let found =
    path.hasPrefix("postgresql:")
    ? try PostgresSession(toHistory: path).rows(sql) : try SQLiteFile(path).rows(sql)
  return found.map { row in row.map { $0 ?? "" }.joined(separator: "|") }
}

extension PostgresSession {
  /// A connection to a history beside the program's own, with what `SQLiteFile` has: its tables, and
  /// one of all pushes.
  package convenience init(toHistory location: String) throws {
    try self.init(location)
    try execute(
      """
      SET search_path TO fanfare;
      CREATE TEMPORARY VIEW pushes AS SELECT * FROM fanfare.pushes(0, \(Int64.max))
      """)
  }

  /// The first column of what a query gives.
  package func texts(_ sql: String) throws -> [String] { try rows(sql).map { $0[0] ?? "" } }
}
