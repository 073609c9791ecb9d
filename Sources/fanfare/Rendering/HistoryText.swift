internal import APNS
internal import POSIX
internal import PlainText
internal import PushModel

extension HistoryError {
  /// What is wrong with the history.
  var sentence: String {
    switch self {
    case .cannotOpen(let path, let code):
      "\(path.printable): the history cannot be opened: \(reason(code))."
    case .cannotLock(let path, let code):
      "\(path.printable): this lock file beside the history cannot be made: \(reason(code))."
    case .missing(let path): "\(path.printable): there is no history yet."
    case .empty(let path): "\(path.printable): nothing is written down yet."
    case .olderReadOnly(let path):
      "\(path.printable): an older version wrote this history, and it cannot be brought up to date."
    case .notDatabase(let path): "\(path.printable): this file is no history."
    case .foreign(let path, _): "\(path.printable): this database belongs to another program."
    case .newerSchema(let path, let found, let known):
      "\(path.printable): the history has format \(found); this version knows up to \(known)."
    case .readOnly: "The history cannot be written to."
    case .locked(let milliseconds):
      "Another process kept the history locked for more than \(milliseconds / 1000) s."
    case .full: "There is no room left for the history."
    case .corrupt(let path): "\(path.printable): the history is damaged."
    case .disk(let code, let errno):
      "The disk failed under the history (SQLite \(code)\(errno == 0 ? "" : ", \(reason(errno))"))."
    case .other(let code): "The history cannot be used (SQLite \(code))."
    case .owned(let run, let pid, _):
      "Run \(run) is being sent\(pid.map { " by process \($0)" } ?? "")."
    case .noSuchRun(let run): "The history holds no run \(run)."
    case .nothingToResume(let run): "Run \(run) has nothing left to do."
    case .notDue(let run, let next):
      "What is left of run \(run) waits until \(ISO8601.text(seconds: next / 1000))."
    case .nothingUnfinished: "No run in the history has anything left to do."
    }
  }

  /// What to do about it.
  var fix: String {
    switch self {
    case .missing, .empty:
      "Each run of 'fanfare send' is written down; --history FILE names another file."
    case .olderReadOnly: "Let the file and its folder be written to, or copy it."
    case .cannotOpen, .readOnly: "Name another file with --history FILE."
    case .cannotLock: "While a run is sent it lies there: let the history's folder be written to."
    case .notDatabase, .foreign:
      "Name another file with --history FILE. This one is left as it is."
    case .newerSchema: "Use the newer version of fanfare, or another file with --history FILE."
    case .locked: "Wait for the other process."
    case .full: "Make room, then continue with 'fanfare resume'."
    case .corrupt: "Move the file away and keep it; a new one is made."
    case .disk, .other: "Look at the disk."
    case .owned(_, _, let host):
      "Wait until it is done, or stop it\(host.map { " on \($0.printable)" } ?? "")."
    case .noSuchRun:
      "'fanfare history list' lists those that there are; --history FILE names another history."
    case .nothingToResume, .nothingUnfinished:
      "Nothing has to be done; --history FILE names another history."
    case .notDue: "Wait until then, or send it all the same with --now."
    }
  }

  /// What to do about it when a command sends that can do without a history.
  var fixWhenSending: String {
    switch self {
    case .missing, .empty, .owned, .noSuchRun, .nothingToResume, .nothingUnfinished, .notDue: fix
    case .cannotOpen, .cannotLock, .olderReadOnly, .notDatabase, .foreign, .newerSchema, .readOnly,
      .locked, .full, .corrupt, .disk, .other:
      fix + " --no-history sends without one."
    }
  }

  private func reason(_ code: Int32) -> String { String(cString: strerror(code)).printable }
}
