internal import APNS
internal import Credentials
internal import PlainText

/// What keeps a client certificate from sending a push: the notification's problems apart from the
/// certificate's own.
struct CertificateFit {
  private let name: String
  /// The notification asks for what the certificate is not for.
  let problems: [Problem]
  /// What is wrong whatever is sent, errors first.
  private let faults: [CertificateProblem]

  /// - Parameter name: the file or variable that the certificate is in.
  init(
    _ facts: CertificateFacts, in name: String, _ draft: Draft, to environment: PushEnvironment,
    now: Int64
  ) {
    self.name = name
    let found = facts.problems(of: draft, to: environment, now: now)
    problems = found.compactMap { $0.problem(with: name, draft) }
    let others = found.filter { $0.problem(with: name, draft) == nil }
    faults = [.error, .warning].flatMap { severity in others.filter { $0.severity == severity } }
  }

  /// - Throws: `Failure` when no push would get through with the certificate.
  func refuse(force: Bool) throws(Failure) {
    let errors = faults.filter { $0.severity == .error }
    if !errors.isEmpty, !force { throw .several(errors.map { .credentials(in: name, $0) }) }
  }

  /// What a person should know, although it is sent.
  var warnings: [CredentialWarning] { faults.map { .unfit(name, $0) } }
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
      Problem(
        .error, rule: "certificate-topic", at: .header(HeaderName.topic.text),
        from: draft[.topic]?.origin, message: "\(name.printable): \(sentence)", fix: fix,
        reason: .topicDisallowed)
    default: nil
    }
  }
}
