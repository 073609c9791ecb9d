internal import APNS
internal import Delivery
internal import HTTP2
internal import History
package import JSONText
internal import PushModel
package import Reporting
internal import SQLHistory
internal import SQLQueue
internal import Settings

/// A worker's time on one run of the queue.
struct Shift {
  /// The result of a shift.
  struct Ending {
    /// The next step.
    enum Next {
      /// Check the queue.
      case look
      /// Check the queue a little later: the shift achieved nothing.
      case wait
      /// Give up: something keeps this worker from sending.
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
  private let turn: WorkerTurn?
  private let options: Settings
  private let means: WorkerSetup
  private let resources: RunResources
  private let patience: DatabasePatience
  private let context: Context

  init(_ run: QueuedRun, of worker: borrowing Worker) {
    (self.run, number, name) = (run, run.run, worker.options.workerName)
    (lease, options) = (worker.options.lease, worker.options.settings)
    (means, resources, context) = (worker.means, worker.resources, worker.context)
    (idling, turn, patience) = (worker.idling, worker.turn, worker.patience)
  }

  /// Sends as much of the run as it can get.
  ///
  /// - Throws: `Failure` when the run cannot be sent, or results were lost.
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
    // Pushes in flight have been answered; all others go to other workers at once.
    try? session.end()
    removeSaved()
    return try result.get()
  }

  /// Reads the run's settings and message from the history.
  private func read() throws(Failure) -> sending (Settings, Message) {
    let (settings, inputs) = try settings()
    let context = RuleContext(now: run.record.started / 1000)
    return (settings, try Message(run.record, inputs, in: context))
  }

  /// Skips the run with a warning; other runs can still be sent.
  private func leave(_ failure: Failure) -> Ending {
    context.teller.warn(failure.named("run \(number)"))
    return Ending(code: failure.exitCode, next: .leave)
  }

  /// The worker's own settings, with those of the run that workers take.
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
    // The source waits between attempts to reach the database.
    guard let wake = Wake() else { throw .outOfDescriptors }
    return try answered(
      WorkerSession.begin(
        number, name: name, version: fanfareVersion, leaseMilliseconds: lease.milliseconds,
        timeoutMilliseconds: settings.timeoutMilliseconds, at: means.location,
        clock: WorkerClock(
          monotonic: clock.monotonic, pause: { clock.wait(wake, $0) },
          isOver: { [cancellation = resources.cancellation] in cancellation.isOverdue })))
  }

  private func send(
    _ message: Message, _ settings: Settings, _ session: WorkerSession,
    as credentials: WorkerCredentials.Pair
  ) throws(Failure) -> Ending {
    let link = try SessionLink(session, turn, settings, context)
    defer { link.end() }
    let ledger = try answered(
      WorkerLedger(session, run.record, at: means.location, waits: patience.waits))
    let order = order(message, settings, ledger, link, as: credentials)
    let plan = try RunPlan(order, at: order.destination(context), context)
    let recipients = try recipients(message.rendering, settings, session, link)
    let finished = try plan.send(to: recipients, as: credentials.opened, in: resources)
    let report = RunReport(closing: finished)
    let form = plan.outputs.form
    if link.hasGivenWay, !form.isJSON {
      showTurn(report)
    } else {
      // The end of a turn is no stop, even if what only waited was handed back.
      show(report, form, link.hasGivenWay ? nil : report.summary.report.stopCause)
    }
    if let loss = report.loss { throw loss }
    switch session.failure {
    case nil: return Ending(report)
    case .corrupt(let path)?: return leave(.history(.corrupt(path: path)))
    case let failure?: throw .history(failure)
    }
  }

  private func order(
    _ message: Message, _ settings: Settings, _ ledger: WorkerLedger, _ link: SessionLink,
    as credentials: WorkerCredentials.Pair
  ) -> RunOrder {
    let nobody = RunRecipients([], without: Suppression([], settings, context), spools: nil)
    let work = QueuedWork(
      ledger: RunLedger(ledger), limits: SharedLimits(connections: link.limit, rate: link.slots),
      watch: link.take, begin: link.start)
    var order = RunOrder(settings, .stored(message), to: nobody, .queued(work))
    order.credentials = .given(credentials.named, credentials.opened)
    return order
  }

  private func recipients(
    _ rendering: sending (any RowRendering)?, _ settings: Settings, _ session: WorkerSession,
    _ link: SessionLink
  ) throws(Failure) -> sending QueuedChunks {
    do throws(HistoryError) {
      return try QueuedChunks(
        session, run.record, rendering, at: means.location, rate: settings.rate?.value.rate,
        saved: savedAnswers, idling: idling
      ) { [link] in link.isStopping }
    } catch {
      throw .history(error)
    }
  }

  /// What workers of this machine saved that could not write it to the database.
  private var saved: SavedResults {
    SavedResults(of: number, run.record, in: means.location, context)
  }

  /// Removes it once the run has ended: the database has all results.
  private func removeSaved() {
    if resources.cancellation.isOverdue { return }
    let files = saved.paths.filter(isPlainFile)
    guard !files.isEmpty, let history = try? HistoryReader(means.location),
      (try? history.run(number))??.state == .finished
    else { return }
    for file in files { removeFile(file) }
  }

  private var savedAnswers: [AnswerNote] {
    saved.paths.flatMap { saved.results(in: $0, of: run.record) ?? [] }.compactMap {
      AnswerNote($0)
    }
  }

  // MARK: Output

  /// Prints the worker's results, unless there was nothing to do.
  private func show(_ closed: RunReport, _ form: OutcomeForm, _ cause: StopCause?) {
    var summary = closed.summary
    // The other workers continue the run.
    summary.resumeHint = ResumeHint(run: nil, due: nil)
    var report = form.report(
      WorkReport(summary: summary, worker: name, left: left).parts, complaint: summary.complaint,
      cause)
    if summary.report.summary.total == 0 { report = Report().preceded(by: report.before) }
    context.teller.show(report.followed(by: closed.notices))
  }

  /// Prints what the worker sent in a turn that ended for another run.
  private func showTurn(_ closed: RunReport) {
    let summary = closed.summary.report.summary
    if summary.total > 0 {
      context.teller.note(
        "Run \(number): \(grouped(summary.outcomes[.accepted, default: 0])) of "
          + "\(counted(summary.total, "push", plural: "pushes")) accepted; another run's turn.")
    }
    context.teller.show(Report().followed(by: closed.notices))
  }

  /// The remainder for all workers; nil when the history cannot tell.
  private var left: QueueRemainder? {
    if resources.cancellation.isOverdue { return nil }
    return (try? answered(HistoryReader(means.location)).storedRun(number))
      .map { QueueRemainder($0.entry, now: context.clock.epochMilliseconds()) }
  }
}

extension Shift.Ending {
  fileprivate init(_ closed: RunReport) {
    let report = closed.summary.report
    if closed.unrecorded != nil { code = .failure }
    switch report.stopCause {
    case nil: next = report.summary.total == 0 ? .wait : .look
    case .interrupted, .stopped: break
    case .breaker: code = .merged([code, report.exitCode, .unfinished])
    default: (code, next) = (.merged([code, report.exitCode, .unfinished]), .giveUp)
    }
  }
}

/// A worker's results for a run, and the remainder of the run.
struct WorkReport {
  let summary: SummaryReport
  let worker: String
  let left: QueueRemainder?

  var parts: [Report.Part] { summary.parts + Self.fields.parts(of: self) }

  fileprivate static let fields: [OutputField<Self>] = [
    .always("worker", \.worker, "What the worker is called.", as: "worker"),
    .people { [.text("all workers", $0.left.map { StyledText($0.words) })] },
    .always(
      "left", \.left?.count, "Pushes of the run that are left for all workers; null if unknown."),
    .always("leftDeferred", \.left?.deferred, "Those of them that APNs asked to send later."),
  ]
}

extension Outputs {
  /// A worker's part in a run.
  package static let work = figures + WorkReport.fields.keys()
}
