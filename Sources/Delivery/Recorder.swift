internal import HTTP2
internal import PushModel

/// Keeps the figures of a run and passes on its results in the order they arrive.
struct Recorder {
  private let clock: RunClock
  private let started: UInt64
  private let plan: ResumePlan?
  private let expected: () -> PushTotal?
  private let connections: () -> ConnectionFigures?
  private var resumed: ResumedTally?
  private var summary = RunSummary()
  private var last: PushResult?
  /// The time between two calls without results; nil for none.
  private let tick: UInt64?
  private var countedAt: UInt64

  /// - Parameters:
  ///   - plan: the rest of a resumed run; nil for a new one.
  ///   - expected: the number of results to expect, as far as known.
  ///   - connections: the number of connections so far.
  ///   - tick: the milliseconds after which the figures are passed on without results; nil waits
  ///     for results.
  init(
    clock: RunClock, started: UInt64, plan: ResumePlan?, tick: Int? = nil,
    expected: @escaping () -> PushTotal? = { nil },
    connections: @escaping () -> ConnectionFigures? = { nil }
  ) {
    self.connections = connections
    self.plan = plan
    resumed = plan.map { ResumedTally($0) }
    self.clock = clock
    self.started = started
    self.expected = expected
    self.tick = tick.map { UInt64($0) * 1_000_000 }
    countedAt = started
  }

  /// Takes results until no more will come.
  ///
  /// - Parameter apply: receives the results that count and the figures so far; an empty batch at
  ///   each tick, and four times a second while nothing may be sent.
  mutating func record(
    _ results: ChunkQueue<ResultBatch>, in books: inout LedgerWriter, wake: Wake,
    apply: (PushResults, RunSummary) -> Void
  ) {
    while true {
      count(books.claim(), apply)
      switch results.take(orWake: wake) {
      case .element(let batch): count(books.add(batch), apply)
      case .empty:
        count(books.commitIfDue(), apply)
        if books.isHeld || untilTick == 0 { count([PushResults()], apply) }
        wake.wait(milliseconds: patience(books))
      case .finished:
        count(books.takeRest(), apply)
        guard books.isWaiting else { return }
        if untilTick == 0 { count([PushResults()], apply) }
        wake.wait(milliseconds: patience(books))
      }
    }
  }

  /// The time until there is something to do or to tell, in milliseconds; nil for no limit.
  private func patience(_ books: LedgerWriter) -> Int? {
    [books.patience, untilTick].compactMap(\.self).min()
  }

  /// The time until the figures are passed on without results, in milliseconds.
  private var untilTick: Int? {
    tick.map { milliseconds(until: countedAt + $0, from: clock.monotonic()) }
  }

  private mutating func count(
    _ batches: [PushResults], _ apply: (PushResults, RunSummary) -> Void
  ) {
    if !batches.isEmpty { countedAt = clock.monotonic() }
    for batch in batches {
      summary.add(batch)
      resumed?.add(batch)
      summary.expected = expected()
      summary.connections = connections()
      summary.seconds = Double(clock.monotonic() - started) / 1e9
      last = batch.last ?? last
      apply(batch, summary)
    }
  }

  /// - Parameter gone: the recipients no longer in the lists; nil when there are none, or unknown.
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

/// The outcomes of a resumed run: those of earlier passes, updated by the results of this one that
/// count. A history failure removes none of them.
struct ResumedTally {
  private let plan: ResumePlan
  private var tally: OutcomeTally

  init(_ plan: ResumePlan) {
    self.plan = plan
    tally = plan.tally
    // They may have been sent, but their answers are unknown.
    tally.unknown += plan.claimedWithoutResult
  }

  mutating func add(_ results: PushResults) {
    for result in results { add(result) }
  }

  private mutating func add(_ result: PushResult) {
    if result.leavesEarlier { return }
    if let earlier = result.push.chunk.earlierOutcome(at: result.push.index) {
      tally.add(-1, to: earlier)
    }
    tally.add(to: result.outcome)
  }

  /// The outcomes of the first `pushes` pushes, as far as any pass has read the lists.
  func outcomes(of pushes: Int) -> OutcomeTally {
    var tally = tally
    // Pushes claimed ahead and never read are not counted.
    let end = Int(min(plan.claimed, plan.last ?? plan.claimed))
    tally.unknown -= min(plan.claimedWithoutResult, max(0, end - pushes))
    tally.notAttempted += max(0, pushes - tally.total)
    return tally
  }
}
