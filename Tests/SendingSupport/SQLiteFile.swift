import CSQLite
import SQLHistory
import Testing

/// A connection to a database beside the program's own, for as long as it lives. It has the table
/// `pushes` of a history.
package final class SQLiteFile {
  private let handle: OpaquePointer

  /// Opens a database, or makes one.
  package init(_ path: String) throws {
    var handle: OpaquePointer?
    #expect(sqlite3_open(path, &handle) == SQLITE_OK)
    self.handle = try #require(handle)
    PushTable.add(to: self.handle)
    // A program that ends has the file to itself while it empties the log.
    sqlite3_busy_timeout(handle, 30_000)
  }

  deinit { sqlite3_close_v2(handle) }

  /// Runs a statement.
  ///
  /// - Returns: whether it went well.
  @discardableResult
  package func execute(_ sql: String) -> Bool {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    #expect(code == SQLITE_OK, "\(String(cString: sqlite3_errmsg(handle)))")
    return code == SQLITE_OK
  }

  /// Changes the table `results` of a history, once it has a row for each push that was packed.
  package func changeResults(_ sql: String) { execute("\(unpackingPushes); \(sql)") }

  /// The first column of what a query gives.
  package func texts(_ sql: String) -> [String] { rows(sql).map { $0[0] ?? "" } }

  /// What a query gives, each column as text; nil for NULL.
  package func rows(_ sql: String) -> [[String?]] {
    var statement: OpaquePointer?
    #expect(sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK)
    defer { sqlite3_finalize(statement) }
    var rows: [[String?]] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      rows.append(
        (0..<sqlite3_column_count(statement)).map { column in
          sqlite3_column_text(statement, column).map { String(cString: $0) }
        })
    }
    return rows
  }
}

/// SQL that gives each packed push of a history a row in `results`.
package let unpackingPushes = """
  CREATE TEMPORARY TABLE unpacked AS SELECT * FROM pushes(0, \(Int64.max));
  INSERT INTO results SELECT * FROM unpacked WHERE id NOT IN (SELECT id FROM results);
  DROP TABLE unpacked; DELETE FROM accepted
  """
