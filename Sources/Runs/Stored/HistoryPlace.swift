package import APNS
package import History
package import PushModel
package import Reporting

/// A run by its number, or a push by its `apns-id`.
package enum HistoryPlace: Hashable, Sendable, CustomStringConvertible {
  case run(RunNumber)
  case push(APNSID)

  package var description: String {
    switch self {
    case .run(let number): number.description
    case .push(let id): id.description
    }
  }
}

extension HistoryStore {
  /// The columns that are told with the results of runs that fit a filter.
  package func columns(of filter: HistoryFilter) throws(Failure) -> [String] {
    var columns: [String] = []
    try answered(
      forEachRun(filter) { run in
        columns.add(StoredRun(run).columns)
        return true
      })
    return columns
  }
}

/// The pushes of some places that fit a filter: runs first, then single pushes as they are named.
/// Without a place it is all that fit.
package struct WantedPushes {
  private let history: any HistoryStore
  private let filters: [HistoryFilter]

  /// - Throws: `Failure` when the history does not hold what a place names.
  package init(
    _ places: [HistoryPlace], _ filter: HistoryFilter, in history: any HistoryStore
  ) throws(Failure) {
    self.history = history
    var inRuns = filter
    var filters: [HistoryFilter] = []
    for place in places {
      switch place {
      case .run(let number): inRuns.runs.insert(try history.storedRun(number).entry.run)
      case .push(let id):
        var one = filter
        one.apnsID = try history.storedPush(id).apnsID
        if one != filters.last { filters.append(one) }
      }
    }
    self.filters = places.isEmpty || !inRuns.runs.isEmpty ? [inRuns] + filters : filters
  }

  /// What figures made of the results of its runs lack, a sentence for each run.
  package func openRuns() throws(Failure) -> [String] {
    guard let filter = filters.first(where: { $0.apnsID == nil }) else { return [] }
    return try history.openRuns(filter)
  }

  /// The columns that are told with the results of its runs.
  package func columns() throws(Failure) -> [String] {
    var columns: [String] = []
    for filter in filters {
      guard let id = filter.apnsID else {
        columns.add(try history.columns(of: filter))
        continue
      }
      columns.add(try history.storedRun(try history.storedPush(id).run).columns)
    }
    return columns
  }

  /// Hands out each push with its run until `body` returns false. Memory does not grow with them.
  ///
  /// - Parameter newestFirst: the newest run first, and in it the highest numbers; else the oldest
  ///   and the lowest.
  package func forEach(
    newestFirst: Bool, _ body: (PushEntry, StoredRun) throws(Failure) -> Bool
  ) throws(Failure) {
    var run: StoredRun?
    for filter in filters {
      try history.forEachStoredPush(filter, newestFirst: newestFirst) { (push) throws(Failure) in
        if let run, run.entry.run == push.run { return try body(push, run) }
        let stored = try history.storedRun(push.run)
        run = stored
        return try body(push, stored)
      }
    }
  }
}
