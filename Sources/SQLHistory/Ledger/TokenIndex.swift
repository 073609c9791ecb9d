internal import History
package import PushModel

/// The index on the last four bytes of the device tokens of a run.
///
/// An index on random values would make writing ten times as slow while a run sends. So a side
/// table is filled when the run has ended, in blocks of a quarter of a million pushes. The tails of
/// a block are sorted in memory and inserted as groups, so that each row goes to the end of the
/// table. A token is looked up in one group of each block.
package struct TokenIndex {
  /// The number of results that are still indexed in the transaction that ends their run.
  static let smallRun = 4096

  /// The bits of a row id that hold the place in its block.
  static let placeBits: Int64 = 18

  /// The number of entries in a group, which fit into a quarter of a page.
  private static let groupSize = 120

  private let run: RunNumber

  package init(of run: RunNumber) { self.run = run }

  /// Builds the index, with a transaction for each block, so that other writers do not wait long.
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

  /// Reads a packed value. It never extends over two blocks.
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

  /// Replaces the block of an older index, which a resumed run has.
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

  /// The end of a group: equal tails stay together.
  private static func endOfGroup(from start: Int, in entries: [Entry]) -> Int {
    var end = min(start + groupSize, entries.count)
    while end < entries.count, entries[end].tail == entries[end - 1].tail { end += 1 }
    return end
  }
}

extension TokenIndex {
  /// The tail of a token and the place of its row. It is stored as eight bytes, little-endian.
  struct Entry {
    /// The tail, above the place.
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

extension Database {
  /// The row ids of all results whose device tokens end in these digits, in order. Runs that are
  /// being sent, or whose process was killed, have no index and are searched row by row.
  func results(endingIn token: TokenPattern) throws(HistoryError) -> [Int64] {
    var rows = try indexedResults(endingIn: token)
    let statement = try Statement(searchWithoutIndex(token), on: self)
    statement.bind(token.digits, at: 1)
    while try statement.step() { rows.append(statement.int64(0)) }
    return rows.sorted()
  }

  private func indexedResults(endingIn token: TokenPattern) throws(HistoryError) -> [Int64] {
    let candidates = try rows(withTailOf: token)
    let statement = try Statement(
      "SELECT id FROM pushes(?1, ?2) WHERE \(dialect.end(of: token)) = ?3", on: self)
    statement.bind(token.digits, at: 3)
    var found: [Int64] = []
    for row in candidates {
      statement.bind(row...row)
      if try statement.step() { found.append(row) }
      statement.reset()
    }
    return found
  }

  /// The rows whose tails match the last digits, at most eight of them.
  private func rows(withTailOf token: TokenPattern) throws(HistoryError) -> [Int64] {
    var rows: [Int64] = []
    if token.tail.mask == .max {
      let groups = try Statement(Self.groupSearch, on: self)
      groups.bind(Int64(token.tail.bits), at: 1)
      try groups.addRows(withTailOf: token, to: &rows)
      return rows
    }
    // With fewer digits than a tail has, any group may contain a match. Groups are read a block at
    // a time, because PostgreSQL's client keeps the whole result of a statement in memory.
    let blocks = try Statement("\(Self.blocks) SELECT block FROM indexed", on: self)
    let groups = try Statement("SELECT block, entries FROM token_tails WHERE block = ?", on: self)
    while try blocks.step() {
      groups.bind(blocks.int64(0), at: 1)
      try groups.addRows(withTailOf: token, to: &rows)
    }
    return rows
  }

  /// A query for the blocks of the runs that have an index.
  private static let blocks = """
    WITH RECURSIVE blocks (block) AS (
      SELECT min(block) FROM token_tails
      UNION
      SELECT (SELECT min(block) FROM token_tails WHERE block > blocks.block) FROM blocks
        WHERE blocks.block IS NOT NULL),
    indexed AS (
      SELECT block FROM blocks JOIN progress
        ON progress.run = block >> \(RunNumber.sequenceBits - TokenIndex.placeBits)
        WHERE is_indexed <> 0)
    """

  /// A query for the last group of each block that does not begin above the tail.
  private static let groupSearch = """
    \(blocks)
    SELECT tails.block, tails.entries FROM indexed
      JOIN token_tails AS tails ON tails.block = indexed.block AND tails.first = (
        SELECT max(first) FROM token_tails WHERE block = indexed.block AND first <= ?1)
    """

  private func searchWithoutIndex(_ token: TokenPattern) -> String {
    """
    SELECT pushes.id FROM progress
      CROSS JOIN pushes(progress.run << \(RunNumber.sequenceBits),
        (progress.run + 1 << \(RunNumber.sequenceBits)) - 1)
      WHERE progress.is_indexed = 0 AND \(dialect.end(of: token)) = ?1
    """
  }
}

extension Statement {
  /// Adds the rows of the entries that match the last digits, at most eight of them.
  fileprivate func addRows(
    withTailOf token: TokenPattern, to rows: inout [Int64]
  ) throws(HistoryError) {
    let (tail, mask) = token.tail
    while try step() {
      let first = int64(0) << TokenIndex.placeBits
      bytes(1).forEachEntry {
        if $0.tail & mask == tail { rows.append(first + $0.place) }
      }
    }
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func forEachEntry(_ body: (TokenIndex.Entry) -> Void) {
    let size = MemoryLayout<TokenIndex.Entry>.size
    for offset in stride(from: 0, to: count - size + 1, by: size) {
      body(loadUnaligned(fromByteOffset: offset, as: TokenIndex.Entry.self))
    }
  }
}
