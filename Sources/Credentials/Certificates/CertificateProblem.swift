public import APNS

/// Why APNs would not take a push over a connection with a client certificate.
///
/// That some push types need a provider token whatever the certificate says is a rule of `APNS`
/// (`authentication-for-type`), and not repeated here.
public enum CertificateProblem: Sendable, Hashable {
  /// It ended, at this second since 1970 UTC.
  case expired(at: Int64)
  /// It begins later, at this second since 1970 UTC.
  case notYetValid(until: Int64)
  /// It ends in less than 30 days: this many whole days from now.
  case expiresSoon(days: Int)
  /// It signs apps, or is not one of Apple's: it is not for pushes.
  case notForPush(CertificateKind)
  /// It is for these environments only.
  case wrongEnvironment(CertificateFacts.Environment, allowed: Set<CertificateFacts.Environment>)
  /// It is for these topics only.
  case topicNotCovered(Topic, covered: [CertificateTopic])
  /// It is for this app, but lacks the topic of this push type.
  case typeNotCovered(PushType, covered: [CertificateTopic])

  /// Whether a push would fail.
  public var severity: Severity {
    if case .expiresSoon = self { .warning } else { .error }
  }
}

extension CertificateFacts {
  /// The age before the end from which on a warning is given, in seconds.
  public static let noticePeriod: Int64 = 30 * 86_400

  /// What keeps this certificate from being used for a push, found before connecting.
  ///
  /// A push certificate that names neither topics nor environments, and whose user ID and kind do not
  /// tell them, is not found fault with for them.
  ///
  /// - Parameters:
  ///   - now: the time in seconds since 1970 UTC.
  ///   - environment: where the push goes; the emulator and servers of one's own take any.
  ///   - topic: the push's topic; nil when it has none that can be read.
  ///   - pushType: the push's type; nil when it has none.
  public func problems(
    now: Int64, environment: PushEnvironment, topic: Topic?, pushType: PushType?
  ) -> [CertificateProblem] {
    let problems = [
      problem(now: now), purposeProblem, problem(Environment(environment)),
      topic.flatMap { problem($0, pushType) },
    ]
    return problems.compactMap(\.self)
  }

  private func problem(now: Int64) -> CertificateProblem? {
    if now > notAfter { return .expired(at: notAfter) }
    if now < notBefore { return .notYetValid(until: notBefore) }
    let left = notAfter - now
    return left < Self.noticePeriod ? .expiresSoon(days: Int(left / 86_400)) : nil
  }

  private var purposeProblem: CertificateProblem? {
    isForPush ? nil : .notForPush(kind ?? .other)
  }

  private func problem(_ environment: Environment?) -> CertificateProblem? {
    guard let environment, !environments.isEmpty, !environments.contains(environment) else {
      return nil
    }
    return .wrongEnvironment(environment, allowed: environments)
  }

  private func problem(_ topic: Topic, _ type: PushType?) -> CertificateProblem? {
    let covered = coveredTopics
    if !isForPush || covered.isEmpty { return nil }
    guard let type, let info = type.info else {
      return covered.cover(topic) ? nil : .topicNotCovered(topic, covered: covered)
    }
    // That it takes no certificate is a rule of its own.
    if !info.authentication.contains(.certificate) { return nil }
    // The topic of a management server is for its own push type, and an app's is for the others.
    let isOfItsKind = info.usesBundleID != isMDM
    if covered.cover(topic) { return isOfItsKind ? nil : .typeNotCovered(type, covered: covered) }
    let app = topic.bundleID(for: type)
    return app.map(covered.cover) ?? false
      ? .typeNotCovered(type, covered: covered) : .topicNotCovered(topic, covered: covered)
  }
}

extension [CertificateTopic] {
  /// Whether a push with that topic may be sent.
  fileprivate func cover(_ topic: Topic) -> Bool { contains { $0.covers(topic) } }

  /// Whether any push to that app may be sent.
  fileprivate func cover(_ app: BundleID) -> Bool {
    PushType.table.contains { $0.usesBundleID && cover(Topic(app, for: $0.type)) }
  }
}

extension CertificateKind.Environment {
  /// The service a push goes to; nil where it is none of Apple's.
  package init?(_ environment: PushEnvironment) {
    let services: [(PushEnvironment, Self)] = [(.production, .production), (.sandbox, .sandbox)]
    let service = services.first { environment.address?.host == $0.0.address?.host }
    guard let service, environment.address != nil else { return nil }
    self = service.1
  }
}
