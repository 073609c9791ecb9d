internal import APNS
internal import Delivery
internal import PlainText
internal import PushModel

/// The environments tried for one device token, with their responses.
struct EnvironmentSearch: Sendable {
  struct Attempt: Sendable {
    let environment: PushEnvironment
    let response: Response?
    let reason: Reason?

    /// The attempt in words: `sandbox: 400 BadDeviceToken`.
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

  /// True if the other environment may respond differently: the token, key or certificate may
  /// belong there.
  var goesOn: Bool {
    let reasons: [Reason] = [
      .badDeviceToken, .badEnvironmentKey, .badEnvironmentKeyID, .badCertificateEnvironment,
    ]
    return attempts.last?.reason.map(reasons.contains) ?? false
  }

  /// The environment of the device token; nil when no response proves it.
  var home: PushEnvironment? {
    guard let last = attempts.last, let response = last.response else { return nil }
    let isKnown = response.isAccepted || response.reason == .unregistered
    return isKnown ? last.environment : nil
  }
}
