/// Why the history cannot be used, or not any more.
public enum HistoryError: Error, Sendable, Hashable {
  /// The file or its folder cannot be opened or made: the system's `errno`.
  case cannotOpen(path: String, errno: Int32)
  /// The file beside the history that keeps two processes from sending one run cannot be made or
  /// locked: the system's `errno`.
  case cannotLock(path: String, errno: Int32)
  /// This SQLite, such as `3.34.1`, is older than the tables of a history need.
  case oldLibrary(found: String, needed: String)
  /// There is no history yet.
  case missing(path: String)
  /// The file is not a database.
  case notDatabase(path: String)
  /// The database belongs to another program: its `application_id`, 0 when it has none.
  case foreign(path: String, applicationID: Int32)
  /// A newer version of this tool wrote the database.
  case newerSchema(path: String, found: Int, known: Int)
  /// The file, its folder or its file system cannot be written to.
  case readOnly
  /// Another process held the database for longer than this ledger waits.
  case locked(milliseconds: Int)
  /// There is no room left: on the disk, in the database, or under the process's own limits.
  case full
  /// The file is damaged.
  case corrupt(path: String)
  /// The file was deleted, replaced or cut short while a run was written to it.
  case gone(path: String)
  /// The disk failed: SQLite's extended code, and the system's `errno`, 0 when there is none.
  case disk(code: Int32, errno: Int32)
  /// Anything else: SQLite's extended code.
  case other(code: Int32)
  /// Another process sends or resumes this run. Both are nil when it did not say.
  case owned(run: RunNumber, pid: Int32?, host: String?)
  /// The history does not hold this run.
  case noSuchRun(RunNumber)
  /// The run is in the queue, where workers send it.
  case inQueue(RunNumber)
  /// The run has nothing left to do.
  case nothingToResume(RunNumber)
  /// What is left of the run waits: the next push is due then, in milliseconds since 1970 UTC.
  case notDue(RunNumber, next: Int64)
  /// No run has anything left to do.
  case nothingUnfinished
  /// Nothing is written down yet.
  case empty(path: String)
  /// The history cannot be written to, and would have to be: an older version of this tool made it.
  case olderReadOnly(path: String)
  /// The history is to be in PostgreSQL, but the text does not say where.
  case invalidAddress
  /// The text that says where the database is holds a password or another secret.
  case secretInAddress
  /// No connection to the database could be made. libpq or the server gives the reason.
  case cannotConnect(server: String, reason: String)
  /// The connection to the database broke.
  case connectionLost(server: String)
  /// The database's user has no right to what a history needs: the server's own words.
  case denied(server: String, reason: String)
  /// This PostgreSQL is too old: its major version.
  case oldServer(server: String, found: Int, needed: Int)
  /// A history in a file has no queue for workers.
  case noQueue(path: String)
  /// Anything else that the database's server refused: the five characters of SQLSTATE, and its own
  /// words.
  case refused(server: String, state: String, reason: String)
}
