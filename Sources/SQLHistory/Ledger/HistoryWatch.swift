internal import POSIX
internal import PushModel

/// Notices when a history is deleted, replaced or cut short while a run is written to it: SQLite goes
/// on with the file that it has open, and with what it keeps of it in memory.
struct HistoryWatch {
  private let path: String
  private let device: dev_t
  private let node: ino_t
  private var size: off_t
  private var isShorter = false

  /// Begins to watch a file that is open; nil for a server, which keeps what is committed.
  init?(_ path: String) throws(HistoryError) {
    if HistoryLocation(path).isServer { return nil }
    var status = stat()
    guard stat(path, &status) == 0 else { throw HistoryError.gone(path: path) }
    (self.path, size) = (path, status.st_size)
    (device, node) = (status.st_dev, status.st_ino)
  }

  /// Looks at the file, as often as it may grow.
  mutating func look() {
    guard let now = currentSize else { return }
    if now < size { isShorter = true }
    size = now
  }

  /// - Throws: `HistoryError.gone` when what was written to the file cannot be read there any more.
  mutating func check() throws(HistoryError) {
    look()
    if currentSize == nil || isShorter && !isWhole { throw HistoryError.gone(path: path) }
  }

  /// What keeps the file from being written to: an error comes of it, too, when it is not there any
  /// more or was cut short.
  mutating func cause(of error: HistoryError) -> HistoryError {
    do throws(HistoryError) { try check() } catch { return error }
    return error
  }

  /// Nil when another file has taken its place, or none.
  private var currentSize: off_t? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_dev == device, status.st_ino == node else {
      return nil
    }
    return status.st_size
  }

  /// A history that was pruned is shorter, too. A connection of its own has nothing of it in memory.
  private var isWhole: Bool {
    let database = try? Database.openForReading(path)
    return (try? database?.text("PRAGMA quick_check(1)")) == "ok"
  }
}
