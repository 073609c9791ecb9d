internal import PushModel

/// Pushes that were accepted at the first attempt, packed into one value: they are nearly all pushes,
/// are never sent again, and there is little to say of each.
///
/// They come from one commit and one block of ``blockBits`` numbers, in ascending order. Their
/// device tokens have the same length, and so have their unique IDs. The value has the version of
/// its form, the length of a token and of a unique ID in bytes, a ``PackedColumn`` for each of
/// ``Column``, the tokens, and the unique IDs as `results` has them.
struct AcceptedPushes {
  /// The bits of a push's number that are its place in its block. Blocks do not overlap, so that rows
  /// can be read in order a block at a time.
  static let blockBits: Int64 = 11
  static let blockSize: Int64 = 1 << blockBits

  private static let version: UInt8 = 1
  private static let headSize = 3

  /// The values stored for each push besides its device token, in the order of the columns.
  enum Column: Int, CaseIterable {
    /// The number of its row. The numbers ascend.
    case row
    case list
    /// Its line in its list, minus the number of its row.
    case line
    /// In microseconds.
    case latency
    /// Milliseconds since the run began.
    case at
  }

  let count: Int

  /// The size of each device token in bytes; 0 for a channel.
  let tokenSize: Int

  /// The size of each unique ID in bytes; 0 if the server gave none.
  let uniqueIDSize: Int

  private let bytes: [UInt8]
  private let tokenStart: Int
  private let columns: [PackedColumn]

  /// Reads a value.
  ///
  /// - Parameters:
  ///   - first: the number of the row of its first push.
  ///   - count: how many pushes it holds.
  /// - Returns: nil if no version of this tool wrote the bytes.
  init?(_ bytes: [UInt8], first: Int64, count: Int) {
    guard bytes.count >= Self.headSize, bytes[0] == Self.version, 1...Int(Self.blockSize) ~= count
    else {
      return nil
    }
    var columns: [PackedColumn] = []
    var end = Self.headSize
    for _ in Column.allCases {
      guard let column = PackedColumn(in: bytes, from: end, count: count) else { return nil }
      columns.append(column)
      end = column.end
    }
    self.bytes = bytes
    self.columns = columns
    self.count = count
    tokenSize = Int(bytes[1])
    uniqueIDSize = Int(bytes[2])
    tokenStart = end
    guard bytes.count == end + count * (tokenSize + uniqueIDSize), isInOrder(from: first) else {
      return nil
    }
  }

  private func isInOrder(from first: Int64) -> Bool {
    var last = first
    guard row(at: 0) == first else { return false }
    for index in 1..<max(1, count) {
      let row = row(at: index)
      guard row > last else { return false }
      last = row
    }
    return last >> Self.blockBits == first >> Self.blockBits
  }

  /// The number of the row of a push.
  func row(at index: Int) -> Int64 { number(.row, at: index) }

  /// Its line in its list.
  func line(at index: Int) -> Int64 { number(.line, at: index) &+ row(at: index) }

  func number(_ column: Column, at index: Int) -> Int64 {
    columns[column.rawValue].number(at: index, in: bytes)
  }

  /// Passes the bytes of a push's device token.
  func withToken<Result>(
    at index: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    try withBytes(from: tokenStart + index * tokenSize, tokenSize, body)
  }

  /// Passes the bytes of a push's unique ID.
  func withUniqueID<Result>(
    at index: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    let start = tokenStart + count * tokenSize + index * uniqueIDSize
    return try withBytes(from: start, uniqueIDSize, body)
  }

  private func withBytes<Result>(
    from start: Int, _ size: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    try bytes.withUnsafeBytes {
      try body(UnsafeRawBufferPointer(rebasing: $0[start..<start + size]))
    }
  }

  /// The index of the first push whose row has this number or a higher one; ``count`` if none has.
  func firstIndex(from row: Int64) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self.row(at: middle) < row { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The query that reads values of `accepted`.
  static let selection = "SELECT id, count, pushes, pass FROM accepted"

  /// Reads the value in a statement's current row.
  ///
  /// - Throws: `HistoryError.corrupt`.
  init(row: borrowing Statement) throws(HistoryError) {
    let count = try row.count(1)
    guard let pushes = AcceptedPushes([UInt8](row.bytes(2)), first: row.int64(0), count: count)
    else {
      throw row.corrupt
    }
    self = pushes
  }

  /// Packs pushes.
  ///
  /// - Parameters:
  ///   - columns: the numbers of each column, in the order of ``Column``.
  ///   - tokenSize: the size of each device token.
  ///   - uniqueIDSize: the size of each unique ID.
  ///   - bytes: receives everything but the tokens and the unique IDs, which the caller appends.
  static func write(
    _ columns: [[Int64]], tokenSize: Int, uniqueIDSize: Int, to bytes: inout [UInt8]
  ) {
    bytes += [version, UInt8(tokenSize), UInt8(uniqueIDSize)]
    for numbers in columns { PackedColumn.append(numbers, to: &bytes) }
  }
}
