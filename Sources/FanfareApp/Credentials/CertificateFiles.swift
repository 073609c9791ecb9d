internal import APNS
internal import Credentials
internal import HTTP2
internal import Projects

/// A client certificate's files and its password, read and about to be opened.
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
    let certificate = try certificate()
    return OpenedCredentials(
      kind: .certificate(certificate, try identity(certificate)), name: file.name,
      origin: origin.text,
      stored: settings.stored(file.name, password) { stored in
        stored.certificate = Setting(.file(file.name), .storedRun)
        stored.certificateKey = settings.certificateKey.map { Setting($0.value, .storedRun) }
      }, warnings: warnings(certificate))
  }

  private func certificate() throws(Failure) -> ClientCertificate {
    do throws(CertificateError) {
      return try loadOrAsk()
    } catch {
      throw .certificate(name: file.name, keyName: keyFile?.name, error)
    }
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

  private func identity(_ certificate: ClientCertificate) throws(Failure) -> ClientIdentity {
    do throws(ClientIdentity.Failure) {
      return try certificate.withKeyDER { (key) throws(ClientIdentity.Failure) in
        try ClientIdentity(certificates: certificate.certificatesDER, key: key)
      }
    } catch {
      throw .credentials(in: file.name, error)
    }
  }

  private func warnings(_ certificate: ClientCertificate) -> [CredentialWarning] {
    // A certificate without its key is not a secret.
    var warnings = keyFile?.warnings ?? file.warnings
    if let encryption = certificate.encryption, encryption.isLegacy {
      warnings.append(.oldEncryption(file.name, algorithms: encryption.algorithms))
    }
    let isIdle = certificate.encryption == nil && (try? load(nil)) != nil
    return warnings + (password?.warnings(isIdle: isIdle, for: file.name) ?? [])
  }
}

extension CertificateError {
  var isWrongPassword: Bool { if case .wrongPassword = self { true } else { false } }
}
