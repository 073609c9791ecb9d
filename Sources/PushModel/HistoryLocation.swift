/// The location of a history, as `--history` gives it: the path of a file, or the URL of a
/// PostgreSQL database.
public struct HistoryLocation: Sendable, Hashable {
  /// The path, or the URL.
  public let text: String

  /// Takes any text; a URL is checked only later.
  public init(_ text: String) { self.text = text }

  /// The path of the history's file; nil for a history on a server. Texts like `mysql://db1/push`,
  /// or like PostgreSQL's other form, `host=db1 dbname=push`, are no paths.
  public var file: String? { isPath ? text : nil }

  private var isPath: Bool {
    if let colon = text.firstRange(of: "://") {
      return !text[..<colon.lowerBound].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
    }
    let word = text.prefix { $0.isASCII && $0.isLetter }
    return !Self.keywords.contains(String(word))
      || text.dropFirst(word.count).first { $0 != " " } != "="
  }

  /// The usual first keywords of PostgreSQL's other form.
  private static let keywords = [
    "dbname", "host", "hostaddr", "passfile", "password", "port", "service", "sslmode", "user",
  ]
}

/// An error that keeps the history from being used, or used further.
public enum HistoryError: Error, Sendable, Hashable {
  /// The file or its folder cannot be opened or created: the system's `errno`.
  case cannotOpen(path: String, errno: Int32)
  /// The lock file beside the history, which keeps two processes from sending one run, cannot be
  /// created or locked: the system's `errno`.
  case cannotLock(path: String, errno: Int32)
  /// This SQLite version, such as `3.34.1`, is too old for the history's tables.
  case oldLibrary(found: String, needed: String)
  /// There is no history.
  case missing(path: String)
  /// The file is not a database.
  case notDatabase(path: String)
  /// The database belongs to another program: its `application_id`, 0 when it has none.
  case foreign(path: String, applicationID: Int32)
  /// A newer version of this tool wrote the database.
  case newerSchema(path: String, found: Int, known: Int)
  /// A build of this tool from before its first release wrote the database.
  case beforeRelease(path: String)
  /// The file, its folder or its file system cannot be written to.
  case readOnly
  /// Another process held the database for longer than this ledger waits.
  case locked(milliseconds: Int)
  /// No room is left: on the disk, in the database, or within the process's limits.
  case full
  /// The file is damaged.
  case corrupt(path: String)
  /// The file was deleted, replaced or truncated while a run was being written to it.
  case gone(path: String)
  /// The disk failed: SQLite's extended code, and the system's `errno`, 0 when there is none.
  case disk(code: Int32, errno: Int32)
  /// Anything else: SQLite's extended code.
  case other(code: Int32)
  /// Another process is sending or resuming this run. Both are nil when unknown.
  case owned(run: RunNumber, pid: Int32?, host: String?)
  /// The history does not hold this run.
  case noSuchRun(RunNumber)
  /// The run is in the queue, where workers send it.
  case inQueue(RunNumber)
  /// The run has nothing left to do.
  case nothingToResume(RunNumber)
  /// The rest of the run must wait: the next push is due then, in milliseconds since 1970 UTC.
  case notDue(RunNumber, next: Int64)
  /// The history is an empty file, or holds no runs yet.
  case empty(path: String)
  /// The location is neither a file path nor a usable PostgreSQL URL.
  case invalidAddress
  /// The database address contains a password or another secret.
  case secretInAddress
  /// The database cannot be reached; the reason is from libpq or the server.
  case cannotConnect(server: String, reason: String)
  /// A connection was accepted, but no statement was answered on it: a connection pooler in between
  /// has none left.
  case noConnectionLeft(server: String)
  /// A connection pooler gives each transaction another session, so that a lease would not last.
  case pooledTransactions(server: String)
  /// The connection to the database broke.
  ///
  /// `silence` is how long the server had not answered, in milliseconds; nil if the connection broke.
  case connectionLost(server: String, silence: Int? = nil)
  /// The database user lacks a privilege that the history needs; the reason is the server's.
  case denied(server: String, reason: String)
  /// The server's PostgreSQL is too old: its major version.
  case oldServer(server: String, found: Int, needed: Int)
  /// A history in a file has no queue for workers.
  case noQueue(path: String)
  /// Any other refusal by the database server: the five-character SQLSTATE and the server's
  /// message.
  case refused(server: String, state: String, reason: String)
}
