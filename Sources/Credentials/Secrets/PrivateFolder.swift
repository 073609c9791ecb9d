internal import POSIX

/// A folder that no other user can read, accessed through its descriptor. Symbolic links in it are
/// not followed, and files of other users are ignored.
package final class PrivateFolder {
  private let descriptor: Int32

  /// Creates the folder and its parents if needed; nil if that fails, or if the folder belongs to
  /// another user or is open to others.
  package init?(_ path: String) {
    // C would cut the path off at the zero byte.
    if path.utf8.contains(0) { return nil }
    try? makeFolders(of: path + "/", mode: 0o700)
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    // From here on, deinit closes it.
    guard isPrivate(descriptor, S_IFDIR) else { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Reads a file in the folder; nil if it is missing, not private, or over the limit.
  package func read(_ name: String, limit: Int) -> [UInt8]? {
    let file = openat(descriptor, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    guard isPrivate(file, S_IFREG) else { return nil }
    var bytes = [UInt8](repeating: 0, count: limit + 1)
    let count = POSIX.read(file, &bytes, bytes.count)
    return 0...limit ~= count ? Array(bytes[..<count]) : nil
  }

  /// Replaces a file atomically; a process killed midway leaves the old one. The caller must hold
  /// the lock or be the only writer of this name.
  ///
  /// - Returns: true if the file is in place.
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

  /// Removes a file if it exists.
  package func remove(_ name: String) { unlinkat(descriptor, name, 0) }

  /// Waits for the lock with this name; nil if another process still holds it after `patience`
  /// milliseconds. It is released with the result, or when the process ends in any way.
  package func lock(_ name: String, patience: Int) -> FileLock? {
    let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let file = openat(descriptor, name, flags, 0o600)
    guard file >= 0 else { return nil }
    let lock = FileLock(descriptor: file)
    return isPrivate(file, S_IFREG) && lock.isTaken(within: patience) ? lock : nil
  }
}

/// A file lock (`flock`), effective between processes and between threads.
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

/// The file is of this kind, owned by this user, and inaccessible to others.
private func isPrivate(_ descriptor: Int32, _ kind: mode_t) -> Bool {
  var status = stat()
  guard fstat(descriptor, &status) == 0 else { return false }
  return status.st_mode & S_IFMT == kind && status.st_uid == geteuid()
    && status.st_mode & 0o077 == 0
}
