package import PushModel

/// The index on the last four bytes of the device tokens of a run.
///
/// An index on random values costs a factor of ten while a run sends. So a side table is filled when
/// the run has ended, a block of a quarter of a million pushes after the other: its tails are sorted
/// in memory and put in as groups, so that every row goes to the end of the table. A token is looked
/// up in one group of each block.
package struct TokenIndex {
  /// Up to so many results are indexed in the transaction that ends their run.
  static let smallRun = 4096

  /// The bits of a row id that are the place in its block.
  static let placeBits: Int64 = 18

  /// The entries of a group: as many as fit into a quarter of a page.
  private static let groupSize = 120

  private let run: RunNumber

  package init(of run: RunNumber) { self.run = run }

  /// Builds the index, each block in a transaction of its own: others that write do not wait long.
  package func build(in database: borrowing Database) throws(HistoryError) {
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
    var blocks = try RowBlocks(of: run, size: 1 << Self.placeBits, on: database)
    while let rows = try blocks.next() {
      let block = rows.lowerBound >> Self.placeBits
      try body(block, try sortedEntries(of: block, in: database))
    }
  }

  private func sortedEntries(
    of block: Int64, in database: borrowing Database
  ) throws(HistoryError) -> [Entry] {
    var entries: [Entry] = []
    entries.reserveCapacity(1 << Int(Self.placeBits))
    let first = block << Self.placeBits
    let rows = first...(first + (1 << Self.placeBits - 1))
    try readResults(rows, in: database, into: &entries)
    try readAccepted(rows, in: database, into: &entries)
    entries.sort { $0.bits.littleEndian < $1.bits.littleEndian }
    return entries
  }

  private func readResults(
    _ rows: ClosedRange<Int64>, in database: borrowing Database, into entries: inout [Entry]
  ) throws(HistoryError) {
    let statement = try Statement(
      "SELECT id, token FROM results WHERE id BETWEEN ? AND ?", on: database)
    statement.bind(rows)
    while try statement.step() {
      let row = try statement.row(after: rows.lowerBound - 1, before: rows.upperBound + 1)
      let token = statement.bytes(1)
      // A push to a channel has no device token.
      if !token.isEmpty { entries.append(Entry(token, place: row - rows.lowerBound)) }
    }
  }

  /// A value is within one block: it has fewer numbers.
  private func readAccepted(
    _ rows: ClosedRange<Int64>, in database: borrowing Database, into entries: inout [Entry]
  ) throws(HistoryError) {
    let statement = try Statement(
      "\(AcceptedPushes.selection) WHERE id BETWEEN ? AND ?", on: database)
    statement.bind(rows)
    while try statement.step() {
      let pushes = try AcceptedPushes(row: statement)
      if pushes.tokenSize == 0 { continue }
      for index in 0..<pushes.count {
        let place = pushes.row(at: index) - rows.lowerBound
        entries.append(pushes.withToken(at: index) { Entry($0, place: place) })
      }
    }
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

    init(_ token: UnsafeRawBufferPointer, place: Int64) {
      let tail = UInt64(Self.tail(of: token)) << UInt64(TokenIndex.placeBits)
      bits = (tail | UInt64(place)).littleEndian
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
