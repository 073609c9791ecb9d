internal import APNS
internal import Credentials

/// What stands between a client certificate and a push, sorted by who is to mend it.
struct CertificateFit {
  private let name: String
  /// The notification asks for what the certificate is not for.
  let problems: [Problem]
  /// The certificate is of no use there, whatever is sent.
  private let faults: [CertificateProblem]
  private let notices: [CertificateProblem]

  /// - Parameter name: the file or variable that the certificate is in.
  init(
    _ facts: CertificateFacts, in name: String, _ draft: Draft, to environment: PushEnvironment,
    now: Int64
  ) {
    self.name = name
    let found = facts.problems(of: draft, to: environment, now: now)
    problems = found.compactMap { $0.problem(with: name, draft) }
    let others = found.filter { $0.problem(with: name, draft) == nil }
    faults = others.filter { $0.severity == .error }
    notices = others.filter { $0.severity == .warning }
  }

  /// - Throws: `Failure.unfitCertificate` when the certificate is of no use and nobody insists.
  func refuse(force: Bool) throws(Failure) {
    if !faults.isEmpty, !force { throw .unfitCertificate(name: name, faults) }
  }

  /// What a person should know, although it is sent.
  var warnings: [CredentialWarning] {
    (faults + notices).map { .unfit(name, $0) }
  }
}

extension CertificateFacts {
  /// Which of these services the certificate is taken by; all of them when it does not tell.
  func environments(among environments: [PushEnvironment]) -> [PushEnvironment] {
    let fitting = environments.filter { environment in
      !problems(now: notBefore, environment: environment, topic: nil, pushType: nil)
        .contains { if case .wrongEnvironment = $0 { true } else { false } }
    }
    return fitting.isEmpty ? environments : fitting
  }

  /// What stands between the certificate and a push with these headers.
  fileprivate func problems(
    of draft: Draft, to environment: PushEnvironment, now: Int64
  ) -> [CertificateProblem] {
    problems(
      now: now, environment: environment, topic: draft[.topic].flatMap { try? Topic($0.value) },
      pushType: draft.pushType.flatMap { PushType(rawValue: $0) })
  }
}

extension CertificateProblem {
  /// It as a rule that the notification breaks; nil when the certificate itself is to blame.
  fileprivate func problem(with name: String, _ draft: Draft) -> Problem? {
    switch self {
    case .topicNotCovered, .typeNotCovered:
      let (what, fix) = sentences(name)
      return Problem(
        .error, rule: "certificate-topic", at: .header(HeaderName.topic.text),
        from: draft[.topic]?.origin, message: what, fix: fix, reason: .topicDisallowed)
    default: return nil
    }
  }
}
