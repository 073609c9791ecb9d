internal import APNS
internal import Delivery
internal import HTTP2
internal import PlainText
internal import Projects
internal import PushModel
internal import Recipients
internal import SQLHistory
internal import SQLQueue

/// A worker's time on one run of the queue.
struct Shift {
  /// How it ended.
  struct Ending {
    /// What to do next.
    enum Next {
      /// Ask the queue.
      case look
      /// Ask the queue a little later: nothing came of it.
      case wait
      /// Something keeps this worker from sending.
      case giveUp
      /// Leave the run alone: it cannot be read.
      case leave
    }

    var code = ExitCode.success
    var next = Next.look
  }

  private let run: QueuedRun
  private let number: RunNumber
  private let name: String
  private let lease: LeaseLength
  private let idling: QueuedChunks.Idling
  private let options: Settings
  private let means: WorkerMeans
  private let resources: RunResources
  private let patience: DatabasePatience
  private let context: Context

  init(_ run: QueuedRun, of worker: borrowing Worker) {
    (self.run, number, name) = (run, run.run, worker.options.workerName)
    (lease, options) = (worker.options.lease, worker.options.settings)
    (means, resources, context) = (worker.means, worker.resources, worker.context)
    (idling, patience) = (worker.idling, worker.patience)
  }

  /// Sends what it can get of the run.
  ///
  /// - Throws: `Failure` when it cannot be sent, or results were lost.
  func work() throws(Failure) -> Ending {
    guard let credentials = means.credentials.find(run.credentials) else {
      return Ending(next: .wait)
    }
    let (settings, message): (Settings, Message)
    do throws(Failure) { (settings, message) = try read() } catch { return leave(error) }
    let session = try beginSession(settings)
    let result = Result { () throws(Failure) in
      try send(message, settings, session, as: credentials)
    }
    // What is in flight is answered; everything else goes to others at once.
    try? session.end()
    return try result.get()
  }

  /// What of the run is kept in the history.
  private func read() throws(Failure) -> sending (Settings, Message) {
    let (settings, inputs) = try settings()
    let context = RuleContext(now: run.record.started / 1000)
    return (settings, try Message(run.record, inputs, in: context))
  }

  /// Other runs can be sent all the same.
  private func leave(_ failure: Failure) -> Ending {
    context.warn(failure.named("run \(number)"))
    return Ending(code: failure.exitCode, next: .leave)
  }

  /// The worker's own, and of the run's what workers take.
  func settings() throws(Failure) -> (Settings, RunInputs) {
    guard let inputs = RunInputs(forWorkers: run.record.settings) else { throw .damagedRun }
    var lower = inputs.settings
    lower.atMostOnce = Setting(run.record.atMostOnce, .storedRun)
    lower.channel = run.record.channel.map { Setting($0, .storedRun) }
    var settings = try options.merged(over: lower, context)
    if settings.timeoutMilliseconds > lease.longestTimeout.milliseconds {
      settings.timeout = Setting(lease.longestTimeout, .builtIn)
    }
    return (settings, inputs)
  }
}

extension Shift {
  private func beginSession(_ settings: Settings) throws(Failure) -> WorkerSession {
    let clock = context.clock
    // The source waits between two attempts to reach the database.
    guard let wake = Wake() else { throw .outOfDescriptors }
    return try answered(
      WorkerSession.begin(
        number, name: name, version: fanfareVersion, leaseMilliseconds: lease.milliseconds,
        timeoutMilliseconds: settings.timeoutMilliseconds, at: means.location,
        clock: WorkerClock(monotonic: clock.monotonic) { clock.wait(wake, $0) }))
  }

  private func send(
    _ message: Message, _ settings: Settings, _ session: WorkerSession,
    as credentials: WorkerCredentials.Pair
  ) throws(Failure) -> Ending {
    let link = try SessionLink(session, settings, context)
    defer { link.end() }
    let ledger = try answered(
      WorkerLedger(session, run.record, at: means.location, waits: patience.waits))
    let sending = Sending(
      settings: settings, run: WorkedRun(ledger, link, settings, context), resources: resources,
      context: context)
    let destination = try sending.destination { _ throws(Failure) in credentials.named }
    let recipients = try recipients(message.rendering, settings, session, link)
    var finished = try sending.send(
      message, to: recipients, at: destination.server, as: credentials.opened)
    try sending.end(&finished) { tell($0, settings) }
    switch session.failure {
    case nil: return Ending(finished)
    case .corrupt(let path)?: return leave(.history(.corrupt(path: path)))
    case let failure?: throw .history(failure)
    }
  }

  private func recipients(
    _ rendering: sending (any RowRendering)?, _ settings: Settings, _ session: WorkerSession,
    _ link: SessionLink
  ) throws(Failure) -> sending QueuedChunks {
    do throws(HistoryError) {
      return try QueuedChunks(
        session, run.record, rendering, at: means.location, rate: settings.rate?.value.rate,
        idling: idling
      ) { [link] in link.isStopping }
    } catch {
      throw .history(error)
    }
  }

  // MARK: Telling

  /// Prints what this worker did, unless there was nothing to do.
  private func tell(_ summary: SummaryReport, _ settings: Settings) {
    if let failure = summary.report.stopCause?.failure { context.warn(failure) }
    if summary.report.summary.total == 0 { return }
    var summary = summary
    // The other workers go on.
    summary.resumeHint = ResumeHint(run: nil, due: nil)
    let report = WorkReport(summary: summary, worker: name, left: left)
    if let fields = settings.json?.value {
      context.output.write(fields.line(Report(parts: report.parts).json))
    } else if settings.quiet.isOn || settings.resultsTakeOutput {
      context.warn(summary.complaint.map { [$0] } ?? [])
    } else {
      context.output.write(report.text(Style(hasColor: context.output.hasColor)))
    }
    context.output.flush()
  }

  /// What is left for all workers; nil when the history does not tell.
  private var left: RunLeft? {
    (try? answered(HistoryReader(means.location)).storedRun(number))
      .map { RunLeft($0.entry) }
  }
}

extension Shift.Ending {
  fileprivate init(_ finished: FinishedRun) {
    let report = finished.summary.report
    if finished.unrecorded != nil { code = .failure }
    switch report.stopCause {
    case nil: next = report.summary.total == 0 ? .wait : .look
    case .interrupted, .stopped: break
    case .breaker: code = .merged([code, report.exitCode, .unfinished])
    default: (code, next) = (.merged([code, report.exitCode, .unfinished]), .giveUp)
    }
  }
}

/// What a worker did of a run, and what is left of it.
struct WorkReport {
  let summary: SummaryReport
  let worker: String
  let left: RunLeft?

  var parts: [Report.Part] {
    summary.parts + [
      .fact("worker", "worker", .text(worker)),
      .text("all workers", left.map { StyledText($0.words) }),
    ] + (left?.json ?? RunLeft.noJSON)
  }

  func text(_ style: Style) -> String { ReportText(style: style).text(of: parts) }
}
