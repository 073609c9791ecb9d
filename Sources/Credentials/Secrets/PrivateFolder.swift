internal import POSIX

/// A folder that no other user may look into, held by its descriptor. Nothing in it is followed if it
/// is a link, or taken if it is another user's.
package final class PrivateFolder {
  private let descriptor: Int32

  /// Makes the folder and its parents where they are missing; nil when that fails, or when the
  /// folder is another user's or open to others.
  package init?(_ path: String) {
    // C would take what precedes it for the whole path.
    if path.utf8.contains(0) { return nil }
    try? makeFolders(of: path + "/", mode: 0o700)
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    // From here on deinit closes it.
    guard isPrivate(descriptor, S_IFDIR) else { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// What a file of this folder holds; nil when it is not there, not private, or too large.
  package func read(_ name: String, limit: Int) -> [UInt8]? {
    let file = openat(descriptor, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    guard isPrivate(file, S_IFREG) else { return nil }
    var bytes = [UInt8](repeating: 0, count: limit + 1)
    let count = POSIX.read(file, &bytes, bytes.count)
    return 0...limit ~= count ? Array(bytes[..<count]) : nil
  }

  /// Puts a file in another's place in one step. A process that is killed here leaves the old one.
  /// Only the holder of the lock may call this, or whoever alone writes files of that name.
  ///
  /// - Returns: whether it is there.
  @discardableResult
  package func replace(_ name: String, with bytes: [UInt8]) -> Bool {
    let beside = name + ".new"
    unlinkat(descriptor, beside, 0)
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
    let file = openat(descriptor, beside, flags, 0o600)
    guard file >= 0 else { return false }
    let isWritten = write(file, bytes, bytes.count) == bytes.count
    close(file)
    if isWritten, renameat(descriptor, beside, descriptor, name) == 0 { return true }
    unlinkat(descriptor, beside, 0)
    return false
  }

  /// Removes a file, if it is there.
  package func remove(_ name: String) { unlinkat(descriptor, name, 0) }

  /// Waits for the lock of this name; nil when another process keeps it for so many milliseconds.
  /// It is free again when the result goes, or the process ends in whatever way.
  package func lock(_ name: String, patience: Int) -> FileLock? {
    let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let file = openat(descriptor, name, flags, 0o600)
    guard file >= 0 else { return nil }
    let lock = FileLock(descriptor: file)
    return isPrivate(file, S_IFREG) && lock.isTaken(within: patience) ? lock : nil
  }
}

/// A lock on a file (`flock`), which holds between processes and between threads.
package final class FileLock {
  private let descriptor: Int32

  fileprivate init(descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  fileprivate func isTaken(within milliseconds: Int) -> Bool {
    let step = 5
    for waited in stride(from: 0, through: milliseconds, by: step) {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
      guard errno == EWOULDBLOCK || errno == EINTR, waited < milliseconds else { return false }
      usleep(UInt32(step) * 1000)
    }
    return false
  }
}

/// Whether it is of this kind, this user's, and closed to others.
private func isPrivate(_ descriptor: Int32, _ kind: mode_t) -> Bool {
  var status = stat()
  guard fstat(descriptor, &status) == 0 else { return false }
  return status.st_mode & S_IFMT == kind && status.st_uid == geteuid()
    && status.st_mode & 0o077 == 0
}
