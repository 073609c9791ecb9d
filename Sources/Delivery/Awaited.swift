package import PushModel

/// What a run waits for before it sends more.
package struct Awaited: Sendable, Hashable {
  /// The cause of the wait.
  package enum Cause: Sendable, Hashable {
    /// An answer asked to try again later.
    case refusal(RunSummary.Refusal)
    /// A connection could not be opened, or was lost.
    case connection
  }

  package let cause: Cause
  /// The number of pushes that wait for their next attempt; 0 for a connection.
  package var count = 0
  /// The time of the next try, in nanoseconds of the monotonic clock.
  package let due: UInt64

  package init(_ cause: Cause, count: Int = 0, due: UInt64) {
    (self.cause, self.count, self.due) = (cause, count, due)
  }
}

extension [Awaited] {
  /// What is tried next, for all connections that wait for the same; nil when nothing is waited for.
  func next(now: UInt64) -> Awaited? {
    let coming = filter { $0.due > now }
    guard var next = coming.min(by: { $0.due < $1.due }) else { return nil }
    next.count = coming.reduce(0) { $0 + ($1.cause == next.cause ? $1.count : 0) }
    return next
  }
}
