internal import POSIX
internal import PushModel

/// Detects that a history was deleted, replaced or truncated while a run is written to it, or that its
/// write-ahead log was. SQLite would continue with the open files and its cache.
struct HistoryWatch {
  private let path: String
  private let device: dev_t
  private let node: ino_t
  private var size: off_t
  private var logSize: off_t = 0
  private var isSuspect = false

  /// Begins to watch the file of an open history; nil for a server, which keeps what is committed.
  init?(_ database: borrowing Database) throws(HistoryError) {
    guard let path = database.driver.file else { return nil }
    var status = stat()
    guard stat(path, &status) == 0 else { throw HistoryError.gone(path: path) }
    (self.path, size) = (path, status.st_size)
    (device, node) = (status.st_dev, status.st_ino)
  }

  /// Looks at the file. To be called whenever it may have grown.
  mutating func look() {
    guard let now = currentSize else { return }
    let logNow = currentLogSize
    // SQLite writes over an old log from its start, and leaves it as long as it is.
    if now < size || logNow < logSize || lacksLogHeader { isSuspect = true }
    (size, logSize) = (now, logNow)
  }

  /// - Throws: `HistoryError.gone` if the file no longer contains what was written to it.
  mutating func check() throws(HistoryError) {
    look()
    if currentSize == nil || isSuspect && !isWhole { throw HistoryError.gone(path: path) }
  }

  /// The cause of an error: a file that is gone or truncated also makes writes fail.
  mutating func cause(of error: HistoryError) -> HistoryError {
    do throws(HistoryError) { try check() } catch { return error }
    return error
  }

  /// The file's current size; nil if it was deleted or replaced.
  private var currentSize: off_t? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_dev == device, status.st_ino == node else {
      return nil
    }
    return status.st_size
  }

  /// The current size of the write-ahead log; 0 without one.
  private var currentLogSize: off_t {
    var status = stat()
    return stat(path + "-wal", &status) == 0 ? status.st_size : 0
  }

  /// True if the log does not begin as one does. What SQLite writes at the end of a log that was cut
  /// leaves a hole before it.
  private var lacksLogHeader: Bool {
    let log = open(path + "-wal", O_RDONLY | O_CLOEXEC)
    guard log >= 0 else { return false }
    defer { close(log) }
    var magic = UInt32(0)
    let count = pread(log, &magic, MemoryLayout<UInt32>.size, 0)
    // "WAL-mode File Format": 0x377f0682, or one more.
    return count == MemoryLayout<UInt32>.size && UInt32(bigEndian: magic) | 1 != 0x377F_0683
  }

  /// True if the history is intact. A pruned history is shorter, too, so a new connection checks
  /// it, without the cache.
  private var isWhole: Bool {
    let database = try? Database.openForReading(path)
    return (try? database?.text("PRAGMA quick_check(1)")) == "ok"
  }
}
