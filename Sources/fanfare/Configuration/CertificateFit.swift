internal import APNS
internal import Credentials

/// What stands between a client certificate and a push, sorted by who is to mend it.
struct CertificateFit {
  private let certificate: CertificateChoice
  /// The notification asks for what the certificate is not for.
  let problems: [Problem]
  /// The certificate is of no use there, whatever is sent.
  private let faults: [CertificateProblem]
  private let notices: [CertificateProblem]

  init(
    _ certificate: CertificateChoice, _ draft: Draft, to environment: PushEnvironment, now: Int64
  ) {
    self.certificate = certificate
    let found = certificate.problems(of: draft, to: environment, now: now)
    problems = found.compactMap { $0.problem(with: certificate, draft) }
    let others = found.filter { $0.problem(with: certificate, draft) == nil }
    faults = others.filter { $0.severity == .error }
    notices = others.filter { $0.severity == .warning }
  }

  /// - Throws: `Failure.unfitCertificate` when the certificate is of no use and nobody insists.
  func refuse(force: Bool) throws(Failure) {
    if !faults.isEmpty, !force { throw .unfitCertificate(name: certificate.name, faults) }
  }

  /// What a person should know, although it is sent.
  var warnings: [CredentialWarning] {
    (faults + notices).map { .unfit(certificate.name, $0) }
  }
}

extension CertificateProblem {
  /// It as a rule that the notification breaks; nil when the certificate itself is to blame.
  fileprivate func problem(with certificate: CertificateChoice, _ draft: Draft) -> Problem? {
    switch self {
    case .topicNotCovered, .typeNotCovered:
      let (what, fix) = sentences(certificate.name)
      return Problem(
        .error, rule: "certificate-topic", at: .header(HeaderName.topic.text),
        from: draft[.topic]?.origin, message: what, fix: fix, reason: .topicDisallowed)
    default: return nil
    }
  }
}
