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
