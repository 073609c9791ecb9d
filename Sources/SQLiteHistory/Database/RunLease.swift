internal import POSIX
internal import PushModel

/// The right to send a run's pushes: a lock on a file beside the history. The system frees it when
/// its process ends, however it ends.
final class RunLease {
  private let path: String
  private let descriptor: Int32

  /// Takes the lease; nil when another process has it.
  static func take(_ run: RunNumber, of history: String) throws(HistoryError) -> RunLease? {
    let path = file(run, of: history)
    while true {
      let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard descriptor >= 0 else { throw HistoryError.cannotLock(path: path, errno: errno) }
      let lease = RunLease(path: path, descriptor: descriptor)
      guard try lease.lock() else { return nil }
      if lease.isInPlace { return lease }
      // Its last owner has removed the file since it was opened.
    }
  }

  /// Whether a process has the lease. To find that out it is held for a moment where it is free.
  static func isTaken(_ run: RunNumber, of history: String) -> Bool {
    let descriptor = open(file(run, of: history), O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }

  private static func file(_ run: RunNumber, of history: String) -> String {
    "\(history).run-\(run).lock"
  }

  private init(path: String, descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  // Removed before it is unlocked: who comes later makes a new file.
  deinit {
    if isLocked, isInPlace { unlink(path) }
    close(descriptor)
  }

  private func lock() throws(HistoryError) -> Bool {
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
    if errno == EWOULDBLOCK { return false }
    throw HistoryError.cannotLock(path: path, errno: errno)
  }

  /// A second lock of the same descriptor succeeds only for the owner.
  private var isLocked: Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

  /// Whether the file that is locked is the one that others would find.
  private var isInPlace: Bool {
    var mine = stat()
    var found = stat()
    guard fstat(descriptor, &mine) == 0, stat(path, &found) == 0 else { return false }
    return mine.st_dev == found.st_dev && mine.st_ino == found.st_ino
  }
}
