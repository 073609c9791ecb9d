internal import PushModel
internal import Synchronization

/// Spreads attempts evenly over time. A value: it is told the time.
///
/// Attempts that are a little late may catch up, since threads never wake on time; nothing is
/// saved up beyond that, so there is no burst.
struct Pacing {
  /// How far back who is late may catch up, in nanoseconds.
  static let tolerance: UInt64 = 10_000_000

  private let interval: UInt64
  private var next: UInt64 = 0

  init(_ rate: PushRate) { interval = rate.interval }

  /// Takes leave for one attempt.
  ///
  /// - Returns: nil when it may go now, else the time at which to ask again.
  mutating func take(now: UInt64) -> UInt64? {
    if next > now { return next }
    next = max(next, now - min(now, Self.tolerance)) + interval
    return nil
  }
}

/// The pacing that all connections of a run share.
protocol Pacer: AnyObject, Sendable {
  /// Takes leave for one attempt.
  ///
  /// - Returns: nil when it may go now, else the time at which to ask again.
  func take(now: UInt64) -> UInt64?
}

/// The pacing of a run whose rate is its own.
final class EvenPacer: Pacer {
  private let pacing: Mutex<Pacing>

  init(_ rate: PushRate) { pacing = Mutex(Pacing(rate)) }

  func take(now: UInt64) -> UInt64? { pacing.withLock { $0.take(now: now) } }
}
