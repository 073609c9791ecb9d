internal import POSIX
internal import PushModel

/// A lease as a lock on a file beside the history, in which the owner identifies itself. The system
/// frees the lock when the process ends, however it ends.
final class FileLease: RunLease {
  private let path: String
  private let descriptor: Int32
  private var isOwner = false

  /// Takes the lease.
  ///
  /// - Throws: `HistoryError.owned` if another process holds it, with that process's description of
  ///   itself.
  static func take(_ run: RunNumber, of history: String) throws(HistoryError) -> FileLease {
    let path = file(run, of: history)
    while true {
      let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard descriptor >= 0 else { throw HistoryError.cannotLock(path: path, errno: errno) }
      let lease = FileLease(path: path, descriptor: descriptor)
      guard try lease.lock() else {
        let owner = LeaseOwner(readFrom: descriptor)
        throw HistoryError.owned(run: run, pid: owner?.pid, host: owner?.host)
      }
      if lease.isInPlace {
        LeaseOwner.here.write(to: descriptor)
        return lease
      }
      // Its last owner has removed the file since it was opened.
    }
  }

  /// Returns true if a process holds the lease. The check itself holds a free lease for a moment,
  /// for which ``take(_:of:)`` allows.
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

  func renew() {}

  // Removed before it is unlocked: later processes create a new file.
  deinit {
    if isOwner, isInPlace { unlink(path) }
    close(descriptor)
  }

  /// - Returns: true if locked; false if another process owns it. A process that only checks holds
  ///   a shared lock for a moment: if the lock can be shared, it is tried again.
  private func lock() throws(HistoryError) -> Bool {
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK else { throw HistoryError.cannotLock(path: path, errno: errno) }
      if flock(descriptor, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK { return false }
      flock(descriptor, LOCK_UN)
      sched_yield()
    }
    isOwner = true
    return true
  }

  /// True if the locked file is still the one at the path.
  private var isInPlace: Bool {
    var mine = stat()
    var found = stat()
    guard fstat(descriptor, &mine) == 0, stat(path, &found) == 0 else { return false }
    return mine.st_dev == found.st_dev && mine.st_ino == found.st_ino
  }
}

/// The process that holds a lease, as written in the lease's file: `PID HOST`.
private struct LeaseOwner {
  let pid: Int32
  let host: String

  /// This process.
  static var here: Self { Self(pid: getpid(), host: ProcessFacts.hostName ?? "") }

  private init(pid: Int32, host: String) {
    self.pid = pid
    self.host = host
  }

  /// Reads the owner; nil if it has not written anything yet, even if the text of an earlier owner
  /// that was killed is still there.
  init?(readFrom descriptor: Int32) {
    let bytes = [UInt8](unsafeUninitializedCapacity: 512) { buffer, count in
      count = max(0, pread(descriptor, buffer.baseAddress, buffer.count, 0))
    }
    let words = String(decoding: bytes, as: UTF8.self).split(separator: " ", maxSplits: 1)
    guard words.count == 2, let pid = Int32(words[0]), pid > 0 else { return nil }
    self.init(pid: pid, host: String(words[1]))
    if host == ProcessFacts.hostName, kill(pid, 0) != 0, errno == ESRCH { return nil }
  }

  /// Writes the owner to the lease's file. If that fails, others are only told less.
  func write(to descriptor: Int32) {
    ftruncate(descriptor, 0)
    Array("\(pid) \(host)".utf8).withUnsafeBytes {
      _ = pwrite(descriptor, $0.baseAddress, $0.count, 0)
    }
  }
}
