internal import HTTP2
internal import History
internal import PushModel
package import Reporting
package import Runs
internal import SQLHistory
package import Settings

/// Shows a run, or the request and answer of a push.
package struct HistoryShow: Sendable, Equatable {
  package var place = HistoryReference.last
  package var showsTokens = false
  /// The fields to print in JSON; nil for people.
  package var json: JSONFields?
  package var settings = Settings()

  package init() {}

  package func run(_ context: Context) throws(Failure) -> Report {
    try json?.refuseUnknown(among: place.isPush ? Outputs.shownPush : Outputs.shownRun)
    let history = try settings.openHistory(context)
    return try report(of: history, context).asJSON(json)
  }

  private func report(of history: HistoryReader, _ context: Context) throws(Failure) -> Report {
    switch place {
    case .run(let number): return try report(of: history.storedRun(number), history, context)
    case .push(let id):
      let push = try history.storedPush(id)
      let stored = try history.storedRun(push.run)
      return StoredPushReport(
        push: push, stored: stored,
        request: try StoredRequest(of: push, in: stored, history, context),
        showsToken: showsTokens,
        others: try answered(history.otherResults(of: push.run, sequence: push.sequence))
      ).report
    case .last: return try report(of: history.newestStoredRun(), history, context)
    }
  }

  private func report(
    of stored: StoredRun, _ history: HistoryReader, _ context: Context
  ) throws(Failure) -> Report {
    let now = context.clock.epochMilliseconds()
    let run = stored.entry.run
    return StoredRunReport(
      stored: stored, reasons: try answered(history.reasons(of: run)),
      allReasons: try history.reasonsOfAllPasses(of: stored.entry),
      asked: try answered(history.answers(of: run)),
      only: try onlyPush(of: stored.entry, history, context),
      skipped: try skippedRows(of: stored.entry, history, context),
      resentBy: Resends(of: stored.entry, among: try history.resends()), showsToken: showsTokens,
      next: json != nil ? nil : resumeHint(stored, history, now),
      queue: try queue(of: stored.entry, history)
    ).report
  }

  private func queue(
    of entry: RunEntry, _ history: HistoryReader
  ) throws(Failure) -> QueueReport? {
    guard let standing = try answered(history.queueStanding(of: entry.run)) else { return nil }
    return QueueReport(
      run: entry, standing: standing,
      others: try answered(history.otherResults(of: entry.run, sequence: nil)),
      resent: try answered(history.resentInDoubt(of: entry.run)))
  }

  /// The push of a run that has no other.
  private func onlyPush(
    of entry: RunEntry, _ history: HistoryReader, _ context: Context
  ) throws(Failure) -> DescribedPush? {
    var rows = RowFactReader(in: history, context)
    return try history.onlyPush(of: entry).map {
      DescribedPush(entry: $0, facts: rows.facts(of: $0))
    }
  }

  /// The first skipped pushes with their reasons, which JSON has in the pushes of the run.
  private func skippedRows(
    of entry: RunEntry, _ history: HistoryReader, _ context: Context
  ) throws(Failure) -> [DescribedPush] {
    if json != nil || entry.completeTally[.skipped] == 0 { return [] }
    var filter = HistoryFilter()
    (filter.runs, filter.outcomes) = ([entry.run], [.skipped])
    var (rows, pushes) = (RowFactReader(in: history, context), [DescribedPush]())
    try history.forEachStoredPush(filter, newestFirst: false) { push in
      pushes.append(DescribedPush(entry: push, facts: rows.facts(of: push)))
      return pushes.count < StoredRunReport.mostSkipped
    }
    return pushes
  }

  /// The command that sends the rest of a run; nil if there is none, or it is being sent.
  private func resumeHint(
    _ stored: StoredRun, _ history: HistoryReader, _ now: Int64
  ) -> String? {
    var (entry, hint) = (stored.entry, ResumeHint(stored, history: settings.history?.value))
    if entry.state?.isInQueue == true {
      return history.isBeingSent(entry.run) ? nil : hint.command(entry.continuing)
    }
    let isLeft =
      entry.state == .running || entry.state == .interrupted || entry.openCount(at: now) > 0
    // While another run is sending the same pushes, just wait.
    guard isLeft, !history.isBeingSent(entry.run),
      let since = try? SentElsewhere(of: entry, in: history, now: now), since.leavesSome
    else { return nil }
    if since.isEmpty || !since.canBeResent { return hint.command }
    hint.run = since.source.rawValue
    return hint.command("history resend")
  }
}

extension HistoryReader {
  /// The reasons of a run's pushes as they stand, most frequent first. The figures of a run that was
  /// resumed are of its last pass alone, so that its pushes are counted.
  func reasonsOfAllPasses(of entry: RunEntry) throws(Failure) -> [ReasonCount] {
    if entry.resumptions == 0, entry.ended != nil { return try answered(reasons(of: entry.run)) }
    var filter = HistoryFilter()
    filter.runs = [entry.run]
    return try answered(statistics(filter, by: .reason)).groups.compactMap { group in
      guard case .word(let reason?) = group.key else { return nil }
      return ReasonCount(reason, group.figures.tally.total)
    }
  }
}
