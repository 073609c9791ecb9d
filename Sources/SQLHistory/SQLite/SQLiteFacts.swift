internal import CSQLite

/// The SQLite that this process has loaded.
public enum SQLiteFacts {
  /// The version in use and that of the headers this program was built with; for example `3.45.1`.
  public static var versions: (loaded: String, built: String) {
    (String(cString: sqlite3_libversion()), SQLITE_VERSION)
  }

  /// Whether each thread may have a connection of its own.
  public static var isThreadSafe: Bool { sqlite3_threadsafe() != 0 }
}
