internal import APNS
internal import History
internal import PushModel
internal import SQLiteHistory

/// What is left of a run and was accepted in another run since, or may have arrived with it:
/// resuming would send it once more.
struct SentSince: Sendable {
  let run: RunNumber
  /// Whether nothing else is left of the run.
  private(set) var isAll: Bool
  /// Whether the run has pushes without a result.
  let isOpen: Bool
  /// How many pushes each run got accepted.
  private(set) var accepted: [RunNumber: Int] = [:]
  /// How many pushes may have arrived with each run that was to send them at most once.
  private(set) var inDoubt: [RunNumber: Int] = [:]

  var isEmpty: Bool { accepted.isEmpty && inDoubt.isEmpty }

  /// - Parameter now: in milliseconds since 1970 UTC.
  /// - Throws: `Failure.beingResent` while a process sends pushes of the run by another one.
  init(of stored: StoredRun, in history: HistoryReader, now: Int64) throws(Failure) {
    let entry = stored.entry
    run = entry.run
    isOpen = entry.state != .finished
    isAll = !isOpen
    let others = try EarlierResends(of: stored, in: history)
    var filter = HistoryFilter()
    filter.runs = [run]
    filter.outcomes = Set(Outcome.allCases.filter { entry.sends($0, at: now) })
    if others.resends.isEmpty || filter.outcomes.isEmpty { return }
    try history.forEachStoredPush(filter, newestFirst: false) { push in
      add(others.reason(toLeaveOut: push))
      return true
    }
  }

  private mutating func add(_ sent: (reason: ResendChoice.LeftOut, by: RunNumber)?) {
    switch sent {
    case nil: isAll = false
    case (.inDoubt, let other)?: inDoubt[other, default: 0] += 1
    case (_, let other)?: accepted[other, default: 0] += 1
    }
  }
}
