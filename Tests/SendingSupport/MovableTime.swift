import HTTP2
import Synchronization

/// The present, which a test moves.
final class MovableTime: Sendable {
  private let offset = Atomic<Int64>(0)

  /// Seconds since 1970.
  var now: Int64 { RunClock.system.epochSeconds + offset.load(ordering: .relaxed) }

  func move(by seconds: Int64) { offset.add(seconds, ordering: .relaxed) }
}
