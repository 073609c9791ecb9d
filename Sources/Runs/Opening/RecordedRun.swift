internal import Delivery
internal import PushModel
internal import Reporting
internal import SQLHistory
internal import Settings

/// A run in the history: its ledger, its end, and the copies of its lists.
package final class RecordedRun {
  /// The ledger that records every push before it is sent; nil without a history.
  let ledger: RunLedger?

  private let removeCopies: () -> Void
  private let spools: [ListSpools]
  private var isDone = false
  private var isGone = false

  /// - Parameter ledger: the ledger of a resumed run; nil records nothing.
  init(
    _ ledger: RunLedger? = nil, _ spools: [ListSpools] = [],
    removeCopies: @escaping () -> Void = {}
  ) {
    (self.ledger, self.spools, self.removeCopies) = (ledger, spools, removeCopies)
  }

  /// Begins a run in the history.
  ///
  /// - Parameters:
  ///   - lineage: the pushes of an older run that it resends; nil for none.
  ///   - path: the history's file or URL.
  /// - Throws: `Failure.history`; nothing was sent.
  convenience init(
    beginning record: RunRecord, _ lineage: Lineage?, of run: some RunSource, _ spools: ListSpools,
    at path: String, _ context: Context
  ) throws(Failure) {
    let ledger: SQLLedger
    do throws(HistoryError) {
      ledger = try SQLLedger.begin(
        record, lineage, at: path, claiming: run.sources.isOnePush ? 1 : 0,
        pace: record.atMostOnce ? .atMostOnce : .init())
    } catch {
      throw .history(error)
    }
    let copies = ListCopies(ledger.run, record, in: path, context)
    let (lists, suppression) = (run.sources.count, run.suppression)
    self.init(RunLedger(ledger), [spools, suppression.spools]) {
      copies.removeAll(recipients: lists, suppressed: suppression.sources.count)
    }
    copies.keep(recipients: spools, suppressed: suppression.spools)
  }

  /// The run's number; nil when it has none, or the history is gone.
  var number: Int64? { isGone ? nil : ledger?.run.rawValue }

  /// The way to continue. A run with a list that could not be copied cannot be resumed.
  func resumeHint(history: String?) -> ResumeHint {
    let canBeResumed = !isDone && !spools.contains(where: \.hasFailed)
    return ResumeHint(
      run: canBeResumed ? number : nil, history: history, due: ledger?.results.nextDue)
  }

  /// Stores the payloads made from rows of a template.
  ///
  /// - Throws: `Failure.history`; nothing was sent.
  func keepPayloads() throws(Failure) {
    do throws(HistoryError) { try ledger?.results.keepPayloads() } catch { throw .history(error) }
  }

  /// Records the start of another pass.
  ///
  /// - Throws: `Failure.history`; nothing was sent.
  func beginPass() throws(Failure) {
    do throws(HistoryError) { try ledger?.resuming?.beginPass() } catch { throw .history(error) }
  }

  /// Records the end of the run.
  ///
  /// - Parameter now: the time in milliseconds since 1970 UTC.
  /// - Returns: the error and the results missing from the history; nil when it has all.
  func close(
    _ summary: SummaryReport, now: Int64
  ) -> (error: HistoryError, results: [PushResult])? {
    guard let ledger else { return nil }
    let results = ledger.results
    let (counts, isWhole) = (summary.report.read, summary.report.hasReadAll)
    do throws(HistoryError) {
      if results.failure != nil { try results.retry() }
      if isWhole { ledger.claims?.listsEnded(at: UInt64(counts.pushes)) }
      // After reading all lists every push has a result, even if it was not attempted.
      try results.finish(
        RunEnding(
          isWhole ? .finished : .interrupted, recipients: counts, figures: summary.figures,
          reasons: summary.reasons, asked: summary.search?.answers ?? [], at: now))
      isDone = isWhole && results.isDone(at: now)
      if isDone { removeCopies() }
      return nil
    } catch {
      if case .gone = error { isGone = true }
      return (error, results.takeUncommitted())
    }
  }
}

extension ResultLedger {
  /// True if no push is left for another pass at a time in milliseconds since 1970 UTC.
  fileprivate func isDone(at now: Int64) -> Bool {
    tally.deferred + tally.notAttempted + (record.resendsUnknown(at: now) ? tally.unknown : 0) == 0
  }
}
