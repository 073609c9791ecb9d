import CSQLite
import Testing

/// A connection to a database beside the program's own, for as long as it lives.
final class SQLiteFile {
  private let handle: OpaquePointer

  /// Opens a database, or makes one.
  init(_ path: String) throws {
    var handle: OpaquePointer?
    #expect(sqlite3_open(path, &handle) == SQLITE_OK)
    self.handle = try #require(handle)
  }

  deinit { sqlite3_close_v2(handle) }

  /// Runs a statement.
  func execute(_ sql: String) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    #expect(code == SQLITE_OK, "\(String(cString: sqlite3_errmsg(handle)))")
  }

  /// The first column of what a query gives.
  func texts(_ sql: String) -> [String] {
    var statement: OpaquePointer?
    #expect(sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK)
    defer { sqlite3_finalize(statement) }
    var texts: [String] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      texts.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "")
    }
    return texts
  }
}
