internal import APNS
internal import Delivery
internal import PushModel

extension SummaryReport {
  /// The summary of a run that is not closed yet.
  init(_ finished: FinishedRun) {
    let (run, plan) = (finished.run, finished.run.plan)
    let (report, environment) = (finished.report, run.server.environment)
    self.init(
      report: report.completed(by: plan.origin), environment: environment.name,
      placeNote: plan.placeNote, run: run.recorded.number, pass: plan.origin.earlier.count + 1,
      facts: RequestFacts(finished), search: finished.search, results: plan.outputs.results,
      lacksResults: run.outputs.hasLostResults, dead: run.outputs.dead,
      resumeHint: run.recorded.resumeHint(of: plan), kind: plan.origin.kind,
      showsToken: plan.outputs.showsTokens, isVerbose: plan.outputs.isVerbose,
      listed: plan.outputs.listed)
  }

  /// The run's end, for the history.
  ///
  /// - Parameter now: the time in milliseconds since 1970 UTC.
  func ending(at now: Int64) -> RunEnding {
    RunEnding(
      report.hasReadAll ? .finished : .interrupted, recipients: report.read, figures: figures,
      reasons: reasons, asked: search?.answers ?? [], at: now)
  }
}

extension RequestFacts {
  /// Facts from the requests. Once both environments were tried, a wrong one cannot be the cause.
  fileprivate init(_ finished: FinishedRun) {
    let (run, message) = (finished.run, finished.run.plan.message)
    let isSecond = finished.search.map { $0.attempts.count > 1 } ?? false
    self.init(
      service: isSecond ? .both : .init(run.server.environment),
      isBroadcast: message.target != .device,
      pushType: message[.pushType].flatMap { PushType(rawValue: $0) },
      topic: message[.topic] ?? message.app,
      tokenDigits: finished.report.onlyResult?.push.token.utf8.count ?? 0,
      providerTokenAge: run.credentials.tokenAge(run.plan.context),
      clocks: finished.report.lastRefusal?.clocks)
  }
}

extension Run.Report {
  /// The answer to the only push, or the one that stopped the run.
  fileprivate var lastRefusal: Response? {
    if case .breaker(let response) = stopCause { return response }
    return onlyResult?.response
  }
}

extension Run.Report {
  /// Adds the unread recipients known from an earlier pass that read further than this one, and those
  /// that can no longer be read. A worker reads no lists.
  fileprivate func completed(by origin: RunOrigin) -> Run.Report {
    var report = self
    if origin.shared != nil { report.unread = nil }
    if hasReadAll, let lost = origin.earlier.lost { report.unread = lost }
    guard !hasReadAll, let known = origin.earlier.unread, known != UnreadRecipients(),
      read.pushes < summary.recipients.pushes
    else { return report }
    report.unread = known
    return report
  }
}
