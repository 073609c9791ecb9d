/// The index on the last four bytes of the device tokens of a run.
///
/// An index on random values costs a factor of ten while a run sends. So a side table is filled when
/// the run has ended, a block of about a million pushes after the other, each sorted in memory: every
/// row goes to the end of the table. A token is looked up once in each block.
struct TokenIndex {
  /// Up to so many results are indexed in the transaction that ends their run.
  static let smallRun = 4096

  /// The bits of a row id that are the place in its block.
  static let placeBits: Int64 = 20

  /// The rows of one transaction: others that write do not wait long.
  private static let slice = 8192

  private let run: RunNumber

  init(of run: RunNumber) { self.run = run }

  /// Builds the index in short transactions.
  func build(in database: borrowing Database) throws(HistoryError) {
    var next = try nextRow(from: run.rows.lowerBound, in: database)
    while let row = next {
      let block = row >> Self.placeBits
      let entries = try sortedEntries(of: block, in: database)
      for start in stride(from: 0, to: entries.count, by: Self.slice) {
        let slice = entries[start..<min(start + Self.slice, entries.count)]
        try database.transaction { () throws(HistoryError) in
          try insert(slice, block, into: database)
        }
      }
      next = try nextRow(from: (block + 1) << Self.placeBits, in: database)
    }
    try markBuilt(in: database)
  }

  /// Builds the index of a small run within the caller's transaction.
  func buildAtOnce(in database: borrowing Database) throws(HistoryError) {
    var next = try nextRow(from: run.rows.lowerBound, in: database)
    while let row = next {
      let block = row >> Self.placeBits
      try insert(try sortedEntries(of: block, in: database)[...], block, into: database)
      next = try nextRow(from: (block + 1) << Self.placeBits, in: database)
    }
    try markBuilt(in: database)
  }

  private func markBuilt(in database: borrowing Database) throws(HistoryError) {
    try database.execute("UPDATE progress SET is_indexed = 1 WHERE run = \(run)")
  }

  /// The run's first result from a row on.
  private func nextRow(
    from row: Int64, in database: borrowing Database
  ) throws(HistoryError) -> Int64? {
    let statement = try Statement(
      "SELECT min(id) FROM results WHERE id BETWEEN ? AND ?", on: database)
    statement.bind(row, at: 1)
    statement.bind(run.rows.upperBound, at: 2)
    return try statement.step() ? statement.optionalInt64(0) : nil
  }

  /// The tail of each token of a block, with the row's place in it in the lower bits.
  private func sortedEntries(
    of block: Int64, in database: borrowing Database
  ) throws(HistoryError) -> [UInt64] {
    let statement = try Statement(
      "SELECT id, token FROM results WHERE id BETWEEN ? AND ?", on: database)
    let first = block << Self.placeBits
    statement.bind(first, at: 1)
    statement.bind(first + (1 << Self.placeBits - 1), at: 2)
    var entries: [UInt64] = []
    while try statement.step() {
      let tail = Self.tail(of: statement.bytes(1))
      entries.append(UInt64(tail) << UInt64(Self.placeBits) | UInt64(statement.int64(0) - first))
    }
    entries.sort()
    return entries
  }

  private func insert(
    _ entries: ArraySlice<UInt64>, _ block: Int64, into database: borrowing Database
  ) throws(HistoryError) {
    // A run that was resumed has some of them already.
    let statement = try Statement(
      "INSERT OR IGNORE INTO token_tails VALUES (?, ?, ?)", on: database)
    statement.bind(block, at: 1)
    for entry in entries {
      statement.bind(Int64(entry >> UInt64(Self.placeBits)), at: 2)
      statement.bind(Int64(entry & (1 << UInt64(Self.placeBits) - 1)), at: 3)
      try statement.run()
    }
  }

  /// The last four bytes of a token as a number.
  static func tail(of token: UnsafeRawBufferPointer) -> UInt32 {
    token.suffix(4).reduce(0) { $0 << 8 | UInt32($1) }
  }
}

extension Database {
  /// The row ids of all results of a device token, newest run last. Runs that are being sent, or
  /// whose process was killed, have no index yet and are searched row by row.
  func results(of token: [UInt8]) throws(HistoryError) -> [Int64] {
    let statement = try Statement(Self.tokenSearch, on: self)
    statement.bind(Int64(token.withUnsafeBytes { TokenIndex.tail(of: $0) }), at: 1)
    statement.bind(token, at: 2)
    var rows: [Int64] = []
    while try statement.step() { rows.append(statement.int64(0)) }
    return rows
  }

  private static let tokenSearch = """
    WITH RECURSIVE blocks (block) AS (
      SELECT min(block) FROM token_tails
      UNION ALL
      SELECT (SELECT min(block) FROM token_tails WHERE block > blocks.block) FROM blocks
        WHERE blocks.block IS NOT NULL)
    SELECT results.id FROM blocks
      CROSS JOIN token_tails AS tails ON tails.block = blocks.block AND tails.tail = ?1
      CROSS JOIN results ON results.id = tails.block << \(TokenIndex.placeBits) | tails.place
      WHERE results.token = ?2
    UNION
    SELECT results.id FROM progress
      CROSS JOIN results ON results.id BETWEEN progress.run << \(RunNumber.sequenceBits)
        AND (progress.run + 1 << \(RunNumber.sequenceBits)) - 1
      WHERE NOT progress.is_indexed AND results.token = ?2
    ORDER BY 1
    """
}
