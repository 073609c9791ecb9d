internal import APNS
internal import Delivery
internal import PlainText
internal import PushModel

/// The environments that were asked for one device token, and what they said.
struct EnvironmentSearch: Sendable {
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

  func adding(_ report: Run.Report, _ environment: PushEnvironment) -> EnvironmentSearch {
    let response = report.onlyResult?.response
    let goodbye: Reason? = if case .goodbye(let said) = report.stopCause { said } else { nil }
    let attempt = Attempt(
      environment: environment, response: response, reason: response?.reason ?? goodbye)
    return EnvironmentSearch(attempts: attempts + [attempt])
  }

  /// The answers of all environments, in order.
  var answers: [EnvironmentAnswer] {
    attempts.map {
      EnvironmentAnswer(
        environment: $0.environment.name, status: $0.response?.status.rawValue,
        reason: $0.reason?.rawValue)
    }
  }

  /// Whether the last answer is one that the other environment may not give: that token, key or
  /// certificate belong to another.
  var goesOn: Bool {
    let reasons: [Reason] = [
      .badDeviceToken, .badEnvironmentKey, .badEnvironmentKeyID, .badCertificateEnvironment,
    ]
    return attempts.last?.reason.map(reasons.contains) ?? false
  }

  /// Where the device token belongs; nil when no answer proves it.
  var home: PushEnvironment? {
    guard let last = attempts.last, let response = last.response else { return nil }
    let isKnown = response.isAccepted || response.reason == .unregistered
    return isKnown ? last.environment : nil
  }
}

extension RequestFacts.Service {
  /// Which of Apple's services an environment is, under whatever port.
  init(_ environment: PushEnvironment) { self.init(host: environment.address?.host) }

  /// Which of them has a host, for pushes or to manage channels.
  init(host: String?) {
    let known: [(PushEnvironment, Self)] = [(.production, .production), (.sandbox, .sandbox)]
    let found = known.first { environment, _ in
      [environment.address?.host, environment.managementAddress?.host].contains(host)
    }
    self = found?.1 ?? .other
  }
}
