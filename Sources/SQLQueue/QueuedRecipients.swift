internal import APNS
internal import PlainText
internal import PushModel
internal import SQLHistory

/// The recipients of a chunk of the queue, all from one list, in one value.
///
/// The value has the version of its form and a checksum of what follows; a ``PackedColumn`` with the
/// lengths of the names of the list and the channel, and these names; one for each of ``Column``; and
/// the device tokens and the encoded values of all recipients, one after the other.
struct QueuedRecipients {
  /// The most recipients in a chunk.
  static let capacity = 1024

  static let version: UInt8 = 1
  /// The size of version and checksum.
  static let headSize = 9

  /// The values stored for each recipient, in the order of the columns.
  enum Column: Int, CaseIterable {
    case line
    /// The time of registration in seconds since 1970; ``unknownTime`` if the list has none.
    case registered
    /// The size of its device token in bytes; 0 for a channel.
    case tokenSize
    /// The size of its encoded values in bytes; -1 if all get the same payload.
    case valueSize
  }

  static let unknownTime = Int64.min
  static let withoutValues: Int64 = -1

  let list: String
  let channel: String?
  let count: Int

  /// True if each recipient has values for a template.
  let hasValues: Bool

  private let bytes: [UInt8]
  private let columns: [PackedColumn]
  /// The offset of each recipient's token, and the end of the last one.
  private let tokenBounds: [Int]
  /// The same for the values; empty without values.
  private let valueBounds: [Int]

  /// Reads a value.
  ///
  /// - Parameter count: the number of recipients in it.
  /// - Returns: nil if no version of this tool wrote the bytes.
  init?(_ bytes: [UInt8], count: Int) {
    guard bytes.count >= Self.headSize, bytes[0] == Self.version, 1...Self.capacity ~= count,
      bytes[1..<Self.headSize].elementsEqual(Self.checksum(of: bytes[Self.headSize...])),
      let names = Names(in: bytes, from: Self.headSize),
      let columns = Self.columns(in: bytes, from: names.end, count: count)
    else { return nil }
    (self.bytes, self.count, self.columns) = (bytes, count, columns)
    (list, channel) = (names.list, names.channel)
    let start = columns.last?.end ?? names.end
    hasValues = columns[Column.valueSize.rawValue].number(at: 0, in: bytes) >= 0
    let sizes = columns[Column.tokenSize.rawValue].numbers(count, in: bytes)
    let valueSizes = columns[Column.valueSize.rawValue].numbers(count, in: bytes)
    guard let tokenBounds = Self.bounds(of: sizes, from: start, in: bytes),
      let valueBounds = hasValues
        ? Self.bounds(of: valueSizes, from: tokenBounds[count], in: bytes) : []
    else { return nil }
    (self.tokenBounds, self.valueBounds) = (tokenBounds, valueBounds)
    guard (valueBounds.last ?? tokenBounds[count]) == bytes.count,
      hasValues || valueSizes.allSatisfy({ $0 == Self.withoutValues }),
      sizes.allSatisfy((channel == nil ? 1...Self.longestToken : 0...0).contains),
      (0..<count).allSatisfy({ hasPossibleNumbers(at: $0) })
    else { return nil }
  }

  private static let longestToken = Int64(DeviceToken.maximumDigits / 2)

  private static func columns(
    in bytes: [UInt8], from start: Int, count: Int
  ) -> [PackedColumn]? {
    var columns: [PackedColumn] = []
    for _ in Column.allCases {
      let start = columns.last?.end ?? start
      guard let column = PackedColumn(in: bytes, from: start, count: count) else { return nil }
      columns.append(column)
    }
    return columns
  }

  /// Returns the offsets of parts of these sizes; nil if the bytes are too short.
  private static func bounds(of sizes: [Int64], from start: Int, in bytes: [UInt8]) -> [Int]? {
    var bounds = [start]
    var end = start
    for size in sizes {
      guard 0...Int64(bytes.count - end) ~= size else { return nil }
      end += Int(size)
      bounds.append(end)
    }
    return bounds
  }

  private func hasPossibleNumbers(at index: Int) -> Bool {
    let registered = number(.registered, at: index)
    return number(.line, at: index) > 0
      && (registered == Self.unknownTime || ClosedRange<Int64>.times ~= registered)
  }

  private func number(_ column: Column, at index: Int) -> Int64 {
    columns[column.rawValue].number(at: index, in: bytes)
  }

  /// Computes FNV-1a, which detects any change of a single byte.
  static func checksum(of bytes: ArraySlice<UInt8>) -> [UInt8] {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    var encoded: [UInt8] = []
    encoded.append(littleEndian: hash)
    return encoded
  }
}

extension QueuedRecipients {
  /// Creates a part of the chunk, to be sent.
  ///
  /// - Parameters:
  ///   - sequence: the number of its first push.
  ///   - most: the maximum number of recipients.
  ///   - claim: the claim on the chunk.
  ///   - rendering: renders each recipient's payload; nil if all get the same.
  /// - Returns: nil if the values are damaged, or do not fit the rendering.
  func part(
    from sequence: UInt64, most: Int = PushChunk.capacity, _ claim: ChunkClaim,
    _ rendering: inout (any RowRendering)?
  ) -> PushChunk? {
    precondition(claim.chunk..<claim.chunk + UInt64(count) ~= sequence, "it is in the chunk")
    guard hasValues == (rendering != nil) else { return nil }
    let start = Int(sequence - claim.chunk)
    var builder = PushChunkBuilder(capacity: most)
    builder.begin(at: sequence, list: list, channel: channel, claim)
    var digits: [UInt8] = []
    var values = TemplateValues()
    for index in start..<min(start + most, count) {
      append(index, to: &builder, &digits)
      if !hasValues { continue }
      guard read(&values, at: index), values.count == rendering?.names.count else { return nil }
      builder.render(values, &rendering)
    }
    return builder.take()
  }

  private func append(
    _ index: Int, to builder: inout PushChunkBuilder, _ digits: inout [UInt8]
  ) {
    digits.removeAll(keepingCapacity: true)
    digits.append(hexadecimal: bytes[tokenBounds[index]..<tokenBounds[index + 1]])
    let registered = number(.registered, at: index)
    digits.withUnsafeBufferPointer {
      builder.append(
        token: $0, line: Int(number(.line, at: index)),
        registered: registered == Self.unknownTime ? nil : registered)
    }
  }

  private func read(_ values: inout TemplateValues, at index: Int) -> Bool {
    bytes.withUnsafeBufferPointer {
      values.decode(
        UnsafeBufferPointer(rebasing: $0[valueBounds[index]..<valueBounds[index + 1]]))
    }
  }
}

/// The names that all recipients of a chunk share.
private struct Names {
  let list: String
  let channel: String?
  let end: Int

  init?(in bytes: [UInt8], from start: Int) {
    guard let sizes = PackedColumn(in: bytes, from: start, count: 2) else { return nil }
    let size = sizes.number(at: 0, in: bytes)
    let channelSize = sizes.number(at: 1, in: bytes)
    let rest = bytes.count - sizes.end
    guard 0...Int64(rest) ~= size, -1...(Int64(rest) - size) ~= channelSize else { return nil }
    let texts = bytes[sizes.end...]
    guard let list = String(validating: texts.prefix(Int(size)), as: UTF8.self) else { return nil }
    self.list = list
    let tail = texts.dropFirst(Int(size)).prefix(max(0, Int(channelSize)))
    guard let channel = String(validating: tail, as: UTF8.self) else { return nil }
    self.channel = channelSize < 0 ? nil : channel
    end = tail.endIndex
  }
}

extension PackedColumn {
  fileprivate func numbers(_ count: Int, in bytes: [UInt8]) -> [Int64] {
    (0..<count).map { number(at: $0, in: bytes) }
  }
}

/// Collects recipients of one list for a value of ``QueuedRecipients``.
struct RecipientGathering {
  /// The limit on the size of all values in bytes, not counting the last recipient's: workers keep
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

  /// Begins with a push, which is not appended yet.
  init(at push: Push) {
    firstSequence = push.sequence
    (list, channel) = (push.chunk.list, push.channel)
    hasValues = push.chunk.hasPayloads
  }

  /// Returns true if the recipients of a chunk can follow.
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

  /// The encoded recipients. There must be at least one.
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
