internal import APNS
public import History
public import PushModel

/// Tells what happens in a history, whoever writes it. It belongs to one thread at a time.
///
/// It does not wait: the caller looks as often as it likes. A look when nothing has changed costs
/// next to nothing.
public final class HistoryFollower {
  /// What happened.
  public enum Event: Sendable, Hashable {
    /// A run began, or goes on: then its ``RunEntry/passes`` are more than 0.
    case began(RunEntry)
    /// A push got its result.
    case push(PushEntry)
    /// A run ended, or a pass of it.
    case ended(RunEntry)
  }

  /// How far a run had come when it was seen last.
  private struct Standing {
    var run: RunNumber
    var pass: Int64
    var isRunning: Bool
  }

  private let reader: HistoryReader
  private let filter: HistoryFilter
  private let search: ResultSearch
  private let changes: Statement
  private var change: Int64?
  private var standings: [RunNumber: Standing] = [:]
  private var followed: [RunNumber: FollowedRun] = [:]

  /// Follows runs of a history.
  ///
  /// - Parameter filter: which runs, and which of their pushes. Its `since`, `until`, `token` and
  ///   `apnsID` only decide on what ``begin(last:)`` hands out.
  public init(_ reader: HistoryReader, _ filter: HistoryFilter) throws(HistoryError) {
    search = try ResultSearch(reader)
    changes = try Statement("PRAGMA data_version", on: reader.database)
    self.reader = reader
    self.filter = filter
  }

  /// Whether a run has ended, as it was seen last; false for one that was not seen.
  public func hasEnded(_ run: RunNumber) -> Bool { standings[run].map { !$0.isRunning } ?? false }

  /// Begins to follow: later looks tell of nothing that is there now.
  ///
  /// - Returns: the newest results that are there, the newest last, at most so many.
  public func begin(last count: Int) throws(HistoryError) -> [PushEntry] {
    _ = try hasChanged()
    return try reader.database.reading { () throws(HistoryError) in
      for standing in try currentStandings() {
        standings[standing.run] = standing
        if standing.isRunning { followed[standing.run] = try following(standing) }
      }
      return try newest(count)
    }
  }

  /// Tells what has happened since the last look.
  public func look(_ body: (Event) -> Void) throws(HistoryError) {
    guard try hasChanged() else { return }
    for standing in try currentStandings() {
      let last = standings[standing.run]
      guard standing.isRunning || last?.pass != standing.pass || last?.isRunning != false else {
        continue
      }
      try tell(standing, last, body)
      standings[standing.run] = standing
    }
  }

  private func hasChanged() throws(HistoryError) -> Bool {
    guard try changes.step() else { return true }
    defer { changes.reset() }
    defer { change = changes.int64(0) }
    return change != changes.int64(0)
  }

  private func newest(_ count: Int) throws(HistoryError) -> [PushEntry] {
    var pushes: [PushEntry] = []
    guard count > 0 else { return [] }
    try reader.forEachPush(filter) { push in
      pushes.append(push)
      return pushes.count < count
    }
    return pushes.reversed()
  }
}

extension HistoryFollower {
  private func currentStandings() throws(HistoryError) -> [Standing] {
    var filter = filter
    (filter.outcomes, filter.reasons, filter.since, filter.until) = ([], [], nil, nil)
    let condition = RunCondition(filter)
    let statement = try Statement(
      """
      SELECT runs.id, pass, state = 'running' FROM runs JOIN progress ON progress.run = runs.id
        WHERE \(condition.sql) ORDER BY runs.id
      """, on: reader.database)
    condition.bind(to: statement, from: 1)
    var standings: [Standing] = []
    while try statement.step() {
      guard let run = RunNumber(rawValue: statement.int64(0)) else { throw statement.corrupt }
      standings.append(
        Standing(run: run, pass: statement.int64(1), isRunning: statement.int64(2) != 0))
    }
    return standings
  }

  private func following(_ standing: Standing) throws(HistoryError) -> FollowedRun? {
    guard let start = try start(of: standing.run) else { return nil }
    return try FollowedRun(running: start, pass: standing.pass, in: reader.database)
  }

  private func start(of run: RunNumber) throws(HistoryError) -> RunStart? {
    let statement = try Statement("\(RunStart.selection) WHERE runs.id = ?", on: reader.database)
    statement.bind(run.rawValue, at: 1)
    guard try statement.step() else { return nil }
    defer { statement.reset() }
    return try RunStart(row: statement)
  }

  /// Tells of a run that goes on, or did since it was seen last.
  private func tell(
    _ standing: Standing, _ last: Standing?, _ body: (Event) -> Void
  ) throws(HistoryError) {
    // Nothing is told of a run that was removed meanwhile.
    guard let start = try start(of: standing.run), let entry = try reader.run(standing.run) else {
      followed[standing.run] = nil
      return
    }
    var run =
      followed[standing.run]
      ?? last.map { FollowedRun(ended: start, pass: $0.pass) } ?? FollowedRun(new: start)
    if last == nil { body(.began(entry)) }
    let tellPush: (PushEntry) -> Void = { [filter] in if filter.takes($0) { body(.push($0)) } }
    if run.pass < standing.pass {
      try run.begin(standing.pass, search, in: reader.database, tellPush)
      if last != nil { body(.began(entry)) }
    }
    try run.look(search, tellPush)
    if !standing.isRunning { body(.ended(entry)) }
    followed[standing.run] = standing.isRunning ? run : nil
  }
}

extension HistoryFilter {
  /// Whether it wants a push of a run that it wants.
  fileprivate func takes(_ push: PushEntry) -> Bool {
    let reason = push.response?.reason?.rawValue.lowercased()
    return (outcomes.isEmpty || outcomes.contains(push.outcome))
      && (reasons.isEmpty || reasons.contains { $0.lowercased() == reason })
  }
}
