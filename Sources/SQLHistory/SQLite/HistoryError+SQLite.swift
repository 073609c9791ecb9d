internal import CSQLite
internal import POSIX
internal import PushModel

extension HistoryError {
  /// What SQLite says of a call that failed.
  ///
  /// - Parameters:
  ///   - code: the result code, extended or not.
  ///   - busyMilliseconds: how long the connection waits for others.
  ///   - path: the database's file.
  init(code: Int32, systemErrno: Int32 = 0, busyMilliseconds: Int, path: String) {
    switch code & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED: self = .locked(milliseconds: busyMilliseconds)
    case SQLITE_FULL: self = .full
    case SQLITE_READONLY, SQLITE_PERM: self = .readOnly
    case SQLITE_CORRUPT, SQLITE_NOTADB: self = .corrupt(path: path)
    case SQLITE_IOERR where [ENOSPC, EDQUOT, EFBIG].contains(systemErrno): self = .full
    case SQLITE_IOERR, SQLITE_CANTOPEN: self = .disk(code: code, errno: systemErrno)
    default: self = .other(code: code)
    }
  }
}
