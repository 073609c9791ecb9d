internal import HTTP2
internal import PushModel

/// Collects the results of a connection and passes them on in batches.
struct Outbox {
  static let batch = 256
  private static let longestWait: UInt64 = 50_000_000

  private let queue: ChunkQueue<[PushResult]>
  private let wake: Wake
  private var results: [PushResult] = []
  private var lastFlush: UInt64 = 0

  /// - Parameter wake: used only to wait for room in the queue.
  init(queue: ChunkQueue<[PushResult]>, wake: Wake) {
    self.queue = queue
    self.wake = wake
  }

  mutating func add(_ result: PushResult) {
    results.append(result)
    if results.count >= Self.batch { flush() }
  }

  /// Passes on results that have waited long enough.
  mutating func flushIfDue(now: UInt64) {
    guard now - lastFlush >= Self.longestWait else { return }
    lastFlush = now
    flush()
  }

  mutating func flush() {
    guard !results.isEmpty else { return }
    _ = queue.put(results, wake: wake)
    results = []
    results.reserveCapacity(Self.batch)
  }
}
