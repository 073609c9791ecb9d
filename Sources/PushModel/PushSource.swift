package import APNS

/// A source of a run's recipients, which yields them in order, a chunk at a time.
public protocol PushSource: ~Copyable, SendableMetatype {
  /// The counts of the lines read so far.
  var counts: RecipientCounts { get }
  /// The part of the lists that is read.
  var extent: ListExtent { get }
  /// Returns the next chunk; nil at the end.
  ///
  /// - Throws: `ListError` when reading a list fails.
  mutating func next() throws(ListError) -> PushChunk?
}

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

/// Collects recipients into chunks.
package struct PushChunkBuilder {
  /// The most recipients in a chunk.
  package let capacity: Int
  package private(set) var list = ""
  package private(set) var channel: String?
  private var claim: ChunkClaim?
  private var firstSequence: UInt64 = 1
  private var columns = PushChunk.Columns()

  package var isEmpty: Bool { columns.lines.isEmpty }
  package var isFull: Bool { columns.lines.count == capacity }

  package init(capacity: Int = PushChunk.capacity) { self.capacity = capacity }

  package mutating func begin(list name: String, channel: String? = nil) {
    (list, self.channel) = (name, channel)
  }

  /// Begins part of a chunk that a worker has claimed.
  package mutating func begin(
    at sequence: UInt64, list name: String, channel: String?, _ claim: ChunkClaim
  ) {
    begin(list: name, channel: channel)
    (firstSequence, self.claim) = (sequence, claim)
  }

  package mutating func append(
    token: UnsafeBufferPointer<UInt8>, line: Int, registered: Int64? = nil
  ) {
    if let registered { columns.setRegistered(registered) }
    columns.tokens.append(contentsOf: token)
    columns.tokenEnds.append(columns.tokens.count)
    columns.lines.append(line)
  }

  /// Renders the payload of the recipient added last, or marks it to be skipped.
  package mutating func render(_ values: TemplateValues, _ rendering: inout (any RowRendering)?) {
    do throws(BrokenRules) {
      try rendering?.render(values, into: &columns.payloads)
    } catch {
      columns.problems[columns.lines.count - 1] = error
    }
    columns.payloadEnds.append(columns.payloads.count)
  }

  /// Keeps the last values of the row added last, to show with its result.
  package mutating func list(_ values: TemplateValues, last count: Int) {
    columns.listedCount = count
    for index in values.count - count..<values.count {
      values.withValue(at: index) { columns.listed.append($0, $1) }
    }
  }

  /// Returns the recipients collected and begins a new chunk.
  package mutating func take() -> PushChunk {
    let chunk = PushChunk(
      firstSequence: firstSequence, list: list, channel: channel, claim: claim, columns)
    firstSequence += UInt64(columns.lines.count)
    columns = PushChunk.Columns(like: columns)
    return chunk
  }
}
