internal import APNS
internal import HTTP2

/// Keeps the figures of a run and passes its results on, in the order they come.
struct Recorder {
  private let clock: RunClock
  private let started: UInt64
  private let expected: () -> PushTotal?
  private var summary = RunSummary()
  private var last: PushResult?

  /// - Parameter expected: how many results there will be, as far as that is known.
  init(clock: RunClock, started: UInt64, expected: @escaping () -> PushTotal?) {
    self.clock = clock
    self.started = started
    self.expected = expected
  }

  /// Takes results until there will be no more.
  ///
  /// - Parameter apply: is given those that count, with the figures so far.
  mutating func record(
    _ results: ChunkQueue<[PushResult]>, in books: inout Bookkeeping, wake: Wake,
    apply: ([PushResult], RunSummary) -> Void
  ) {
    while true {
      books.claim()
      switch results.take(orWake: wake) {
      case .element(let batch): count(books.add(batch), apply)
      case .empty:
        count(books.commitIfDue(), apply)
        wake.wait(milliseconds: books.patience)
      case .finished: return count(books.takeRest(), apply)
      }
    }
  }

  private mutating func count(
    _ batches: [[PushResult]], _ apply: ([PushResult], RunSummary) -> Void
  ) {
    for batch in batches {
      for result in batch { summary.add(result) }
      summary.expected = expected()
      summary.seconds = Double(clock.monotonic() - started) / 1e9
      last = batch.last
      apply(batch, summary)
    }
  }

  func report(
    _ reading: Reading.Progress, _ cause: StopCause?, _ identity: RunIdentity,
    of ledger: Ledger? = nil
  ) -> Run.Report {
    var summary = summary
    if let ledger, ledger.plan != nil { summary.take(ledger.tally, reading) }
    summary.recipients = reading.counts
    return Run.Report(
      summary: summary, stopCause: cause, onlyResult: summary.total == 1 ? last : nil,
      identity: identity, hasReadAll: reading.hasEnded)
  }
}
