extension Database {
  /// The row ids of all results of a device token, in order. Runs that are being sent, or whose
  /// process was killed, have no index yet and are searched row by row.
  func results(of token: [UInt8]) throws(HistoryError) -> [Int64] {
    let tail = token.withUnsafeBytes { TokenIndex.Entry.tail(of: $0) }
    var rows = try indexedResults(of: token, tail)
    let statement = try Statement(Self.searchWithoutIndex, on: self)
    statement.bind(token, at: 1)
    while try statement.step() { rows.append(statement.int64(0)) }
    return rows.sorted()
  }

  private func indexedResults(
    of token: [UInt8], _ tail: UInt32
  ) throws(HistoryError) -> [Int64] {
    let candidates = try rows(withTail: tail)
    let statement = try Statement("SELECT token = ? FROM results WHERE id = ?", on: self)
    statement.bind(token, at: 1)
    var found: [Int64] = []
    for row in candidates {
      statement.bind(row, at: 2)
      if try statement.step(), statement.int64(0) == 1 { found.append(row) }
      statement.reset()
    }
    return found
  }

  private func rows(withTail tail: UInt32) throws(HistoryError) -> [Int64] {
    let statement = try Statement(Self.groupSearch, on: self)
    statement.bind(Int64(tail), at: 1)
    var rows: [Int64] = []
    while try statement.step() {
      let first = statement.int64(0) << TokenIndex.placeBits
      statement.bytes(1).forEachEntry { if $0.tail == tail { rows.append(first + $0.place) } }
    }
    return rows
  }

  /// The last group of each block that does not begin above the tail.
  private static let groupSearch = """
    WITH RECURSIVE blocks (block) AS (
      SELECT min(block) FROM token_tails
      UNION ALL
      SELECT (SELECT min(block) FROM token_tails WHERE block > blocks.block) FROM blocks
        WHERE blocks.block IS NOT NULL)
    SELECT tails.block, tails.entries FROM blocks
      JOIN progress ON progress.run = blocks.block
        >> \(RunNumber.sequenceBits - TokenIndex.placeBits)
      JOIN token_tails AS tails ON tails.block = blocks.block AND tails.first = (
        SELECT max(first) FROM token_tails WHERE block = blocks.block AND first <= ?1)
      WHERE progress.is_indexed
    """

  private static let searchWithoutIndex = """
    SELECT results.id FROM progress
      CROSS JOIN results ON results.id BETWEEN progress.run << \(RunNumber.sequenceBits)
        AND (progress.run + 1 << \(RunNumber.sequenceBits)) - 1
      WHERE NOT progress.is_indexed AND results.token = ?1
    """
}

extension UnsafeRawBufferPointer {
  fileprivate func forEachEntry(_ body: (TokenIndex.Entry) -> Void) {
    let size = MemoryLayout<TokenIndex.Entry>.size
    for offset in stride(from: 0, to: count - size + 1, by: size) {
      body(loadUnaligned(fromByteOffset: offset, as: TokenIndex.Entry.self))
    }
  }
}
