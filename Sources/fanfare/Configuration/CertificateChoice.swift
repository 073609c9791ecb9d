internal import APNS
internal import Credentials
internal import HTTP2

/// A client certificate that was opened.
struct CertificateChoice: Sendable {
  let certificate: ClientCertificate
  /// What is shown in the TLS handshake.
  let identity: ClientIdentity
  /// Where it came from: a path or a variable.
  let name: String
  /// The option, scenario, variable or profile that names it.
  let origin: String
  /// The profile that it is written in; nil when it is not.
  var profile: String?
  /// The file with its key; nil when that is with the certificate.
  var keyFile: String?
  /// The file with the password; nil when there is none, or it is kept elsewhere.
  var passwordFile: String?
  /// What a person should know about it, although it can be used.
  var warnings: [CredentialWarning] = []

  var facts: CertificateFacts { certificate.facts }

  /// Which of these services it is taken by; all of them when it does not tell.
  func environments(among environments: [PushEnvironment]) -> [PushEnvironment] {
    let fitting = environments.filter { environment in
      !facts.problems(now: facts.notBefore, environment: environment, topic: nil, pushType: nil)
        .contains { if case .wrongEnvironment = $0 { true } else { false } }
    }
    return fitting.isEmpty ? environments : fitting
  }

  /// What stands between it and a push with these headers.
  func problems(
    of draft: Draft, to environment: PushEnvironment, now: Int64
  ) -> [CertificateProblem] {
    facts.problems(
      now: now, environment: environment, topic: draft[.topic].flatMap { try? Topic($0.value) },
      pushType: draft.pushType.flatMap { PushType(rawValue: $0) })
  }
}
