internal import History
internal import PushModel

/// Finds the place of a page in a run by counting, so that a page far down costs no more than the
/// first: the pushes before it are not read, and packed ones are not unpacked.
extension ResultContext {
  /// Takes the run's pushes off those to be skipped, if all of them are.
  ///
  /// - Returns: true if nothing of the run is left for the page.
  func passes(_ filter: HistoryFilter, _ rest: inout Int) -> Bool {
    guard rest > 0, filter.reasons.isEmpty else { return false }
    let wanted = filter.outcomes.isEmpty ? Set(Outcome.allCases) : filter.outcomes
    let count = wanted.reduce(0) { $0 + tally[$1] }
    if count > rest { return false }
    rest -= count
    return true
  }

  /// The rows of the run without blocks whose pushes are all skipped.
  ///
  /// - Parameter rest: the number of pushes to skip; afterwards, those to skip in these rows.
  func rows(
    _ filter: HistoryFilter, newestFirst: Bool, skipping rest: inout Int,
    in database: borrowing Database
  ) throws(HistoryError) -> ClosedRange<Int64> {
    if rest == 0 { return run.rows }
    let bounds = numbers ?? run.rows
    var (low, high) = (bounds.lowerBound, bounds.upperBound)
    if numbers != nil, !filter.wantsPushes {
      // One result for each number.
      defer { rest = 0 }
      return newestFirst ? low...high - Int64(rest) : low + Int64(rest)...high
    }
    let counter = try PushCounter(filter, on: database)
    while case let (first, last) = (low.block, high.block), first < last {
      // No packed value is on both sides.
      let middle = ((first + last + 1) / 2) << AcceptedPushes.blockBits
      let count = try counter.count(newestFirst ? middle...high : low...middle - 1)
      let isSkipped = count <= rest
      if isSkipped { rest -= count }
      if isSkipped == newestFirst { high = middle - 1 } else { low = middle }
    }
    return newestFirst ? run.rows.lowerBound...high : low...run.rows.upperBound
  }
}

/// Counts the pushes that match a filter.
private struct PushCounter: ~Copyable {
  private let statement: Statement

  init(_ filter: HistoryFilter, on database: borrowing Database) throws(HistoryError) {
    statement = try Statement(filter.counting(in: database), on: database)
    filter.bind(to: statement)
  }

  /// - Parameter rows: whole blocks of packed pushes.
  func count(_ rows: ClosedRange<Int64>) throws(HistoryError) -> Int {
    statement.bind(rows)
    guard try statement.step() else { return 0 }
    defer { statement.reset() }
    return try statement.count(0)
  }
}

extension HistoryFilter {
  /// A query for the number of matching pushes, of which packed ones match by their outcome alone.
  func counting(in database: borrowing Database) -> String {
    let packed = "(SELECT coalesce(sum(count), 0) FROM accepted WHERE id BETWEEN ?1 AND ?2)"
    return """
      SELECT CAST(count(*) + \(source == .pushes ? packed : "0") AS BIGINT) FROM results
        WHERE id BETWEEN ?1 AND ?2 AND \(condition(in: database))
      """
  }
}

extension Int64 {
  /// The block of packed pushes that a row belongs to.
  fileprivate var block: Int64 { self >> AcceptedPushes.blockBits }
}
