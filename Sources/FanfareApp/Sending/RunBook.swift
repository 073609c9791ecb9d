internal import APNS
internal import Delivery
internal import HTTP2
internal import JSONText
internal import PushModel
internal import Recipients
internal import SQLiteHistory

/// What the history has to do with one run: its ledger while it goes on, and its end.
final class RunBook {
  /// Every push of the run is written down here before it is sent; nil keeps no books.
  let ledger: (any RunLedger)?

  /// Whether what is left of the run can be sent another time.
  var canBeResumed: Bool { ledger != nil && !isGone && !spools.contains(where: \.hasFailed) }

  /// How to go on with what is left.
  var resumeHint: ResumeHint {
    ResumeHint(run: canBeResumed && !isDone ? number : nil, due: ledger?.nextDue)
  }

  private let context: Context
  private let copies: (place: CopyPlace, recipients: Int, suppressed: Int)?
  private var spools: [ListSpools] = []
  private var isDone = false
  private var isGone = false

  /// A run that is not written down.
  init(nothing context: Context) {
    ledger = nil
    copies = nil
    self.context = context
  }

  /// A run that is resumed.
  ///
  /// - Parameter copies: where copies of its lists are, and how many lists it had.
  init(
    resuming ledger: any RunLedger,
    _ copies: (place: CopyPlace, recipients: Int, suppressed: Int), _ context: Context
  ) {
    (self.ledger, self.copies) = (ledger, copies)
    self.context = context
  }

  /// Begins a run in the history.
  ///
  /// - Parameters:
  ///   - lineage: which pushes of an older run it sends again; nil when it is no resend.
  ///   - path: the history's file.
  ///   - spools: copies of the lists that can be read only once.
  ///   - suppression: who is not sent to, with copies of its lists.
  ///   - count: how many pushes there are, when that is known and they are few; else 0.
  /// - Throws: `Failure.history`; nothing was sent.
  init(
    _ record: RunRecord, _ lineage: Lineage?, at path: String, claiming count: Int,
    _ lists: [RecipientSource],
    _ suppression: Suppression, _ spools: ListSpools, _ context: Context
  ) throws(Failure) {
    self.context = context
    self.spools = [spools, suppression.spools]
    let ledger: SQLiteLedger
    do throws(HistoryError) {
      ledger = try SQLiteLedger.begin(
        record, lineage, at: path, claiming: UInt64(count),
        pace: record.atMostOnce ? .atMostOnce : .init())
    } catch {
      throw .history(error)
    }
    self.ledger = ledger
    let place = CopyPlace(history: path, run: ledger.run.rawValue)
    copies = (place, lists.count, suppression.sources.count)
    spools.keep(at: place.recipients)
    suppression.spools.keep(at: place.suppressed)
  }

  /// Keeps the payloads that rows make of a template.
  ///
  /// - Throws: `Failure.history`; nothing was sent.
  func keepPayloads() throws(Failure) {
    do throws(HistoryError) {
      try ledger?.keepPayloads()
    } catch {
      throw .history(error)
    }
  }

  /// The run's number; nil when it has none.
  var number: Int64? { ledger?.run.rawValue }

  /// Writes down how the run ended.
  ///
  /// - Returns: why that was not possible, and the results that the history lacks; nil when all is
  ///   in it.
  func close(
    _ report: Run.Report, _ summary: SummaryReport
  ) -> (error: HistoryError, results: [PushResult])? {
    guard let ledger else { return nil }
    do throws(HistoryError) {
      if ledger.failure != nil { try ledger.retry() }
      let counts = report.read
      if report.hasReadAll { ledger.listsEnded(at: UInt64(counts.pushes)) }
      // Then each push has a result, though it may be that it was not attempted.
      let isWhole = report.hasReadAll
      try ledger.finish(
        isWhole ? .finished : .interrupted, recipients: counts,
        summary: String(decoding: summary.bytes, as: UTF8.self),
        now: context.clock.epochMilliseconds())
      isDone = isWhole && ledger.isDone(at: context.clock.epochMilliseconds())
      if isDone { removeCopies() }
      return nil
    } catch {
      if case .gone = error { isGone = true }
      return (error, ledger.takeUncommitted())
    }
  }

  private func removeCopies() {
    copies?.place.removeAll(
      recipients: copies?.recipients ?? 0, suppressed: copies?.suppressed ?? 0)
  }
}

extension RunLedger {
  /// Whether no push is left of which another pass would have something to do, at a time in
  /// milliseconds since 1970 UTC.
  fileprivate func isDone(at now: Int64) -> Bool {
    tally.deferred + tally.notAttempted + (record.resendsUnknown(at: now) ? tally.unknown : 0) == 0
  }
}
