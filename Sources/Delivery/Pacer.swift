internal import PushModel
internal import Synchronization

/// The pacing that all connections of a run share.
final class Pacer: Sendable {
  private let pacing: Mutex<Pacing>

  init(_ rate: PushRate) { pacing = Mutex(Pacing(rate)) }

  /// Takes leave for one attempt.
  ///
  /// - Returns: nil when it may go now, else the time at which to ask again.
  func take(now: UInt64) -> UInt64? { pacing.withLock { $0.take(now: now) } }
}
