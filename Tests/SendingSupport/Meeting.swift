import Foundation

/// A point at which threads wait for each other, though not for ever.
///
/// `@unchecked Sendable` because the condition guards the number.
package final class Meeting: @unchecked Sendable {
  private let condition = NSCondition()
  private var missing: Int

  package init(of count: Int) { missing = count }

  /// Comes, and waits until all have.
  package func attend() {
    come()
    wait()
  }

  /// Comes, and waits for nobody.
  package func come() {
    condition.withLock {
      missing -= 1
      condition.broadcast()
    }
  }

  /// Waits until all have come, and does not count itself.
  package func wait() {
    let end = Date(timeIntervalSinceNow: 60)
    condition.withLock {
      while missing > 0, condition.wait(until: end) {}
    }
  }
}
