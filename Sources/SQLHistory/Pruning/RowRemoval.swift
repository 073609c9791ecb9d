internal import CSQLite
internal import PushModel

/// Removes the rows of runs that there are no more, a few at a time: between two transactions others
/// get their turn.
struct RowRemoval {
  /// Rows of one kind whose numbers begin with that of their run.
  private struct Table {
    let name: StaticString
    let number: StaticString
    /// How many bits below the number of the run.
    let bits: Int64
    /// How many numbers one transaction removes: a block of tails has two thousand rows, a payload may
    /// have a page.
    let step: Int64
    /// In SQL, how many results its rows have.
    var results: StaticString = "0"
  }

  private static let tables = [
    Table(
      name: "results", number: "id", bits: RunNumber.sequenceBits, step: 8192, results: "count(*)"),
    Table(
      name: "accepted", number: "id", bits: RunNumber.sequenceBits, step: 32768,
      results: "CAST(coalesce(sum(count), 0) AS BIGINT)"),
    Table(name: "payloads", number: "id", bits: RunNumber.sequenceBits, step: 2048),
    Table(name: "commits", number: "id", bits: RunNumber.sequenceBits, step: 512),
    Table(name: "origins", number: "id", bits: RunNumber.sequenceBits, step: 8192),
    Table(
      name: "token_tails", number: "block", bits: RunNumber.sequenceBits - TokenIndex.placeBits,
      step: 1),
  ]

  /// Rows of `queued_runs` and `workers` go with their run. A chunk takes some ten thousand bytes.
  private static let queue = [
    Table(name: "chunks", number: "id", bits: RunNumber.sequenceBits, step: 1 << 18),
    Table(name: "other_results", number: "id", bits: RunNumber.sequenceBits, step: 8192),
  ]

  /// Removes all such rows.
  ///
  /// - Returns: how many of them were results.
  func removeOrphans(from database: borrowing Database) throws(HistoryError) -> Int {
    var removed = 0
    for table in Self.tables + (database.isPostgreSQL ? Self.queue : []) {
      removed += try removeOrphans(table, from: database)
    }
    return removed
  }

  private func removeOrphans(
    _ table: Table, from database: borrowing Database
  ) throws(HistoryError) -> Int {
    var removed = 0
    var last: Int64 = -1
    while let number = try first(table, after: last, in: database) {
      let run = number >> table.bits
      let end = run << table.bits | (1 << table.bits - 1)
      if try database.number("SELECT count(*) FROM runs WHERE id = \(run)") > 0 {
        last = end
      } else {
        removed += try remove(
          number...(end - number < table.step ? end : number + table.step - 1), table,
          from: database)
        last = number
      }
    }
    return removed
  }

  private func first(
    _ table: Table, after number: Int64, in database: borrowing Database
  ) throws(HistoryError) -> Int64? {
    let statement = try Statement(
      "SELECT min(\(table.number)) FROM \(table.name) WHERE \(table.number) > ?", on: database)
    statement.bind(number, at: 1)
    guard try statement.step(), !statement.isNull(0) else { return nil }
    return try statement.row(after: number)
  }

  private func remove(
    _ numbers: ClosedRange<Int64>, _ table: Table, from database: borrowing Database
  ) throws(HistoryError) -> Int {
    let start = ContinuousClock.now
    let rows = """
      FROM \(table.name) WHERE \(table.number) >= \(numbers.lowerBound)
        AND \(table.number) <= \(numbers.upperBound)
      """
    let removed = try database.transaction { () throws(HistoryError) in
      let removed = try database.number("SELECT \(table.results) \(rows)")
      try database.execute("DELETE \(rows)")
      return Int(removed)
    }
    // Who waits for the lock asks for it now and then.
    let spent = (ContinuousClock.now - start) / .milliseconds(1)
    sqlite3_sleep(Int32(min(max(1, spent / 4), 100)))
    return removed
  }
}
