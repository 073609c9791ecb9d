internal import PushModel
internal import Synchronization

/// Spreads attempts evenly over time. A value that is given the time.
///
/// Attempts that are slightly late may catch up, since threads never wake on time; no more than
/// that is saved up, so there is no burst.
struct Pacing {
  /// The delay that a late attempt may catch up on, in nanoseconds.
  static let tolerance: UInt64 = 10_000_000

  private let interval: UInt64
  private var next: UInt64 = 0

  init(_ rate: PushRate) { interval = rate.interval }

  /// Asks to make one attempt.
  ///
  /// - Returns: nil when it may go now, otherwise the time at which to ask again.
  mutating func take(now: UInt64) -> UInt64? {
    if next > now { return next }
    next = max(next, now - min(now, Self.tolerance)) + interval
    return nil
  }
}

/// The pacing shared by all connections of a run.
protocol Pacer: AnyObject, Sendable {
  /// Asks to make one attempt.
  ///
  /// - Returns: nil when it may go now, otherwise the time at which to ask again.
  func take(now: UInt64) -> UInt64?
}

/// The pacing of a run that does not share its rate.
final class EvenPacer: Pacer {
  private let pacing: Mutex<Pacing>

  init(_ rate: PushRate) { pacing = Mutex(Pacing(rate)) }

  func take(now: UInt64) -> UInt64? { pacing.withLock { $0.take(now: now) } }
}
