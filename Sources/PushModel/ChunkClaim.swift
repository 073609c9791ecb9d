/// A worker's claim on a chunk of a run in a queue, which other workers take from as well.
public struct ChunkClaim: Sendable {
  /// The number of the chunk's first push. A ``PushChunk`` may be a part of the chunk.
  public let chunk: UInt64

  /// Whether no worker has claimed it before: then none of its pushes can have a result yet.
  public let isFirst: Bool

  /// Until when its pushes may be sent.
  public let lease: any SendingLease

  /// A claim that the queue has granted.
  public init(chunk: UInt64, isFirst: Bool, lease: any SendingLease) {
    (self.chunk, self.isFirst, self.lease) = (chunk, isFirst, lease)
  }
}

/// Until when a worker may open streams for the pushes that it has claimed. Any thread may ask.
public protocol SendingLease: AnyObject, Sendable {
  /// Whether no stream may be opened any more.
  ///
  /// - Parameter now: in nanoseconds of the run's monotonic clock.
  func hasEnded(now: UInt64) -> Bool
}
