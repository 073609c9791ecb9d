package import History
internal import PushModel
package import Reporting
internal import Runs
internal import SQLHistory
package import Settings

/// Counts pushes by a common property.
package struct HistoryStats: Sendable, Equatable {
  package var filter = HistoryFilter()
  package var grouping = PushGrouping.run
  package var isJSON = false
  package var settings = Settings()

  package init() {}

  package func run(_ context: Context) throws(Failure) -> Report {
    let history = try filter.open(settings, context)
    let statistics = try answered(history.statistics(filter, by: grouping))
    var report = StatisticsReport(
      statistics: statistics, grouping: grouping,
      runs: isJSON ? try runs(of: statistics, history) : [:],
      width: isJSON ? nil : context.teller.drawingWidth
    ).report
    if !isJSON {
      report.parts += try history.openRuns(filter).map { .paragraph(StyledText($0)) }
    }
    return report.asJSON(isJSON)
  }

  private func runs(
    of statistics: PushStatistics, _ history: HistoryReader
  ) throws(Failure) -> [RunNumber: RunEntry] {
    var runs: [RunNumber: RunEntry] = [:]
    for case .run(let number) in statistics.groups.map(\.key) {
      runs[number] = try history.storedRun(number).entry
    }
    return runs
  }
}
