internal import PushModel

/// The index on the last four bytes of the device tokens of a run.
///
/// An index on random values costs a factor of ten while a run sends. So a side table is filled when
/// the run has ended, a block of a quarter of a million pushes after the other: its tails are sorted
/// in memory and put in as groups, so that every row goes to the end of the table. A token is looked
/// up in one group of each block.
struct TokenIndex {
  /// Up to so many results are indexed in the transaction that ends their run.
  static let smallRun = 4096

  /// The bits of a row id that are the place in its block.
  static let placeBits: Int64 = 18

  /// The entries of a group: as many as fit into a quarter of a page.
  private static let groupSize = 120

  private let run: RunNumber

  init(of run: RunNumber) { self.run = run }

  /// Builds the index, each block in a transaction of its own: others that write do not wait long.
  func build(in database: borrowing Database) throws(HistoryError) {
    try forEachBlock(in: database) { block, entries throws(HistoryError) in
      try database.transaction { () throws(HistoryError) in
        try replace(block, with: entries, in: database)
      }
    }
    try markBuilt(in: database)
  }

  /// Builds the index within the caller's transaction.
  func buildAtOnce(in database: borrowing Database) throws(HistoryError) {
    try forEachBlock(in: database) { block, entries throws(HistoryError) in
      try replace(block, with: entries, in: database)
    }
    try markBuilt(in: database)
  }

  private func markBuilt(in database: borrowing Database) throws(HistoryError) {
    try database.execute("UPDATE progress SET is_indexed = 1 WHERE run = \(run)")
  }

  private func forEachBlock(
    in database: borrowing Database,
    _ body: (_ block: Int64, _ entries: [Entry]) throws(HistoryError) -> Void
  ) throws(HistoryError) {
    var last = run.rows.lowerBound - 1
    while let row = try nextRow(after: last, in: database) {
      let block = row >> Self.placeBits
      try body(block, try sortedEntries(of: block, in: database))
      last = (block + 1) << Self.placeBits - 1
    }
  }

  /// The run's first result after a row.
  private func nextRow(
    after row: Int64, in database: borrowing Database
  ) throws(HistoryError) -> Int64? {
    let statement = try Statement(
      "SELECT min(id) FROM results WHERE id > ? AND id <= ?", on: database)
    statement.bind(row, at: 1)
    statement.bind(run.rows.upperBound, at: 2)
    guard try statement.step(), !statement.isNull(0) else { return nil }
    return try statement.row(after: row)
  }

  private func sortedEntries(
    of block: Int64, in database: borrowing Database
  ) throws(HistoryError) -> [Entry] {
    let statement = try Statement(
      "SELECT id, token FROM results WHERE id BETWEEN ? AND ?", on: database)
    let first = block << Self.placeBits
    statement.bind(first, at: 1)
    statement.bind(first + (1 << Self.placeBits - 1), at: 2)
    var entries: [Entry] = []
    entries.reserveCapacity(1 << Int(Self.placeBits))
    while try statement.step() {
      let row = try statement.row(after: first - 1, before: first + 1 << Self.placeBits)
      // A push to a channel has no device token.
      let token = statement.bytes(1)
      if token.isEmpty { continue }
      entries.append(Entry(tail: Entry.tail(of: token), place: UInt64(row - first)))
    }
    entries.sort { $0.bits.littleEndian < $1.bits.littleEndian }
    return entries
  }

  /// A run that was resumed has an older index.
  private func replace(
    _ block: Int64, with entries: [Entry], in database: borrowing Database
  ) throws(HistoryError) {
    try database.execute("DELETE FROM token_tails WHERE block = \(block)")
    let statement = try Statement("INSERT INTO token_tails VALUES (?, ?, ?)", on: database)
    statement.bind(block, at: 1)
    var start = 0
    while start < entries.count {
      let end = Self.endOfGroup(from: start, in: entries)
      try insert(entries[start..<end], statement)
      start = end
    }
  }

  private func insert(
    _ group: ArraySlice<Entry>, _ statement: borrowing Statement
  ) throws(HistoryError) {
    guard let first = group.first else { return }
    statement.bind(Int64(first.tail), at: 2)
    statement.bind(group.withUnsafeBytes { [UInt8]($0) }, at: 3)
    try statement.run()
  }

  /// Equal tails stay together.
  private static func endOfGroup(from start: Int, in entries: [Entry]) -> Int {
    var end = min(start + groupSize, entries.count)
    while end < entries.count, entries[end].tail == entries[end - 1].tail { end += 1 }
    return end
  }
}

extension TokenIndex {
  /// One token: its tail, and where its row is. It is written as eight bytes, the lowest first.
  struct Entry {
    /// The tail stands above the place.
    let bits: UInt64

    init(tail: UInt32, place: UInt64) {
      bits = (UInt64(tail) << UInt64(TokenIndex.placeBits) | place).littleEndian
    }

    var tail: UInt32 {
      UInt32(truncatingIfNeeded: bits.littleEndian >> UInt64(TokenIndex.placeBits))
    }

    var place: Int64 {
      Int64(bits.littleEndian & (1 << UInt64(TokenIndex.placeBits) - 1))
    }

    /// The last four bytes of a token as a number.
    static func tail(of token: UnsafeRawBufferPointer) -> UInt32 {
      token.suffix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }
  }
}
