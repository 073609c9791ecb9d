import SendingSupport
import Synchronization

/// A lock on a history, held by a connection of its own.
final class HistoryLock: Sendable {
  private let path: String
  /// Only the lock's owner uses the connection.
  private let file = Mutex<Holder?>(nil)
  private let taken = Atomic(false)

  private struct Holder: @unchecked Sendable { let file: SQLiteFile }

  init(_ path: String) { self.path = path }

  /// Whether it was ever got.
  var wasTaken: Bool { taken.load(ordering: .relaxed) }

  func take() {
    file.withLock { file in
      guard let opened = try? SQLiteFile(path) else { return }
      let isLocked = opened.execute("PRAGMA busy_timeout = 60000; BEGIN IMMEDIATE")
      taken.store(isLocked, ordering: .relaxed)
      file = Holder(file: opened)
    }
  }

  func free() { file.withLock { $0 = nil } }
}
