package import Reporting
package import Runs
package import Settings

/// Compares two pushes, or two runs.
package struct HistoryDiff: Sendable, Equatable {
  /// The older place, then the newer one.
  package var places: [HistoryReference] = []
  package var isJSON = false
  package var settings = Settings()

  package init() {}

  package func run(_ context: Context) throws(Failure) -> Report {
    guard places.count > 1 else { throw .missingArgument("RUN-OR-ID of what to compare with") }
    if places.count > 2 { throw .unexpectedArgument("\(places[2])") }
    let history = try settings.openHistory(context)
    let difference = Difference(
      try ComparedSide(places[0], in: history, context),
      try ComparedSide(places[1], in: history, context))
    return difference.report.asJSON(isJSON)
      .followed(by: difference.lost.map { Failure.rowsGone($0).parts() } ?? [])
  }
}
