internal import APNS

/// Gathers recipients into chunks.
struct PushChunkBuilder {
  private(set) var list = ""
  private var firstSequence: UInt64 = 1
  private var lines: [Int] = []
  private var tokens: [UInt8] = []
  private var tokenEnds: [Int] = []

  var isEmpty: Bool { lines.isEmpty }
  var isFull: Bool { lines.count == PushChunk.capacity }

  /// How many recipients were added in all.
  var total: Int { Int(firstSequence) - 1 + lines.count }

  mutating func begin(list name: String) { list = name }

  mutating func append(token: UnsafeBufferPointer<UInt8>, line: Int) {
    tokens.append(contentsOf: token)
    tokenEnds.append(tokens.count)
    lines.append(line)
  }

  /// Hands out what was gathered and begins anew.
  mutating func take() -> PushChunk {
    let chunk = PushChunk(
      firstSequence: firstSequence, list: list, lines: lines, tokens: tokens, tokenEnds: tokenEnds)
    firstSequence += UInt64(lines.count)
    lines = []
    tokens = []
    tokenEnds = []
    lines.reserveCapacity(PushChunk.capacity)
    tokenEnds.reserveCapacity(PushChunk.capacity)
    tokens.reserveCapacity(PushChunk.capacity * 64)
    return chunk
  }
}
