internal import APNS
public import History
public import PushModel

extension HistoryReader {
  /// The number of rows read at once, few enough not to keep the log from being emptied for long.
  private static let statisticsBlock: Int64 = 65_536

  /// Counts the pushes that match. It reads only the columns that it needs.
  ///
  /// - Returns: the groups that have pushes.
  public func statistics(
    _ filter: HistoryFilter, by grouping: PushGrouping
  ) throws(HistoryError) -> PushStatistics {
    var statistics = PushStatistics()
    let runs = try countedRuns(filter)
    if filter.token != nil || filter.apnsID != nil {
      try countFew(filter, grouping, runs, into: &statistics)
    } else {
      try countAll(filter, grouping, runs, into: &statistics)
    }
    statistics.sort()
    return statistics
  }

  private func countedRuns(_ filter: HistoryFilter) throws(HistoryError) -> [GroupingKeys] {
    let condition = RunCondition(filter)
    let statement = try Statement(
      """
      SELECT runs.id, started, topic, environment
        FROM runs JOIN progress ON progress.run = runs.id WHERE \(condition.sql) ORDER BY runs.id
      """, on: database)
    condition.bind(to: statement, from: 1)
    var runs: [GroupingKeys] = []
    while try statement.step() { runs.append(try GroupingKeys(row: statement)) }
    return runs
  }

  /// Counts pushes that need no search of all rows.
  private func countFew(
    _ filter: HistoryFilter, _ grouping: PushGrouping, _ runs: [GroupingKeys],
    into statistics: inout PushStatistics
  ) throws(HistoryError) {
    let runs = Dictionary(runs.map { ($0.number, $0) }) { first, _ in first }
    try forEachPush(filter, newestFirst: false) { push in
      guard let run = runs[push.run] else { return true }
      let key = run.key(grouping, at: push.at, reason: push.response?.reason?.rawValue)
      statistics.add(key, push.outcome, latency: push.latencyMicroseconds)
      return true
    }
  }

  private func countAll(
    _ filter: HistoryFilter, _ grouping: PushGrouping, _ runs: [GroupingKeys],
    into statistics: inout PushStatistics
  ) throws(HistoryError) {
    let search = try PushSearch(
      filter, columns: "outcome, reason, latency, at", order: nil, on: database)
    for run in runs {
      var blocks = try RowBlocks(
        of: run.number, filter.source, size: Self.statisticsBlock, on: database)
      while let block = try blocks.next() {
        search.statement.bind(block)
        try count(search.statement, run, grouping, into: &statistics)
      }
    }
  }

  private func count(
    _ row: borrowing Statement, _ run: GroupingKeys, _ grouping: PushGrouping,
    into statistics: inout PushStatistics
  ) throws(HistoryError) {
    while try row.step() {
      let isReasonWanted = grouping == .reason && !row.isNull(1)
      let reason = isReasonWanted ? try reasons.word(row.int64(1)) : nil
      let key = run.key(grouping, at: run.started + (try row.time(3)), reason: reason)
      statistics.add(key, Outcome(code: row.int64(0)), latency: try row.optionalCount(2))
    }
  }
}

/// The grouping keys that all pushes of a run share.
private struct GroupingKeys {
  let number: RunNumber
  let started: Int64
  let topic: String?
  let environment: String?

  init(row: borrowing Statement) throws(HistoryError) {
    number = try RunNumber(row: row)
    started = try row.time(1)
    topic = row.text(2)
    environment = row.text(3)
  }

  /// - Parameter time: the time of the push's result, in milliseconds since 1970 UTC.
  func key(_ grouping: PushGrouping, at time: Int64, reason: String?) -> PushGroup.Key {
    switch grouping {
    case .run: .run(number)
    case .day: .day(time.wholeDays)
    case .reason: .word(reason)
    case .topic: .word(topic)
    case .environment: .word(environment)
    }
  }
}

extension Int64 {
  /// The number of whole days in these milliseconds, rounded down before 1970 too.
  fileprivate var wholeDays: Int64 {
    let (days, rest) = quotientAndRemainder(dividingBy: 86_400_000)
    return rest < 0 ? days - 1 : days
  }
}
