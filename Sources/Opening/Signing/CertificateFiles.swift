package import APNS
package import Credentials
internal import HTTP2
internal import PlainText
package import Reporting
internal import Settings

/// The files of a client certificate and its password, read but not opened.
struct CertificateFiles {
  private let settings: Settings
  private let origin: Origin
  private let file: CredentialSecret
  private let keyFile: CredentialSecret?
  private let password: CredentialPassword?
  private let context: Context

  /// Nil when the settings name no certificate.
  init?(_ settings: Settings, _ context: Context) throws(Failure) {
    guard let named = settings.certificate else { return nil }
    (self.settings, self.context, origin) = (settings, context, named.origin)
    file = try CredentialSecret(named.value, for: "certificate", context)
    keyFile = try settings.certificateKey.map { (path) throws(Failure) in
      try CredentialSecret(.file(path.value), for: "certificate key", context)
    }
    let isVariable = origin == .setting(EnvironmentVariable.certificate.rawValue)
    password = try CredentialPassword(
      .certificate, settings.password, isVariableMeant: isVariable, context)
  }

  func open() throws(Failure) -> OpenedCredentials {
    let certificate = try attempt(try loadOrAsk()) {
      .certificate(name: file.name, keyName: keyFile?.name, $0)
    }
    let identity = try attempt(try identity(certificate)) { (error: ClientIdentity.Failure) in
      .credentials(in: file.name, error)
    }
    return OpenedCredentials(
      kind: .certificate(certificate, identity), name: file.name,
      origin: origin.text,
      stored: settings.stored(file.name, password) { stored in
        stored.certificate = Setting(.file(file.name), .storedRun)
        stored.certificateKey = settings.certificateKey.map { Setting($0.value, .storedRun) }
      }, warnings: warnings(certificate))
  }

  private func loadOrAsk() throws(CertificateError) -> ClientCertificate {
    do throws(CertificateError) {
      return try load(password?.bytes)
    } catch {
      guard case .needsPassword(let locked) = error else { throw error }
      let name = locked == .key ? keyFile?.name ?? file.name : file.name
      return try context.passwordPrompt.open(
        name, context.signals, refusal: error, isWrong: \.isWrongPassword, with: load)
    }
  }

  private func load(_ password: SecretBytes?) throws(CertificateError) -> ClientCertificate {
    try ClientCertificate.load(file.contents, key: keyFile?.contents, password: password)
  }

  private func identity(
    _ certificate: ClientCertificate
  ) throws(ClientIdentity.Failure) -> ClientIdentity {
    try certificate.withKeyDER { (key) throws(ClientIdentity.Failure) in
      try ClientIdentity(certificates: certificate.certificatesDER, key: key)
    }
  }

  private func warnings(_ certificate: ClientCertificate) -> [CredentialWarning] {
    // A certificate on its own is not secret, so only the key's file gives a warning.
    var warnings = keyFile?.warnings ?? file.warnings
    if let encryption = certificate.encryption, encryption.isLegacy {
      warnings.append(.oldEncryption(file.name, algorithms: encryption.algorithms))
    }
    let isIdle = certificate.encryption == nil && (try? load(nil)) != nil
    return warnings + (password?.warnings(isIdle: isIdle, for: file.name) ?? [])
  }
}

extension CertificateError {
  package var isWrongPassword: Bool { if case .wrongPassword = self { true } else { false } }
}

/// The reasons a client certificate cannot send a notification, separated into problems of the
/// notification and of the certificate itself.
package struct CertificateFit {
  private let name: String
  /// Conflicts between the notification and the certificate.
  package let problems: [Problem]
  /// Problems of the certificate for any notification, errors first.
  private let faults: [CertificateProblem]

  /// - Parameter name: the file or variable of the certificate.
  package init(
    _ facts: CertificateFacts, in name: String, _ draft: Draft, to environment: PushEnvironment,
    now: Int64
  ) {
    self.name = name
    let found = facts.problems(
      now: now, environment: environment,
      topic: draft.topicOrApp.flatMap { try? Topic($0.value) },
      // For channels, any certificate of the app works.
      pushType: draft.isBroadcast ? nil : draft.pushType.flatMap { PushType(rawValue: $0) })
    problems = found.compactMap { $0.problem(with: name, draft) }
    let others = found.filter { $0.problem(with: name, draft) == nil }
    faults = [.error, .warning].flatMap { severity in others.filter { $0.severity == severity } }
  }

  /// - Throws: `Failure` when the certificate cannot send any push.
  package func refuse(force: Bool) throws(Failure) {
    let errors = faults.filter { $0.severity == .error }
    if !errors.isEmpty, !force { throw .several(errors.map { .credentials(in: name, $0) }) }
  }

  package var warnings: [CredentialWarning] { faults.map { .unfit(name, $0) } }
}

extension CertificateFacts {
  /// The services that accept the certificate; all of them when it does not say.
  func environments(among environments: [PushEnvironment]) -> [PushEnvironment] {
    let fitting = environments.filter { environment in
      !problems(now: notBefore, environment: environment, topic: nil, pushType: nil)
        .contains { if case .wrongEnvironment = $0 { true } else { false } }
    }
    return fitting.isEmpty ? environments : fitting
  }
}

extension Draft {
  /// The field that names the app: the topic, or for a channel the bundle ID in the path.
  fileprivate var topicOrApp: DraftField? { isBroadcast ? app : self[.topic] }
}

extension CertificateProblem {
  /// The problem in the notification; nil for one of the certificate itself.
  fileprivate func problem(with name: String, _ draft: Draft) -> Problem? {
    switch self {
    case .topicNotCovered, .typeNotCovered:
      Problem(
        .error, rule: "certificate-topic",
        at: draft.isBroadcast ? .other(Draft.appField) : .header(HeaderName.topic.text),
        from: draft.topicOrApp?.origin, message: "\(name.printable): \(sentence)", fix: fix,
        reason: .topicDisallowed)
    default: nil
    }
  }
}
