internal import APNS
internal import HTTP2

/// Keeps the figures of a run and passes its results on, in the order they come.
struct Recorder {
  private let clock: RunClock
  private let started: UInt64
  private var summary = RunSummary()
  private var last: PushResult?

  init(clock: RunClock, started: UInt64) {
    self.clock = clock
    self.started = started
  }

  mutating func record(
    _ results: ChunkQueue<[PushResult]>, wake: Wake,
    apply: ([PushResult], RunSummary) -> Void
  ) {
    while let batch = results.take(waitingOn: wake) {
      for result in batch { summary.add(result) }
      summary.seconds = Double(clock.monotonic() - started) / 1e9
      last = batch.last
      apply(batch, summary)
    }
  }

  func report(
    _ counts: RecipientReader.Counts, _ cause: StopCause?, _ identity: RunIdentity
  ) -> Run.Report {
    var summary = summary
    summary.recipients = counts
    return Run.Report(
      summary: summary, stopCause: cause, onlyResult: summary.total == 1 ? last : nil,
      identity: identity)
  }
}
