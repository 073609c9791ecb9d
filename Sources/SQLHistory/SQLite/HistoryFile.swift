internal import POSIX
internal import PushModel

/// The database's file, created before SQLite opens it, so that other users cannot read it at any
/// time. SQLite gives the files beside it the same mode.
///
/// An existing file is never opened here: closing it would take away the locks that another
/// connection of this process holds on it (POSIX `fcntl`).
struct HistoryFile {
  let path: String
  /// Ensures that files created in a folder survive a power failure.
  var sync: (_ folder: String) -> Void = Self.sync

  /// Creates missing folders and the file. An existing file may belong to another user, and stays
  /// unchanged.
  func prepare() throws(HistoryError) {
    try makeFolders()
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if descriptor >= 0 {
      close(descriptor)
    } else if errno == EEXIST {
      try checkKind()
    } else if errno == EROFS {
      throw HistoryError.readOnly
    } else {
      throw HistoryError.cannotOpen(path: path, errno: errno)
    }
  }

  /// Checks that a missing file can be created, with the folders that it needs.
  func checkFolder() throws(HistoryError) {
    var folder = path[...]
    repeat {
      folder = folder.lastIndex(of: "/").map { folder[..<$0] } ?? "."
      if folder.isEmpty { folder = "/" }
    } while access(String(folder), F_OK) != 0 && errno == ENOENT && folder != "/" && folder != "."
    if access(String(folder), W_OK | X_OK) == 0 { return }
    throw errno == EROFS ? .readOnly : .cannotOpen(path: path, errno: errno)
  }

  /// Removes the permissions of group and others from a history.
  func makePrivate() {
    for file in SQLiteDriver.files(at: HistoryLocation(path)) { makePrivate(file) }
  }

  private func checkKind() throws(HistoryError) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw HistoryError.cannotOpen(path: path, errno: errno) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return
    case S_IFDIR: throw HistoryError.cannotOpen(path: path, errno: EISDIR)
    default: throw HistoryError.notDatabase(path: path)
    }
  }

  /// Removes the permissions. A failure is ignored: the file then belongs to another user.
  private func makePrivate(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & 0o077 != 0 else { return }
    chmod(path, status.st_mode & 0o700)
  }

  private func makeFolders() throws(HistoryError) {
    do throws(FolderFault) {
      try POSIX.makeFolders(of: path, mode: 0o700) { _, parent in sync(parent) }
    } catch {
      throw error.errno == EROFS ? .readOnly : .cannotOpen(path: error.path, errno: error.errno)
    }
  }

  /// Syncs a folder. SQLite itself syncs the history's own folder. A file system that cannot sync
  /// folders is not an error.
  private static func sync(_ folder: String) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}
