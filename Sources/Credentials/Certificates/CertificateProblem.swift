public import APNS

/// The reason APNs would refuse a push over a connection with a client certificate.
///
/// Some push types need a provider token whatever the certificate says. That is a rule of `APNS`
/// (`authentication-for-type`) and not repeated here.
public enum CertificateProblem: Sendable, Hashable {
  /// It expired at this second since 1970 UTC. MDM certificates are renewed in a place of their own.
  case expired(at: Int64, isMDM: Bool = false)
  /// It becomes valid at this second since 1970 UTC.
  case notYetValid(until: Int64)
  /// It expires in less than 30 days: in this many whole days.
  case expiresSoon(days: Int, isMDM: Bool = false)
  /// It is for signing apps, or not from Apple: it cannot send pushes.
  case notForPush(CertificateKind)
  /// It is only for these environments.
  case wrongEnvironment(CertificateFacts.Environment, allowed: Set<CertificateFacts.Environment>)
  /// It is only for these topics.
  case topicNotCovered(Topic, covered: [CertificateTopic])
  /// It is for this app, but not for the topic of this push type.
  case typeNotCovered(PushType, covered: [CertificateTopic])

  /// An error if the push would fail.
  public var severity: Severity {
    if case .expiresSoon = self { .warning } else { .error }
  }
}

extension CertificateFacts {
  /// The time before expiry at which the warning starts, in seconds.
  public static let noticePeriod: Int64 = 30 * 86_400

  /// Finds the reasons why a push cannot use this certificate, before connecting.
  ///
  /// Unknown topics or environments, which neither the certificate nor its kind states, are not
  /// reported as a problem.
  ///
  /// - Parameters:
  ///   - now: the time in seconds since 1970 UTC.
  ///   - environment: the push's destination; the emulator and custom servers accept any
  ///     certificate.
  ///   - topic: the push's topic; nil if it has no readable one.
  ///   - pushType: the push's type; nil if it has none.
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
    if now > notAfter { return .expired(at: notAfter, isMDM: isMDM) }
    if now < notBefore { return .notYetValid(until: notBefore) }
    let left = notAfter - now
    return left < Self.noticePeriod ? .expiresSoon(days: Int(left / 86_400), isMDM: isMDM) : nil
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
    // Push types that need a provider token are the business of another rule.
    if !info.authentication.contains(.certificate) { return nil }
    // A management topic is for `mdm` only, and an app's topic is for all other push types.
    let isOfItsKind = info.usesBundleID != isMDM && isFor(type)
    if covered.cover(topic) { return isOfItsKind ? nil : .typeNotCovered(type, covered: covered) }
    let app = topic.bundleID(for: type)
    return app.map(covered.cover) ?? false
      ? .typeNotCovered(type, covered: covered) : .topicNotCovered(topic, covered: covered)
  }
}

extension CertificateFacts {
  /// Returns false if the certificate is only for push types whose device tokens are not the app's,
  /// such as VoIP, and this is not one of them.
  private func isFor(_ type: PushType) -> Bool {
    let isForCalls = topics.allSatisfy { $0.labels == [PushType.voip.rawValue] }
    let types = topics.isEmpty ? kind?.pushTypes : isForCalls ? [.voip] : nil
    guard let types, types.allSatisfy({ $0.info?.hasOwnToken ?? false }) else { return true }
    return types.contains(type)
  }
}

extension [CertificateTopic] {
  /// A push with this topic may be sent.
  fileprivate func cover(_ topic: Topic) -> Bool { contains { $0.covers(topic) } }

  /// Some push to this app may be sent.
  fileprivate func cover(_ app: BundleID) -> Bool {
    PushType.table.contains { $0.usesBundleID && cover(Topic(app, for: $0.type)) }
  }
}

extension CertificateKind.Environment {
  /// The service a push goes to; nil if it is not one of Apple's.
  package init?(_ environment: PushEnvironment) {
    let services: [(PushEnvironment, Self)] = [(.production, .production), (.sandbox, .sandbox)]
    let service = services.first { environment.address?.host == $0.0.address?.host }
    guard let service, environment.address != nil else { return nil }
    self = service.1
  }
}
