package import APNS
package import History
package import PushModel
package import Reporting
package import SQLHistory

/// A run by its number or as the newest, or a push by its `apns-id`.
package enum HistoryReference: Hashable, Sendable, CustomStringConvertible {
  case run(RunNumber)
  case push(APNSID)
  /// The newest run: `last`.
  case last

  package var isPush: Bool { if case .push = self { true } else { false } }

  package var description: String {
    switch self {
    case .run(let number): number.description
    case .push(let id): id.description
    case .last: "last"
    }
  }
}

extension HistoryReader {
  /// The newest run.
  ///
  /// - Throws: `Failure.history` with `empty` if there is none.
  package func newestStoredRun() throws(Failure) -> StoredRun {
    guard let newest = try answered(newestRun()) else { throw .history(.empty(path: path)) }
    return StoredRun(newest)
  }
}

extension HistoryReader {
  /// The list columns included in the results of matching runs.
  package func columns(of filter: HistoryFilter) throws(Failure) -> [String] {
    var columns: [String] = []
    try forEachStoredRun(filter) { run in
      columns.add(StoredRun(run).columns)
      return true
    }
    return columns
  }
}

/// Pushes that match a filter, in the given places: first those of runs, then single pushes as
/// listed. Without places, all that match.
package struct SelectedPushes {
  private let history: HistoryReader
  private let filters: [HistoryFilter]

  /// - Throws: `Failure` if a place is not in the history.
  package init(
    _ places: [HistoryReference], _ filter: HistoryFilter, in history: HistoryReader
  ) throws(Failure) {
    self.history = history
    var inRuns = filter
    var filters: [HistoryFilter] = []
    for place in places {
      switch place {
      case .run(let number): inRuns.runs.insert(try history.storedRun(number).entry.run)
      case .last: inRuns.runs.insert(try history.newestStoredRun().entry.run)
      case .push(let id):
        var one = filter
        one.apnsID = try history.storedPush(id).apnsID
        if one != filters.last { filters.append(one) }
      }
    }
    self.filters = places.isEmpty || !inRuns.runs.isEmpty ? [inRuns] + filters : filters
  }

  /// The gaps in figures made from these results, a sentence per run.
  package func openRuns() throws(Failure) -> [String] {
    guard let filter = filters.first(where: { $0.apnsID == nil }) else { return [] }
    return try history.openRuns(filter)
  }

  /// The list columns included in the results of these runs.
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

  /// Calls `body` with each push and its run until it returns false. Memory use is constant.
  ///
  /// - Parameter newestFirst: from the newest run and highest numbers down; otherwise from the
  ///   oldest and lowest up.
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
