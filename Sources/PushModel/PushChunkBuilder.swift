package import APNS

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
