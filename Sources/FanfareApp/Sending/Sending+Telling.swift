internal import APNS
internal import Delivery
internal import HTTP2
internal import PlainText
internal import Projects
internal import PushModel

// What a run is told to have done.
extension Sending {
  /// Says why the run ended early, if it did, and what became of the pushes.
  ///
  /// - Throws: `Failure` when there was nobody to send to, or a result could not be written.
  func tell(_ sent: Sent) throws(Failure) -> ExitCode {
    let summary = summary(of: sent)
    let loss = sent.delivery.book.close(sent.report, summary)
    if let cause = sent.report.stopCause {
      context.errors.write(cause.text(Style(hasColor: context.errors.hasColor)))
    }
    try refuseNobody(sent)
    printReport(sent, summary)
    context.output.flush()
    try tell(loss, of: sent)
    // Results that the history lacks could not be written.
    let code = ExitCode.merged([sent.report.exitCode, loss == nil ? .success : .failure])
    return context.signals.received ?? code
  }

  /// Brings a run to its end whose figures somebody else tells.
  ///
  /// - Throws: `Failure` when there was nobody to send to, or a result could not be written.
  func settle(_ sent: Sent) throws(Failure) {
    let loss = sent.delivery.book.close(sent.report, summary(of: sent))
    try refuseNobody(sent)
    try tell(loss, of: sent)
  }

  private func refuseNobody(_ sent: Sent) throws(Failure) {
    let report = sent.report
    if report.summary.recipients.lines == 0, report.stopCause == nil, !run.mayBeEmpty {
      throw .noRecipients
    }
  }

  private func tell(
    _ loss: (error: HistoryError, results: [PushResult])?, of sent: Sent
  ) throws(Failure) {
    let (report, delivery) = (sent.report, sent.delivery)
    if let loss { try tell(loss.error, rescue(loss.results, report, delivery.book), report) }
    if let lost = delivery.resultsFailure { throw .lostOutput(lost, after: report.exitCode) }
  }

  /// The figures of a run.
  func summary(of sent: Sent) -> SummaryReport {
    SummaryReport(
      report: sent.report, environment: sent.delivery.place.name, run: sent.delivery.book.number,
      facts: sent.facts, search: sent.search, results: settings.results?.value,
      dead: sent.delivery.dead, resumeHint: resumeHint(sent.delivery))
  }

  /// Saves results that the history could not take, unless `--results` has them already.
  ///
  /// - Returns: where they are; nil when there are none.
  private func rescue(
    _ results: [PushResult], _ report: Run.Report, _ book: RunBook
  ) throws(Failure) -> String? {
    // That a push was not sent is no news that could be lost.
    let results = results.filter { $0.outcome != .notAttempted }
    if results.isEmpty { return nil }
    if let path = settings.results?.value, path != "-" { return path }
    let name = "fanfare-run-\(book.number ?? 0)-\(String(context.clock.random(), radix: 36)).jsonl"
    var file = try ResultFile("\(context.temporaryFolder)/\(name)", continues: false, context)
    file.write(results, apnsID: report.apnsID)
    if let failure = file.failure { throw .lostOutput(failure, after: report.exitCode) }
    return file.path
  }

  private func tell(
    _ error: HistoryError, _ rescued: String?, _ report: Run.Report
  ) throws(Failure) {
    let saved = rescued.map { "\n  The results that it lacks are in \($0.printable)." } ?? ""
    let style = Style(hasColor: context.errors.hasColor)
    if case .history = report.stopCause {
      context.errors.write(saved.isEmpty ? "" : saved.dropFirst() + "\n")
    } else {
      context.errors.write(
        "fanfare: \(style.bad("error:")) \(error.sentence)\n  \(error.fix)\(saved)\n")
    }
    context.errors.flush()
  }

  private func printReport(_ sent: Sent, _ summary: SummaryReport) {
    if settings.json.isOn {
      context.output.write(summary.bytes)
    } else if !settings.quiet.isOn, settings.results?.value != "-" {
      context.output.write(text(of: sent, Style(hasColor: context.output.hasColor)))
    }
  }

  /// What a person reads of a run: of one push its answer, of many the figures.
  func text(of sent: Sent, _ style: Style) -> String {
    let text = ReportText(style: style)
    guard let result = sent.report.onlyResult, sent.report.summary.recipients.lines == 1 else {
      return text.text(of: summary(of: sent).parts)
    }
    return text.text(of: push(of: sent, result).parts)
  }

  private func push(of sent: Sent, _ result: PushResult) -> PushReport {
    PushReport(
      result: result, apnsID: sent.report.apnsID(of: result.push), facts: sent.facts,
      resumeHint: resumeHint(sent.delivery), search: sent.search,
      showsToken: settings.showTokens.isOn,
      isVerbose: settings.verbose.isOn)
  }

  func resumeHint(_ delivery: RunDelivery) -> ResumeHint {
    var way = delivery.book.resumeHint
    // One that a variable names, or that is at its usual place, is found again.
    let origin = settings.history?.origin
    way.history = origin?.isOption ?? false || origin?.file != nil ? settings.history?.value : nil
    return way
  }
}

extension RequestFacts {
  /// What the requests of a run showed.
  ///
  /// - Parameter tokenAge: how old the provider token was at the end, in seconds; nil without one.
  init(
    _ message: Message, _ environment: PushEnvironment, _ report: Run.Report, tokenAge: Int64?
  ) {
    let type = message.fields.first { $0.name == .pushType }?.value
    self.init(
      service: Service(environment), pushType: type.flatMap { PushType(rawValue: $0) },
      topic: message.fields.first { $0.name == .topic }?.value,
      tokenDigits: report.onlyResult?.push.token.utf8.count ?? 0,
      providerTokenAge: tokenAge)
  }
}

extension RequestFacts.Service {
  /// Which of Apple's services an environment is, under whatever port.
  init(_ environment: PushEnvironment) {
    let host = environment.address?.host
    self =
      host == PushEnvironment.production.address?.host
      ? .production : host == PushEnvironment.sandbox.address?.host ? .sandbox : .other
  }
}
