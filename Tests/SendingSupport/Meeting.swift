import Foundation

/// A point at which threads wait for each other, though not for ever.
///
/// `@unchecked Sendable` because the condition guards the number.
final class Meeting: @unchecked Sendable {
  private let condition = NSCondition()
  private var missing: Int

  init(of count: Int) { missing = count }

  /// Comes, and waits until all have.
  func attend() {
    let end = Date(timeIntervalSinceNow: 60)
    condition.withLock {
      missing -= 1
      condition.broadcast()
      while missing > 0, condition.wait(until: end) {}
    }
  }
}
