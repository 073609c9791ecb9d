internal import APNS
internal import Delivery
internal import HTTP2
internal import PlainText
internal import PushModel
internal import Reporting
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
      report: report.completed(by: run), environment: environment.name,
      run: recorded.number, pass: run.earlier.count + 1,
      facts: facts(of: report, start, search), search: search, results: plan.outputs.results,
      dead: outputs.dead, resumeHint: resumeHint(recorded), showsToken: plan.outputs.showsTokens,
      isVerbose: plan.outputs.isVerbose, listed: plan.outputs.listed)
  }

  /// Facts from the requests. Once both environments were tried, a wrong one cannot be the cause.
  private func facts(
    of report: Run.Report, _ start: RunStart, _ search: EnvironmentSearch?
  ) -> RequestFacts {
    let isSecond = search.map { $0.attempts.count > 1 } ?? false
    return RequestFacts(
      service: isSecond ? .both : .init(start.server.environment),
      isBroadcast: start.message.target != .device,
      pushType: start.message[.pushType].flatMap { PushType(rawValue: $0) },
      topic: start.message[.topic] ?? start.message.app,
      tokenDigits: report.onlyResult?.push.token.utf8.count ?? 0,
      providerTokenAge: start.credentials?.tokenAge(context))
  }

  /// The report of a run that is closed.
  func report(_ closed: ClosedRun) -> Report {
    let summary = closed.summary
    var report = plan.outputs.form.report(
      summary.parts, forPeople: summary.partsForPeople, complaint: summary.complaint,
      summary.report.stopCause)
    report.after = closed.notices + emptyFields(summary) + (closed.loss?.parts() ?? [])
    report.exitCode = closed.loss?.exitCode ?? context.signals.received ?? closed.exitCode
    return report
  }

  /// A warning of fields chosen for JSON that are null, because the run has no only push.
  private func emptyFields(_ summary: SummaryReport) -> [Report.Part] {
    let names = plan.outputs.form.fieldsOfPush
    if names.isEmpty || summary.report.onlyResult != nil { return [] }
    let (total, are) = (summary.report.summary.total, names.count == 1 ? "is" : "are")
    return [
      .warning(
        "\(names.joined(separator: ", ")) \(are) null: a run of "
          + "\(counted(total, "push", plural: "pushes")) has no single one.",
        "--results FILE writes a line for each push.")
    ]
  }

  /// Closes a run.
  ///
  /// - Throws: `Failure` when there were no recipients.
  func closeSent(_ finished: FinishedRun) throws(Failure) -> ClosedRun {
    let closed = close(finished)
    if closed.isEmpty { throw .noRecipients }
    return closed
  }

  /// Records the end of a run, and saves results missing from the history.
  package func close(_ finished: FinishedRun) -> ClosedRun {
    let unrecorded = finished.recorded.close(
      finished.summary, now: context.clock.epochMilliseconds())
    var summary = finished.summary
    summary.run = finished.recorded.number
    summary.resumeHint = resumeHint(finished.recorded)
    let report = summary.report
    if report.summary.recipients.lines == 0, report.stopCause == nil, !run.mayBeEmpty {
      return ClosedRun(summary: summary, loss: .noRecipients, isEmpty: true)
    }
    var closed = ClosedRun(
      summary: summary, unrecorded: unrecorded.map { Unrecorded(error: $0.error) },
      loss: finished.outputs.failure.map { .lostOutput($0, after: report.exitCode) },
      isEmpty: false)
    do throws(Failure) {
      try save(unrecorded?.results ?? [], of: finished, &closed.unrecorded)
    } catch {
      closed.loss = error
    }
    return closed
  }

  func resumeHint(_ recorded: RecordedRun) -> ResumeHint {
    var hint = recorded.resumeHint(history: plan.history?.name)
    hint.files = RunOutputFiles(plan.kept).continuable.filled(from: run.files)
    hint.config = context.configuration.named ?? run.config
    return hint
  }

  // MARK: Results missing from the history

  /// Saves results missing from the history where `resume` finds them. If that fails, they are in the
  /// file of `--results`, or in one of their own.
  private func save(
    _ results: [PushResult], of finished: FinishedRun, _ unrecorded: inout Unrecorded?
  ) throws(Failure) {
    // Losing the result of a push that was never attempted does no harm.
    let results = results.filter { $0.outcome != .notAttempted }
    if results.isEmpty { return }
    if let saved = savedResults(of: finished),
      saved.save(results, apnsID: finished.summary.report.apnsID)
    {
      unrecorded?.saved = saved.path
      unrecorded?.taking = resumeHint(finished.recorded).command
    } else {
      unrecorded?.saved = try fallBack(results, of: finished)
    }
  }

  /// The place for a run's results; nil without a history, or for a worker, whose pushes others take.
  private func savedResults(of finished: FinishedRun) -> SavedResults? {
    guard run.shared == nil, finished.recorded.number != nil,
      let ledger = finished.recorded.ledger, let history = plan.history
    else { return nil }
    return SavedResults(of: ledger.run, ledger.record, in: history.location, context)
  }

  /// - Returns: the path of the file that has the results.
  private func fallBack(
    _ results: [PushResult], of finished: FinishedRun
  ) throws(Failure) -> String {
    if let path = plan.outputs.results, isPlainFile(path), !isOpenDescriptor(path),
      !finished.outputs.hasLostResults
    {
      return path
    }
    let report = finished.summary.report
    let number = finished.recorded.ledger?.run.rawValue ?? 0
    let chance = context.clock.random()
    let name = "fanfare-run-\(number)-\(String(chance, radix: 36)).jsonl"
    var file = try ResultFile(
      "\(context.temporaryFolder)/\(name)", of: run.step, listing: plan.outputs.listed, context)
    _ = try file.begin(continues: false)
    file.write(results, apnsID: report.apnsID)
    if let failure = file.failure { throw .lostOutput(failure, after: report.exitCode) }
    return file.path
  }
}

extension Run.Report {
  /// Adds the unread recipients known from an earlier pass that read further than this one, and those
  /// that can no longer be read. A worker reads no lists.
  fileprivate func completed(by run: any RunSource) -> Run.Report {
    var report = self
    if run.shared != nil { report.unread = nil }
    if hasReadAll, let lost = run.earlier.lost { report.unread = lost }
    guard !hasReadAll, let known = run.earlier.unread, known != UnreadRecipients(),
      read.pushes < summary.recipients.pushes
    else { return report }
    report.unread = known
    return report
  }
}
