package import APNS
package import Credentials
internal import HTTP2
internal import POSIX
internal import PlainText
package import Reporting
package import Settings

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
  var topicOrApp: DraftField? { isBroadcast ? app : self[.topic] }
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

/// A key or certificate that was read but not parsed, with warnings.
package struct CredentialSecret {
  package let contents: SecretBytes
  /// The source: a path, a variable or a command.
  package let name: String
  package var warnings: [CredentialWarning] = []
}

extension CredentialSecret {
  /// - Parameters:
  ///   - place: the source; a variable may hold the path of a file.
  ///   - purpose: the expected contents, such as `key`.
  package init(_ place: SecretLocation, for purpose: String, _ context: Context) throws(Failure) {
    switch place {
    case .file(let path): try self.init(file: path, for: purpose)
    case .variable(let variable):
      let expected = "a \(purpose): its path, its PEM text, or base64"
      switch context.keyText(try context.secret(in: variable, expected: expected)) {
      case .path(let path): try self.init(file: path, in: variable, for: purpose)
      case .contents(let contents): self.init(contents: contents, name: variable)
      }
    case .command(let words):
      let command = SecretCommand(words: words, purpose: purpose)
      self.init(contents: try command.output(context), name: place.name)
    }
  }

  private init(
    file path: String, in variable: String? = nil, for purpose: String
  ) throws(Failure) {
    let file = try attempt(try SecretFile.read(path)) {
      .secretFile(path: path, purpose: purpose, in: variable, $0)
    }
    self.init(contents: file.bytes, name: path)
    if let exposure = file.exposure {
      warnings = [.exposedFile(path: path, purpose: purpose, mode: exposure.mode)]
    }
  }
}

/// The password of an encrypted key or certificate.
package struct CredentialPassword {
  package struct Kind {
    fileprivate let purpose: String
    fileprivate let option: String
    fileprivate let variable: EnvironmentVariable

    package static let key = Kind(
      purpose: "key password", option: "--key-password-file", variable: .keyPassword)
    package static let certificate = Kind(
      purpose: "certificate password", option: "--cert-password-file",
      variable: .certificatePassword)
  }

  package let bytes: SecretBytes
  /// The path of its file; nil when it is not in a file.
  let file: String?
  private let setting: String
  private let isMeant: Bool
  private var warnings: [CredentialWarning] = []

  /// The password from settings, or else from the variable; nil when there is none. Option and
  /// variable name no key, so they apply to the key of any layer.
  package init?(
    _ kind: Kind, _ named: Setting<SecretLocation>?, isVariableMeant: Bool, _ context: Context
  ) throws(Failure) {
    let variable = kind.variable.rawValue
    if named == nil, context.value(kind.variable) == nil { return nil }
    let place = named?.value ?? .variable(variable)
    setting = named.map { $0.origin.isOption ? kind.option : "passwordFile" } ?? variable
    isMeant = named != nil || isVariableMeant
    file = if case .file(let path) = place { path } else { nil }
    if case .variable(let name) = place {
      bytes = SecretBytes(try context.secret(in: name, expected: "the \(kind.purpose)"))
      return
    }
    let secret = try CredentialSecret(place, for: kind.purpose, context)
    (bytes, warnings) = (secret.contents.inUTF8.withoutLineEnd, secret.warnings)
    if let file, bytes.count == 0 {
      throw .secretFile(path: file, purpose: kind.purpose, .empty)
    }
  }

  /// - Parameter isIdle: whether nothing needed the password.
  package func warnings(isIdle: Bool, for name: String) -> [CredentialWarning] {
    warnings + (isMeant && isIdle ? [.idlePassword(setting: setting, key: name)] : [])
  }
}

extension Context {
  /// The value of a variable that must be set.
  fileprivate func secret(in name: String, expected: String) throws(Failure) -> String {
    guard let value = text(of: name) else {
      throw .badSetting(name: name, text: "", expected: expected)
    }
    return value
  }
}
