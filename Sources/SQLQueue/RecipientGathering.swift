internal import PushModel
internal import SQLHistory

/// Gathers recipients of one list into a value of ``QueuedRecipients``.
struct RecipientGathering {
  /// How many bytes of values there are at most, but for those of the last recipient: workers have
  /// several chunks in memory.
  static let valueLimit = 1 << 20

  /// The number of the first push.
  let firstSequence: UInt64
  private let list: String
  private let channel: String?
  private let hasValues: Bool
  private var lines: [Int64] = []
  private var registered: [Int64] = []
  private var tokenSizes: [Int64] = []
  private var valueSizes: [Int64] = []
  private var tokens: [UInt8] = []
  private var values: [UInt8] = []

  var count: Int { lines.count }

  /// Begins with a push; it is to be appended.
  init(at push: Push) {
    firstSequence = push.sequence
    (list, channel) = (push.chunk.list, push.channel)
    hasValues = push.chunk.hasPayloads
  }

  /// Whether recipients of a chunk can follow.
  func takes(_ chunk: PushChunk) -> Bool {
    count < QueuedRecipients.capacity && values.count < Self.valueLimit && chunk.list == list
      && chunk.channel == channel
      && chunk.hasPayloads == hasValues
  }

  mutating func append(_ push: Push) {
    let (chunk, index) = (push.chunk, push.index)
    let ends = (tokens.count, values.count)
    lines.append(Int64(push.line))
    registered.append(chunk.registered(at: index) ?? QueuedRecipients.unknownTime)
    chunk.withToken(at: index) { tokens.append(hex: $0) }
    chunk.withPayload(at: index) { values.append(contentsOf: $0) }
    tokenSizes.append(Int64(tokens.count - ends.0))
    valueSizes.append(hasValues ? Int64(values.count - ends.1) : QueuedRecipients.withoutValues)
  }

  /// The value of the recipients. There has to be at least one.
  var encoded: [UInt8] {
    var body: [UInt8] = []
    let channelSize = channel.map { Int64($0.utf8.count) } ?? -1
    PackedColumn.append([Int64(list.utf8.count), channelSize], to: &body)
    body += list.utf8
    body += (channel ?? "").utf8
    for column in QueuedRecipients.Column.allCases {
      PackedColumn.append(numbers(of: column), to: &body)
    }
    body += tokens
    body += values
    return [QueuedRecipients.version] + QueuedRecipients.checksum(of: body[...]) + body
  }

  private func numbers(of column: QueuedRecipients.Column) -> [Int64] {
    switch column {
    case .line: lines
    case .registered: registered
    case .tokenSize: tokenSizes
    case .valueSize: valueSizes
    }
  }
}
