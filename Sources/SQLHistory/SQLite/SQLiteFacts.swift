internal import CSQLite

/// The SQLite that this process has loaded, and the one that it was built with.
public struct SQLiteFacts: Sendable, Hashable {
  /// The version in use, for example `3.45.1`.
  public var loaded: String

  /// The version of the headers that this program was built with.
  public var built: String

  /// Whether each thread may have a connection of its own.
  public var isThreadSafe: Bool

  /// Facts of any SQLite.
  public init(loaded: String, built: String, isThreadSafe: Bool = true) {
    (self.loaded, self.built, self.isThreadSafe) = (loaded, built, isThreadSafe)
  }

  /// The SQLite in use.
  public static var inUse: SQLiteFacts {
    SQLiteFacts(
      loaded: String(cString: sqlite3_libversion()), built: SQLITE_VERSION,
      isThreadSafe: sqlite3_threadsafe() != 0)
  }
}
