internal import POSIX
internal import PushModel

/// Removes the rows of runs that no longer exist, a few at a time, so that others can write between
/// two transactions.
struct RowRemoval {
  /// A table whose row numbers begin with the number of the run.
  private struct Table {
    let name: StaticString
    var number: StaticString = "id"
    /// The number of bits below the run's number.
    var bits = RunNumber.sequenceBits
    /// The number of rows removed per transaction, of any number of runs.
    let most: Int
    /// An SQL expression for the number of results in its rows, in total or per row; nil if they
    /// have none.
    var results: StaticString?

    /// The rows of no run within bounds. On a server, a run that is just beginning may get a lower
    /// number than one that others see already.
    func orphans(in numbers: ClosedRange<Int64>) -> String {
      """
      FROM \(name) WHERE \(number) BETWEEN \(numbers.lowerBound) AND \(numbers.upperBound)
        AND NOT EXISTS (SELECT 1 FROM runs WHERE runs.id = \(name).\(number) >> \(bits))
      """
    }
  }

  /// A value of `accepted` may fill twenty pages, a payload one.
  private static let tables = [
    Table(name: "results", most: 8192, results: "count(*)"),
    Table(name: "accepted", most: 64, results: "count"),
    Table(name: "payloads", most: 2048),
    Table(name: "commits", most: 512),
    Table(name: "origins", most: 8192),
    Table(
      name: "token_tails", number: "block", bits: RunNumber.sequenceBits - TokenIndex.placeBits,
      most: 2048),
  ]

  /// The tables of the queue. Rows of `queued_runs` and `workers` are removed with their run. A
  /// chunk has about ten thousand bytes.
  private static let queue = [
    Table(name: "chunks", most: 256), Table(name: "other_results", most: 8192),
  ]

  private var removed = 0
  private var damage: HistoryError?

  /// Removes all such rows.
  ///
  /// - Returns: the number of results among them.
  /// - Throws: `HistoryError`: `corrupt` if some rows do not tell; they are removed all the same.
  mutating func removeOrphans(from database: borrowing Database) throws(HistoryError) -> Int {
    for table in Self.tables + (database.dialect.hasQueue ? Self.queue : []) {
      try removeOrphans(table, from: database)
    }
    if let damage { throw damage }
    return removed
  }

  private mutating func removeOrphans(
    _ table: Table, from database: borrowing Database
  ) throws(HistoryError) {
    // What is added meanwhile belongs to runs that are there.
    guard let last = try number("max", after: -1, table, in: database) else { return }
    var done: Int64 = -1
    while let first = try number("min", after: done, table, in: database), first <= last {
      let run = first >> table.bits
      let next = try database.run("SELECT min(id) FROM runs WHERE id >= \(run)")
      if next?.rawValue == run {
        done = run << table.bits | (1 << table.bits - 1)
      } else {
        let end = next.map { min(last, $0.rawValue << table.bits - 1) } ?? last
        done = try remove(first...end, table, from: database)
      }
    }
  }

  /// The lowest or highest row number above another.
  private func number(
    _ end: StaticString, after number: Int64, _ table: Table, in database: borrowing Database
  ) throws(HistoryError) -> Int64? {
    let statement = try Statement(
      "SELECT \(end)(\(table.number)) FROM \(table.name) WHERE \(table.number) > ?", on: database)
    statement.bind(number, at: 1)
    guard try statement.step(), !statement.isNull(0) else { return nil }
    defer { statement.reset() }
    return try statement.row(after: number)
  }

  /// Removes the first rows within bounds, in one transaction.
  ///
  /// - Returns: the number up to which none is left.
  private mutating func remove(
    _ numbers: ClosedRange<Int64>, _ table: Table, from database: borrowing Database
  ) throws(HistoryError) -> Int64 {
    let start = ContinuousClock.now
    let end = try database.transaction { () throws(HistoryError) in
      let end = try database.number(
        """
        SELECT max(\(table.number)) FROM (SELECT \(table.number)
          \(table.orphans(in: numbers)) ORDER BY \(table.number) LIMIT \(table.most)) AS found
        """)
      if end < numbers.lowerBound { return numbers.upperBound }
      let rows = table.orphans(in: numbers.lowerBound...end)
      try countResults(rows, table, in: database)
      try database.execute("DELETE \(rows)")
      return end
    }
    // Those who wait for the lock poll it.
    let spent = (ContinuousClock.now - start) / .milliseconds(1)
    usleep(UInt32(1000 * min(max(1, spent / 4), 100)))
    return end
  }

  private mutating func countResults(
    _ rows: String, _ table: Table, in database: borrowing Database
  ) throws(HistoryError) {
    guard let results = table.results else { return }
    let statement = try Statement("SELECT \(results) \(rows)", on: database)
    while try statement.step() {
      let number = statement.int64(0)
      // At most as many as a block of packed pushes or a batch has, so that no sum overflows.
      if (0...8192).contains(number) {
        removed += Int(number)
      } else {
        damage = .corrupt(path: statement.place)
      }
    }
  }
}

/// Removes reasons and list names that no result uses any more.
///
/// Senders keep the numbers of words in memory, so nothing is removed while a process sends. The
/// highest number stays, without its word, so that no number is ever given to another word.
struct WordRemoval {
  func removeUnused(from database: borrowing Database) throws(HistoryError) {
    let version = try database.number(database.dialect.versionOfResults)
    let lists = try numbers(
      "SELECT DISTINCT list FROM pushes(0, \(Int64.max))", in: database)
    try database.transaction { () throws(HistoryError) in
      try database.lockWords()
      // Others may have committed results since that need one of the words.
      guard try database.number(database.dialect.versionOfResults) == version else { return }
      if try database.isSomethingSent { return }
      try remove("reasons", unusedReasons(database), from: database)
      try remove("lists", "id NOT IN (\(lists.joined(separator: ", ")))", from: database)
    }
  }

  private func unusedReasons(_ database: borrowing Database) -> String {
    let tables = ["results"] + (database.dialect.hasQueue ? ["other_results"] : [])
    return tables.map { "NOT EXISTS (SELECT 1 FROM \($0) WHERE reason = reasons.id)" }
      .joined(separator: " AND ")
  }

  private func remove(
    _ table: StaticString, _ isUnused: String, from database: borrowing Database
  ) throws(HistoryError) {
    try database.execute(
      """
      DELETE FROM \(table) WHERE id < (SELECT max(id) FROM \(table)) AND \(isUnused);
      UPDATE \(table) SET word = '' WHERE \(isUnused)
        AND NOT EXISTS (SELECT 1 FROM \(table) AS other WHERE other.word = '')
      """)
  }

  private func numbers(
    _ sql: String, in database: borrowing Database
  ) throws(HistoryError) -> [String] {
    let statement = try Statement(sql, on: database)
    // A list in SQL cannot be empty; words are numbered from 1.
    var numbers = ["0"]
    while try statement.step() { numbers.append(String(statement.int64(0))) }
    return numbers
  }
}
