public import PushModel

/// A run in the queue with chunks to claim, as another run's workers see it.
public struct WaitingRun: Sendable, Hashable {
  /// The run.
  public var run: RunNumber
  /// True if its chunks are claimed before those of other runs.
  public var isUrgent: Bool
  /// The number of workers on it.
  public var workers: Int
}

/// A worker's turn on a run. Workers spread over the runs that have something to send, and a worker
/// that is alone with several takes turns: a small run need not wait until a large one is through.
public struct WorkerTurn: Sendable {
  /// The time a worker stays with a run while another one has no worker, in nanoseconds.
  public static let length: UInt64 = 1_000_000_000

  private let end: UInt64
  private let ignored: Set<RunNumber>

  /// Begins a turn.
  ///
  /// - Parameters:
  ///   - now: the time, in nanoseconds of the worker's monotonic clock.
  ///   - ignored: the runs that this worker cannot send.
  public init(from now: UInt64, ignoring ignored: Set<RunNumber>) {
    (end, self.ignored) = (now + Self.length, ignored)
  }

  /// Decides whether the worker leaves its run for another one.
  ///
  /// Only the worker that joined last leaves a run that has others, so that not all leave at once.
  public func isOver(_ beat: Beat, now: UInt64) -> Bool {
    let waiting = beat.waiting.filter { !ignored.contains($0.run) }
    if !beat.isUrgent, waiting.contains(where: \.isUrgent) { return true }
    let equals = waiting.filter { $0.isUrgent == beat.isUrgent }
    guard let fewest = equals.map(\.workers).min() else { return false }
    if beat.liveWorkers > fewest + 1 { return beat.isLastToJoin }
    return fewest == 0 && now >= end
  }
}
