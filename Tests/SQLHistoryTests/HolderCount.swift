import Synchronization

/// Counts how many hold something at once.
final class HolderCount: Sendable {
  private let counts = Mutex((now: 0, most: 0))

  /// The most there ever were.
  var most: Int { counts.withLock { $0.most } }

  func enter() {
    counts.withLock {
      $0.now += 1
      $0.most = max($0.most, $0.now)
    }
  }

  func leave() { counts.withLock { $0.now -= 1 } }
}
