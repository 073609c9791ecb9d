internal import APNS
internal import Delivery
internal import HTTP2
internal import Opening
internal import PushModel
package import Reporting
internal import Runs
internal import Settings

// The end of a run: summary, history and report.
extension Sending {
  /// - Parameter asked: the environments tried before; nil when the server was certain.
  func summary(
    of report: Run.Report, _ start: RunStart, _ asked: EnvironmentSearch?, _ outputs: RunOutputs,
    _ recorded: RecordedRun
  ) -> SummaryReport {
    let environment = start.server.environment
    let search = asked?.adding(report, environment)
    return SummaryReport(
      report: report.completed(by: run.earlier), environment: environment.name,
      run: recorded.number, pass: run.earlier.count + 1,
      facts: facts(of: report, start, search), search: search, results: settings.results?.value,
      dead: outputs.dead, resumeHint: resumeHint(recorded), showsToken: settings.showTokens.isOn,
      isVerbose: settings.verbose.isOn, listed: settings.listed)
  }

  /// Facts from the requests. Once both environments were tried, a wrong one cannot be the cause.
  private func facts(
    of report: Run.Report, _ start: RunStart, _ search: EnvironmentSearch?
  ) -> RequestFacts {
    let isSecond = search.map { $0.attempts.count > 1 } ?? false
    return RequestFacts(
      service: isSecond ? .other : .init(start.server.environment),
      isBroadcast: start.message.target != .device,
      pushType: start.message[.pushType].flatMap { PushType(rawValue: $0) },
      topic: start.message[.topic] ?? start.message.app,
      tokenDigits: report.onlyResult?.push.token.utf8.count ?? 0,
      providerTokenAge: start.credentials?.tokenAge(context))
  }

  /// Closes a run and prints its result.
  ///
  /// - Throws: `Failure` when there were no recipients, or results were lost.
  func report(_ finished: FinishedRun) throws(Failure) -> ExitCode {
    var finished = finished
    try end(&finished, report: print)
    let code = ExitCode.merged(
      [finished.summary.report.exitCode, finished.unrecorded == nil ? .success : .failure])
    return context.signals.received ?? code
  }

  /// Closes a run, and reports any results missing from the history.
  func end(
    _ finished: inout FinishedRun, report: (SummaryReport) -> Void
  ) throws(Failure) {
    let closing = Result { () throws(Failure) in try close(&finished, report: report) }
    finished.unrecorded.map { tell($0, finished.summary.report.stopCause) }
    try closing.get()
  }

  /// Records the end of a run, and saves results missing from the history.
  ///
  /// - Parameter report: prints the summary, once it is known how to resume the run.
  /// - Throws: `Failure` when there were no recipients, or results were lost.
  package func close(
    _ finished: inout FinishedRun, report: (SummaryReport) -> Void = { _ in }
  ) throws(Failure) {
    let now = context.clock.epochMilliseconds()
    let unrecorded = finished.recorded.close(finished.summary, now: now)
    finished.summary.run = finished.recorded.number
    finished.summary.resumeHint = resumeHint(finished.recorded)
    let run = finished.summary.report
    if run.summary.recipients.lines == 0, run.stopCause == nil, !self.run.mayBeEmpty {
      throw .noRecipients
    }
    report(finished.summary)
    if let gone = run.gone, gone.count > 0 { tell(gone) }
    if let (error, results) = unrecorded {
      finished.unrecorded = Unrecorded(error: error)
      let path = try save(results, of: finished)
      finished.unrecorded?.saved = path
    }
    if let lost = finished.outputs.failure { throw .lostOutput(lost, after: run.exitCode) }
  }

  /// Printed even with --quiet, because nothing else reports lost recipients.
  private func tell(_ gone: GoneRecipients) {
    let (count, doubt) = (gone.count, gone.inDoubt)
    context.say(
      "\(counted(count, "recipient")) \(count == 1 ? "is" : "are") no longer in the list. Nothing more "
        + "is sent to \(count == 1 ? "it" : "them")."
        + (doubt == 0 ? "" : " \(grouped(doubt)) of them may have got the push."))
  }

  private func resumeHint(_ recorded: RecordedRun) -> ResumeHint {
    // A history named by a variable, or at the default path, is found without an option.
    let isNamed = settings.history.map { $0.origin.isOption || $0.origin.file != nil } ?? false
    return recorded.resumeHint(history: isNamed ? settings.history?.value : nil)
  }

  private func print(_ summary: SummaryReport) {
    if let failure = summary.report.stopCause?.failure { context.warn(failure) }
    if let fields = settings.json?.value {
      context.output.write(fields.line(Report(parts: summary.parts).json))
    } else if settings.quiet.isOn || settings.resultsTakeOutput {
      context.warn(summary.complaint.map { [$0] } ?? [])
    } else {
      context.output.write(summary.text(Style(hasColor: context.output.hasColor)))
    }
    context.output.flush()
  }

  // MARK: Results missing from the history

  /// Saves results missing from the history, unless `--results` has them.
  ///
  /// - Returns: the path of the file; nil when there was nothing to save.
  private func save(
    _ results: [PushResult], of finished: FinishedRun
  ) throws(Failure) -> String? {
    // Losing the result of a push that was never attempted does no harm.
    let results = results.filter { $0.outcome != .notAttempted }
    if results.isEmpty { return nil }
    if let path = settings.results?.value, path != "-", !finished.outputs.hasLostResults {
      return path
    }
    let report = finished.summary.report
    let number = finished.recorded.ledger?.run.rawValue ?? 0
    let chance = context.clock.random()
    let name = "fanfare-run-\(number)-\(String(chance, radix: 36)).jsonl"
    var file = try ResultFile(
      "\(context.temporaryFolder)/\(name)", of: run.step, listing: settings.listed, context)
    _ = try file.begin(continues: false)
    file.write(results, apnsID: report.apnsID)
    if let failure = file.failure { throw .lostOutput(failure, after: report.exitCode) }
    return file.path
  }

  private func tell(_ unrecorded: Unrecorded, _ cause: StopCause?) {
    let isTold = if case .history = cause { true } else { false }
    let error = unrecorded.error
    context.warn(
      (isTold ? [] : [.failure(error.sentence, error.fix)])
        + (unrecorded.place.map { [.lines(["  \($0)"])] } ?? []))
  }
}

extension Run.Report {
  /// Adds the unread recipients known from an earlier pass that read further than this one.
  fileprivate func completed(by earlier: EarlierPasses) -> Run.Report {
    guard !hasReadAll, let known = earlier.unread, known != UnreadRecipients(),
      read.pushes < summary.recipients.pushes
    else { return self }
    var report = self
    report.unread = known
    return report
  }
}
