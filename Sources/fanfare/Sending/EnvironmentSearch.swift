internal import APNS
internal import Delivery
internal import PlainText
internal import Projects
internal import PushModel

/// The environments that were asked for one device token, and what they said.
struct EnvironmentSearch: Sendable {
  /// One of them.
  struct Attempt: Sendable {
    let environment: PushEnvironment
    let response: Response?
    let reason: Reason?

    /// `sandbox: 400 BadDeviceToken`
    var words: String {
      let answer = [response?.status.description, reason?.rawValue].compactMap(\.self)
      return "\(environment.name): \(answer.joined(separator: " ").printable)"
    }
  }

  private(set) var attempts: [Attempt] = []

  mutating func add(_ report: Run.Report, _ environment: PushEnvironment) {
    let response = report.onlyResult?.response
    var reason = response?.reason
    if case .goodbye(let said)? = report.stopCause { reason = reason ?? said }
    attempts.append(Attempt(environment: environment, response: response, reason: reason))
  }

  /// Whether the last answer is one that the other environment may not give.
  var goesOn: Bool { attempts.last?.reason.map(Self.reasons.contains) ?? false }

  /// Where the device token belongs; nil when no answer proves it.
  var home: PushEnvironment? {
    guard let last = attempts.last, let response = last.response else { return nil }
    let isKnown = response.isAccepted || response.reason == .unregistered
    return isKnown ? last.environment : nil
  }

  /// What a request shows of itself once both environments were asked: not that it went to the
  /// wrong one.
  func known(of facts: RequestFacts) -> RequestFacts {
    var facts = facts
    if attempts.count > 1 { facts.service = .other }
    return facts
  }

  /// What says that token, key or certificate belong to the other environment.
  private static let reasons: Set<Reason> = [
    .badDeviceToken, .badEnvironmentKey, .badEnvironmentKeyID, .badCertificateEnvironment,
  ]
}

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
