package import History
internal import PlainText
package import Projects
internal import PushModel

/// Counts pushes by what they have in common.
package struct HistoryStats: Sendable, Equatable {
  private static let mostNamed = 5

  package var filter = HistoryFilter()
  package var grouping = PushGrouping.run
  package var isJSON = false
  package var settings = Settings()

  package init() {}

  package func run(_ context: Context) throws(Failure) -> ExitCode {
    let history = try filter.open(settings, context)
    let statistics = try answered(history.statistics(filter, by: grouping))
    var report = StatisticsReport(
      statistics: statistics, grouping: grouping,
      runs: isJSON ? try runs(of: statistics, history) : [:],
      width: !isJSON && context.output.isTerminal ? context.output.width : nil
    ).report
    if !isJSON { report.parts.append(.lines(try openRuns(history))) }
    return context.tell(report, asJSON: isJSON)
  }

  private func runs(
    of statistics: PushStatistics, _ history: any HistoryStore
  ) throws(Failure) -> [RunNumber: RunEntry] {
    var runs: [RunNumber: RunEntry] = [:]
    for case .run(let number) in statistics.groups.map(\.key) {
      runs[number] = try history.storedRun(number).entry
    }
    return runs
  }

  /// Runs that have not ended: their figures are not final.
  private func openRuns(_ history: any HistoryStore) throws(Failure) -> [StyledText] {
    var named: [StyledText] = []
    var count = 0
    try answered(
      history.forEachRun(filter) { run in
        if run.state == .finished { return true }
        count += 1
        if count <= Self.mostNamed { named.append(sentence(run, history)) }
        return true
      })
    let more = count - named.count
    return named.reversed()
      + (more > 0 ? ["\(counted(more, "older run")) not finished either."] : [])
  }

  private func sentence(_ entry: RunEntry, _ history: any HistoryStore) -> StyledText {
    let run = entry.run
    if history.isBeingSent(run) {
      return "Run \(run) is being sent: only its results so far are counted."
    }
    let how = entry.state == .interrupted ? "was interrupted" : "was killed"
    return "Run \(run) \(how): only its results are counted. 'fanfare resume \(run)' continues."
  }
}
