package import PushModel

/// What the writer of a run has to commit, and the commit whose answer was lost.
///
/// A connection that breaks during a COMMIT leaves open whether it took effect. So each commit
/// leaves a stamp, a number by chance, in the column `stamp` of a row that only this writer changes.
/// The next connection reads there what became of the commit, and whether another process has taken
/// over the run meanwhile.
package struct PendingCommits<Item, Change> {
  /// What waits, oldest first.
  package private(set) var items: [Item] = []

  /// The sum of the sizes of what waits.
  package private(set) var size = 0

  /// The sum of the sizes of what is committed.
  package private(set) var committed = 0

  private let run: RunNumber
  private let row: String
  private var sizes: [Int] = []
  /// The stamp of the last commit that is known to have taken effect.
  private var stamp: Int64 = 0
  private var unanswered: Attempt?
  private var hasLostConnection = false

  private struct Attempt {
    var stamp: Int64
    /// The number of items that it writes.
    var count: Int
    var change: Change
  }

  /// Creates an empty outbox for a row without a stamp.
  ///
  /// - Parameter row: the row in SQL: a table and a condition.
  package init(of run: RunNumber, stamping row: String) { (self.run, self.row) = (run, row) }

  /// Creates an empty outbox for a row that may have a stamp.
  package init(
    of run: RunNumber, continuing row: String, in database: borrowing Database
  ) throws(HistoryError) {
    self.init(of: run, stamping: row)
    stamp = try currentStamp(in: database)
  }

  /// Adds an item.
  package mutating func add(_ item: Item, size: Int) {
    items.append(item)
    sizes.append(size)
    self.size += size
  }

  /// Removes everything that waits.
  package mutating func takeAll() -> [Item] {
    defer { (items, sizes, size, unanswered) = ([], [], 0, nil) }
    return items
  }

  /// Commits the first items, which wait no longer then.
  ///
  /// - Parameter body: writes them and the stamp within the transaction, and returns what changes for
  ///   the writer once that has taken effect.
  package mutating func commit(
    first count: Int, in database: borrowing Database,
    _ body: (ArraySlice<Item>, _ stamp: Int64) throws(HistoryError) -> Change
  ) throws(HistoryError) -> Change {
    var attempt: Attempt?
    do throws(HistoryError) {
      let made = try database.transaction { () throws(HistoryError) in
        let stamp = Int64.random(in: .min ... .max)
        let made = Attempt(
          stamp: stamp, count: count, change: try body(items[..<count], stamp))
        attempt = made
        return made
      }
      return settle(made)
    } catch {
      if case .connectionLost = error { unanswered = attempt }
      throw error
    }
  }

  /// Goes on over a new connection if the old one was lost, and finds out what became of the commit
  /// that was not answered.
  ///
  /// - Parameter lease: the right to send the run. The server grants it again only when it has ended
  ///   the work of the old connection.
  /// - Returns: the change of that commit if it took effect.
  /// - Throws: `HistoryError`: among others `owned` if another process has written to the run since,
  ///   and `noSuchRun` if it was removed.
  package mutating func reconnect(
    renewing lease: (any RunLease)?, in database: borrowing Database
  ) throws(HistoryError) -> Change? {
    hasLostConnection = hasLostConnection || database.driver.isLost
    guard hasLostConnection else { return nil }
    try database.driver.reconnect()
    try lease?.renew()
    let found = try currentStamp(in: database)
    let tookEffect = unanswered.flatMap { $0.stamp == found ? $0 : nil }
    guard tookEffect != nil || found == stamp else {
      throw HistoryError.owned(run: run, pid: nil, host: nil)
    }
    (unanswered, hasLostConnection) = (nil, false)
    return tookEffect.map { settle($0) }
  }

  private mutating func settle(_ attempt: Attempt) -> Change {
    let size = sizes[..<attempt.count].reduce(0, +)
    (stamp, self.size, committed) = (attempt.stamp, self.size - size, committed + size)
    items.removeFirst(attempt.count)
    sizes.removeFirst(attempt.count)
    return attempt.change
  }

  private func currentStamp(in database: borrowing Database) throws(HistoryError) -> Int64 {
    let statement = try Statement("SELECT stamp FROM \(row)", on: database)
    guard try statement.step() else { throw HistoryError.noSuchRun(run) }
    defer { statement.reset() }
    return statement.int64(0)
  }
}
