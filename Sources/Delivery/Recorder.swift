internal import APNS
internal import HTTP2
internal import PushModel

/// Keeps the figures of a run and passes its results on, in the order they come.
struct Recorder {
  private let clock: RunClock
  private let started: UInt64
  private let plan: ResumePlan?
  private let expected: () -> PushTotal?
  private let connections: () -> ConnectionFigures?
  private var resumed: ResumedTally?
  private var summary = RunSummary()
  private var last: PushResult?

  /// - Parameters:
  ///   - plan: what was left to do of a run that is resumed; nil for a new one.
  ///   - expected: how many results there will be, as far as that is known.
  ///   - connections: how many there were so far.
  init(
    clock: RunClock, started: UInt64, plan: ResumePlan?,
    expected: @escaping () -> PushTotal? = { nil },
    connections: @escaping () -> ConnectionFigures? = { nil }
  ) {
    self.connections = connections
    self.plan = plan
    resumed = plan.map { ResumedTally($0) }
    self.clock = clock
    self.started = started
    self.expected = expected
  }

  /// Takes results until there will be no more.
  ///
  /// - Parameter apply: is given those that count, with the figures so far, and none four times a
  ///   second while nothing may be sent.
  mutating func record(
    _ results: ChunkQueue<[PushResult]>, in books: inout Bookkeeping, wake: Wake,
    apply: ([PushResult], RunSummary) -> Void
  ) {
    while true {
      count(books.claim(), apply)
      switch results.take(orWake: wake) {
      case .element(let batch): count(books.add(batch), apply)
      case .empty:
        count(books.commitIfDue(), apply)
        if books.isHeld { count([[]], apply) }
        wake.wait(milliseconds: books.patience)
      case .finished:
        count(books.takeRest(), apply)
        guard books.isWaiting else { return }
        wake.wait(milliseconds: books.patience)
      }
    }
  }

  private mutating func count(
    _ batches: [[PushResult]], _ apply: ([PushResult], RunSummary) -> Void
  ) {
    for batch in batches {
      for result in batch {
        summary.add(result)
        resumed?.add(result)
      }
      summary.expected = expected()
      summary.connections = connections()
      summary.seconds = Double(clock.monotonic() - started) / 1e9
      last = batch.last ?? last
      apply(batch, summary)
    }
  }

  /// - Parameter gone: who is not in the lists any more; nil when all are, or that is not known.
  func report(
    _ reading: ReadingProgress, _ cause: StopCause?, _ identity: RunIdentity,
    _ gone: GoneRecipients? = nil
  ) -> Run.Report {
    var summary = summary
    summary.recipients =
      gone.map { reading.counts.adding($0) }
      ?? plan?.recipients.furthest(reading.counts) ?? reading.counts
    if let resumed {
      let outcomes = resumed.outcomes(of: summary.recipients.pushes)
      summary.take(gone?.settled(outcomes) ?? outcomes)
    }
    return Run.Report(
      summary: summary, stopCause: cause, onlyResult: summary.total == 1 ? last : nil,
      identity: identity, read: reading.counts, hasReadAll: reading.hasEnded,
      unread: reading.unread(plan), gone: gone)
  }
}
