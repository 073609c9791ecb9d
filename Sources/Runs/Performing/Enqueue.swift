internal import Delivery
internal import HTTP2
internal import PushModel
internal import Recipients
internal import Reporting
internal import SQLQueue
internal import Settings

/// Reads the lists of a run into the queue of a PostgreSQL history, from which workers send it.
struct Enqueue {
  /// A run that has begun.
  struct Begun {
    let queue: Enqueuing
    /// A list can be read only once and has no copy, as far as it has been read.
    var lacksCopies: () -> Bool = { false }
    /// Removes the copies of its lists.
    let removeCopies: () -> Void
  }

  let outputs: OutputChoices
  /// The history to name in commands; nil for the one used by default.
  let history: String?
  let context: Context

  /// Adds all recipients to the queue, and reports the result. SIGINT and SIGTERM end it.
  ///
  /// - Parameters:
  ///   - recipients: the recipients, with values of their rows instead of payloads.
  ///   - goesOn: whether the run has begun already, and may have no recipients left.
  ///   - begin: begins the run, once a line has been read.
  /// - Throws: `Failure` when nothing was added to the queue.
  func run(
    _ recipients: consuming sending RecipientReader, goesOn: Bool = false,
    begin: () throws(Failure) -> Begun
  ) throws(Failure) -> Report {
    // Called before the thread starts, which inherits the signal mask.
    context.signals.take {}
    let reading = try ListReading.start(recipients)
    context.signals.take { reading.stop() }
    let first = reading.waitForNext()
    if !goesOn, first == nil {
      guard let end = reading.end else { return Report(context.signals.received ?? .interrupted) }
      try refuseNothing(end)
    }
    let begun = try begin()
    var report = report(of: begun)
    do throws(HistoryError) {
      try fill(begun.queue, from: reading, first, &report)
    } catch {
      report.cause = .history(error)
    }
    report.enqueued = Int(begun.queue.written)
    report.canBeResumed = !begun.lacksCopies()
    if report.cause == nil { begun.removeCopies() }
    var told = outputs.form.report(
      report.parts, complaint: report.complaint, report.cause)
    told.exitCode = report.exitCode
    return told
  }

  private func report(of begun: Begun) -> EnqueuingReport {
    EnqueuingReport(
      run: begun.queue.run, environment: begun.queue.record.environment,
      history: history)
  }

  /// - Throws: `Failure` unless a line was read.
  private func refuseNothing(_ end: Result<RecipientCounts, ListError>) throws(Failure) {
    let counts = try attempt(try end.get()) { .list($0) }
    if counts.lines == 0 { throw .noRecipients }
  }

  private func fill(
    _ queue: Enqueuing, from reading: ListReading, _ first: ListReading.Part?,
    _ report: inout EnqueuingReport
  ) throws(HistoryError) {
    var progress = EnqueuingProgress(
      ProgressLine(context.teller, clock: context.clock, isWanted: outputs.showsProgress),
      context.clock)
    defer { progress.line.clear() }
    var step = first.map(ListReading.Step.part) ?? .end
    while true {
      switch step {
      case .part(let part):
        try queue.add(part.chunk, counts: part.counts)
        report.counts = part.counts
        progress.update(part)
      case .pause:
        try queue.flush()
        progress.update()
      case .end: return try end(queue, reading.end, &report)
      }
      step = reading.next()
    }
  }

  /// - Parameter end: the result of reading; nil when it was stopped.
  private func end(
    _ queue: Enqueuing, _ end: Result<RecipientCounts, ListError>?,
    _ report: inout EnqueuingReport
  ) throws(HistoryError) {
    switch end {
    case .success(let counts)?:
      report.counts = counts
      return try queue.seal(counts: counts)
    case .failure(let error)?: report.cause = .list(error)
    case nil:
      report.cause = .interrupted
      report.signal = context.signals.received
    }
    try queue.flush()
  }
}

/// The progress of enqueuing, at the bottom of a terminal.
private struct EnqueuingProgress {
  private(set) var line: ProgressLine
  private let clock: RunClock
  private let start: UInt64
  private var last: ListReading.Part?

  init(_ line: ProgressLine, _ clock: RunClock) {
    (self.line, self.clock, start) = (line, clock, clock.monotonic())
  }

  /// - Parameter part: what was read; nil if nothing has arrived since.
  mutating func update(_ part: ListReading.Part? = nil) {
    last = part ?? last
    guard let part = last else { return }
    let done = part.counts.pushes
    let seconds = Double(max(1, clock.monotonic() - start)) / 1e9
    line.update { columns in
      let total = part.extent.total(after: done)
      let count = total?.text(after: done) ?? grouped(done)
      let rate = grouped(Int((Double(done) / seconds).rounded()))
      return String("\(count) enqueued  \(rate)/s".prefix(columns))
    }
  }
}
