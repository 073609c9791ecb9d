internal import APNS
internal import POSIX
internal import PlainText
internal import PushModel

extension HistoryError {
  /// A description of what is wrong with the history.
  package var sentence: String {
    switch self {
    case .cannotOpen(let path, let code):
      "\(path.printable): cannot open the history: \(reason(code))."
    case .cannotLock(let path, let code):
      "\(path.printable): cannot create this lock file beside the history: \(reason(code))."
    case .oldLibrary(let found, let needed):
      "The history needs SQLite \(needed) or newer; this is \(found.printable)."
    case .missing(let path): "\(path.printable): there is no history yet."
    case .empty(let path): "\(path.printable): the history is empty."
    case .beforeRelease(let path):
      "\(path.printable): a fanfare from before the first release wrote this history, which no "
        + "other can read."
    case .notDatabase(let path): "\(path.printable): not a fanfare history."
    case .foreign(let path, _): "\(path.printable): this database belongs to another program."
    case .newerSchema(let path, let found, let known):
      "\(path.printable): the history has format \(found); this version supports up to \(known)."
    case .readOnly: "The history is read-only."
    case .locked(let milliseconds):
      "Another process kept the history locked for more than \(milliseconds / 1000) s."
    case .full: "The disk has no room left for the history."
    case .corrupt(let path): "\(path.printable): the history is damaged."
    case .gone(let path):
      "\(path.printable): the history was deleted or damaged during the run. Its results are lost."
    case .disk(let code, let errno):
      "The disk failed under the history (SQLite \(code)\(errno == 0 ? "" : ", \(reason(errno))"))."
    case .other(let code): "The history cannot be used (SQLite \(code))."
    case .owned(let run, let pid, _):
      "Run \(run) is being sent\(pid.map { " by process \($0)" } ?? "")."
    case .noSuchRun(let run): "The history has no run \(run)."
    case .inQueue(let run): "Run \(run) is in the queue: only workers send it."
    case .nothingToResume(let run): "Run \(run) has nothing left to do."
    case .notDue(let run, let next):
      "The rest of run \(run) waits until \(ISO8601.text(seconds: next / 1000))."
    case .invalidAddress: "The history's URL is not that of a PostgreSQL database."
    case .secretInAddress: "The history's URL contains a password, which others could read."
    case .cannotConnect(let server, let reason):
      "\(server.printable): cannot connect to the history: \(reason.printable)"
    case .noConnectionLeft(let server):
      "\(server.printable): the history took a connection, but answered nothing on it. A worker uses "
        + "up to four at a time, and a connection pooler in between may have fewer."
    case .pooledTransactions(let server):
      "\(server.printable): a connection pooler in transaction mode is in between, such as PgBouncer "
        + "with pool_mode = transaction. A history needs sessions that last."
    case .connectionLost(let server, let silence):
      "\(server.printable): the connection to the history was lost"
        + (silence.map { ": the server did not answer for \($0 / 1000) s." } ?? ".")
    case .denied(let server, let reason):
      "\(server.printable): no access to the history: \(reason.printable)"
    case .oldServer(let server, let found, let needed):
      "\(server.printable): the history needs PostgreSQL \(needed) or newer; this is \(found)."
    case .noQueue(let path):
      "\(path.printable) is a file: it has no queue of runs."
    case .refused(let server, let state, let reason):
      "\(server.printable): the history cannot be used: \(reason.printable)"
        + (state.isEmpty ? "" : " (\(state.printable))")
    }
  }

  /// The advice that goes with the error.
  package var fix: String {
    switch self {
    case .missing, .empty:
      "Each run of 'fanfare send' is recorded; use --history for another history."
    case .oldLibrary: "Update the sqlite3 library."
    case .beforeRelease:
      "Move it aside, and a new one is begun: the file and those beside it whose names begin with "
        + "its name; in PostgreSQL, rename the schema fanfare."
    case .cannotOpen: "Use --history FILE for another file."
    case .readOnly: "Use --history for another history."
    case .cannotLock: "It exists while a run is being sent: make the history's folder writable."
    case .notDatabase, .foreign:
      "Use --history FILE for another file. This one is left unchanged."
    case .newerSchema: "Use the newer version of fanfare, or --history for another history."
    case .locked: "Wait for the other process."
    case .full: "Free some space on its disk."
    case .gone: "The next run creates a new one; this run cannot be resumed."
    case .corrupt(let path) where HistoryLocation(path).file != nil:
      "Move the file away and keep it; a new one is created."
    case .corrupt: "Restore the database from a backup, or use --history for another history."
    case .disk, .other: "Check the disk."
    case .owned(_, _, let host):
      "Wait until it is finished, or stop it\(host.map { " on \($0.printable)" } ?? "")."
    case .noSuchRun: "'fanfare history list' lists the runs; use --history for another history."
    case .inQueue(let run): "'fanfare work \(run)' sends what is left of it."
    case .nothingToResume: "Nothing to do; use --history for another history."
    case .notDue: "Wait until then, or send it now with --now."
    case .invalidAddress:
      "Write postgresql://USER@HOST:PORT/DATABASE, or postgresql:///?service=NAME for a service."
    case .secretInAddress:
      "Remove it, and put the password in ~/.pgpass, PGPASSFILE, PGPASSWORD or a service."
    case .cannotConnect:
      "Check the URL, that the server is running, and the password in ~/.pgpass or PGPASSWORD."
    case .noConnectionLeft: "Raise the pooler's pool size, or connect to PostgreSQL itself."
    case .pooledTransactions:
      "Connect to PostgreSQL itself, or set pool_mode = session in the pooler."
    case .connectionLost: "Check the server. 'fanfare resume' continues a run that it stopped."
    case .denied: "Ask the owner of the database to grant the right."
    case .oldServer: "Update the server, or use --history for another history."
    case .noQueue: "Name a history in PostgreSQL: --history postgresql://USER@HOST/DATABASE."
    case .refused: "Check the server's log."
    }
  }

  /// The advice when the command can also send without a history.
  package var fixWhenSending: String {
    switch self {
    case .missing, .empty, .owned, .noSuchRun, .inQueue, .nothingToResume,
      .notDue, .noQueue:
      fix
    case .cannotOpen, .cannotLock, .oldLibrary, .beforeRelease, .notDatabase, .foreign,
      .newerSchema, .readOnly, .locked, .full, .corrupt, .gone, .disk, .other, .invalidAddress,
      .secretInAddress, .cannotConnect, .noConnectionLeft, .pooledTransactions, .connectionLost,
      .denied, .oldServer, .refused:
      fix + " --no-history sends without one."
    }
  }

  private func reason(_ code: Int32) -> String { String(cString: strerror(code)).printable }
}
