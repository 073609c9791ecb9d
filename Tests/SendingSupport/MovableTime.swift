import HTTP2
import Synchronization

/// The present, which a test moves.
package final class MovableTime: Sendable {
  private let offset = Atomic<Int64>(0)

  package init() {}

  /// Seconds since 1970.
  package var now: Int64 { RunClock.system.epochSeconds + offset.load(ordering: .relaxed) }

  package func move(by seconds: Int64) { offset.add(seconds, ordering: .relaxed) }
}
