/// A worker's claim on a chunk of a queued run, whose chunks other workers claim too.
public struct ChunkClaim: Sendable {
  /// The number of the chunk's first push. A ``PushChunk`` may be a part of the chunk.
  public let chunk: UInt64

  /// No worker has claimed it before, so none of its pushes can have a result yet.
  public let isFirst: Bool

  /// The lease under which its pushes may be sent.
  public let lease: any SendingLease

  /// Creates a claim that the queue has granted.
  public init(chunk: UInt64, isFirst: Bool, lease: any SendingLease) {
    (self.chunk, self.isFirst, self.lease) = (chunk, isFirst, lease)
  }
}

/// The time in which a worker may open streams for the pushes it claimed. Any thread may ask.
public protocol SendingLease: AnyObject, Sendable {
  /// Checks whether streams may no longer be opened.
  ///
  /// - Parameter now: in nanoseconds of the run's monotonic clock.
  func hasEnded(now: UInt64) -> Bool
}
