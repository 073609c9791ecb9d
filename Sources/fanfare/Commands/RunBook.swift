internal import APNS
internal import JSONText
internal import PushCore

/// What the history has to do with one run: its ledger while it goes on, and its end.
final class RunBook {
  /// Every push of the run is written down here before it is sent; nil keeps no books.
  let ledger: Ledger?

  private let context: Context

  /// A run that is not written down.
  init(nothing context: Context) {
    ledger = nil
    self.context = context
  }

  /// A run that is resumed.
  init(_ resumed: Ledger, _ context: Context) {
    ledger = resumed
    self.context = context
  }

  /// Begins a run in the history.
  ///
  /// - Parameters:
  ///   - path: the history's file.
  ///   - count: how many pushes there are, when that is known and they are few; else 0.
  /// - Throws: `Failure.history`; nothing was sent.
  init(
    _ record: RunRecord, at path: String, claiming count: Int, _ context: Context
  ) throws(Failure) {
    self.context = context
    do throws(HistoryError) {
      ledger = try Ledger.begin(
        record, at: path, claiming: UInt64(count), pace: record.atMostOnce ? .atMostOnce : .init())
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
    _ report: Run.Report, _ summary: SummaryJSON
  ) -> (error: HistoryError, results: [PushResult])? {
    guard let ledger else { return nil }
    do throws(HistoryError) {
      if ledger.failure != nil { try ledger.retry() }
      let counts = report.summary.recipients
      if report.hasReadAll { ledger.listsEnded(at: UInt64(counts.pushes)) }
      let isWhole = report.hasReadAll && report.stopCause == nil
      try ledger.finish(
        isWhole ? .finished : .interrupted, recipients: counts,
        summary: String(decoding: summary.bytes, as: UTF8.self),
        now: context.clock.epochMilliseconds())
      return nil
    } catch {
      return (error, ledger.takeUncommitted())
    }
  }
}
