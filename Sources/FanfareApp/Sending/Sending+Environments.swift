internal import APNS
internal import Delivery
internal import PlainText
internal import Projects
internal import PushModel

extension Sending {
  /// Asks one environment after the other until one knows the device token.
  func seek(
    _ message: Message, at server: ServerChoice, as credentials: OpenedCredentials
  ) throws(Failure) -> Sent {
    let first = try ask(
      server.environment, EnvironmentSearch(), message, at: server, as: credentials)
    guard let alternative = server.alternative, let search = first.search, search.goesOn,
      context.signals.received == nil
    else { return first }
    _ = first.delivery.book.close(first.report, summary(of: first))
    sayWhatFollows(search)
    if let lost = first.delivery.resultsFailure {
      throw .lostOutput(lost, after: first.report.exitCode)
    }
    return try ask(alternative, search, message, at: server, as: credentials)
  }

  private func ask(
    _ environment: PushEnvironment, _ before: EnvironmentSearch, _ message: Message,
    at server: ServerChoice, as credentials: OpenedCredentials
  ) throws(Failure) -> Sent {
    var search = before
    let (report, delivery) = try deliver(
      message, to: try recipients(message), at: try server.at(environment, settings, context),
      as: credentials, isSecond: !search.attempts.isEmpty)
    search.add(report, environment)
    let facts = search.known(
      of: RequestFacts(message, environment, report, tokenAge: credentials.tokenAge(context)))
    return Sent(report: report, delivery: delivery, facts: facts, search: search)
  }

  private func sayWhatFollows(_ search: EnvironmentSearch) {
    guard !settings.quiet.isOn, let last = search.attempts.last else { return }
    context.errors.write("\(last.words); asking the next environment\n")
    context.errors.flush()
  }
}
