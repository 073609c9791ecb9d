internal import APNS
internal import PushCore

// What a run is told to have done.
extension Sending {
  /// Says why the run ended early, if it did, and what became of the pushes.
  ///
  /// - Throws: `Failure` when there was nobody to send to, or a result could not be written.
  func tell(
    _ report: Run.Report, of delivery: Delivery, _ facts: RequestFacts,
    _ search: EnvironmentSearch? = nil
  ) throws(Failure) {
    let style = Style(hasColor: context.errors.hasColor)
    if let (what, fix) = report.stopCause?.sentences {
      context.errors.write("fanfare: \(style.bad("error:")) \(what)\n  \(fix)\n")
    }
    if report.summary.recipients.lines == 0, report.stopCause == nil { throw .noRecipients }
    printReport(report, delivery.place.name, facts, search)
    context.output.flush()
    if let lost = delivery.resultsFailure { throw .lostOutput(lost, after: report.exitCode) }
  }

  private func printReport(
    _ report: Run.Report, _ environment: String, _ facts: RequestFacts,
    _ search: EnvironmentSearch?
  ) {
    if options.telling.json {
      let summary = SummaryJSON(
        report: report, environment: environment, facts: facts, search: search)
      context.output.write(summary.bytes)
    } else if options.telling.quiet || options.telling.results == "-" {
      return
    } else if let result = report.onlyResult, report.summary.recipients.lines == 1 {
      let id = report.apnsID(of: result.push)
      context.output.write(pushText(result, id, facts, search).text)
    } else {
      context.output.write(summaryText(report, environment, facts).text)
    }
  }

  private func pushText(
    _ result: PushResult, _ id: APNSID, _ facts: RequestFacts, _ search: EnvironmentSearch?
  ) -> PushText {
    PushText(
      result: result, apnsID: id, facts: facts, search: search,
      showsToken: options.telling.showTokens,
      isVerbose: options.telling.verbose, style: Style(hasColor: context.output.hasColor))
  }

  private func summaryText(
    _ report: Run.Report, _ environment: String, _ facts: RequestFacts
  ) -> SummaryText {
    SummaryText(
      report: report, environment: environment, facts: facts, results: options.telling.results,
      style: Style(hasColor: context.output.hasColor))
  }
}

extension RequestFacts {
  /// What the requests of a run showed.
  init(_ message: Message, _ environment: PushEnvironment, _ report: Run.Report) {
    let type = message.fields.first { $0.name == .pushType }?.value
    self.init(
      service: Service(environment), pushType: type.flatMap { PushType(rawValue: $0) },
      topic: message.fields.first { $0.name == .topic }?.value,
      tokenDigits: report.onlyResult?.push.token.utf8.count ?? 0,
      // Provider tokens are made for each run, so none is older than the run.
      providerTokenAge: Int64(report.summary.seconds))
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
