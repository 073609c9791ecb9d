internal import History
internal import PushModel

extension Database {
  /// The row ids of all results of device tokens that end in these digits, in order. Runs that are
  /// being sent, or whose process was killed, have no index yet and are searched row by row.
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

  /// The rows whose tails have the last digits, eight at most.
  private func rows(withTailOf token: TokenPattern) throws(HistoryError) -> [Int64] {
    var rows: [Int64] = []
    if token.tail.mask == .max {
      let groups = try Statement(Self.groupSearch, on: self)
      groups.bind(Int64(token.tail.bits), at: 1)
      try groups.addRows(withTailOf: token, to: &rows)
      return rows
    }
    // With fewer digits than a tail has, any group may hold one that fits. They are read a block at a
    // time, because PostgreSQL's client keeps all that one statement gives.
    let blocks = try Statement("\(Self.blocks) SELECT block FROM indexed", on: self)
    let groups = try Statement("SELECT block, entries FROM token_tails WHERE block = ?", on: self)
    while try blocks.step() {
      groups.bind(blocks.int64(0), at: 1)
      try groups.addRows(withTailOf: token, to: &rows)
    }
    return rows
  }

  /// Finds the blocks of the runs that have an index.
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

  /// The last group of each block that does not begin above the tail.
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
  /// Adds the rows of those entries of its groups that have the last digits, eight at most.
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
