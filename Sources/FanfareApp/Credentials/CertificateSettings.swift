internal import APNS
internal import Credentials
internal import HTTP2
internal import Projects

/// What settings say about a client certificate. Nothing was read.
struct CertificateSettings: Sendable {
  let certificate: Setting<SecretPlace>
  let keyFile: String?
  let password: Setting<SecretPlace>?
  /// The profile in which it is written; nil when it is not.
  let owner: String?

  /// Nil when they name no certificate.
  init?(_ settings: Settings) {
    guard let certificate = settings.certificate else { return nil }
    self.certificate = certificate
    keyFile = settings.certificateKey?.value
    (password, owner) = (settings.password, settings.credentialsOwner?.value)
  }

  /// Reads the certificate and its key, and asks for the password where one is wanted and somebody
  /// sits at a terminal.
  func open(_ context: Context) throws(Failure) -> OpenedCredentials {
    let file = try CredentialSecret(certificate.value, for: "certificate", context)
    let openedKey = try keyFile.map { (path) throws(Failure) in
      try CredentialSecret(.file(path), for: "certificate key", context)
    }
    let variable = EnvironmentVariable.certificate.rawValue
    let password = try CredentialPassword(
      .certificate, self.password, isVariableMeant: certificate.origin == .setting(variable),
      context)
    let opening = CertificateOpening(file: file, keyFile: openedKey, context: context)
    let opened = try opening.open(password)
    return OpenedCredentials(
      kind: .certificate(opened, try opening.identity(opened)), name: file.name,
      origin: certificate.origin.text, stored: stored(file.name, password?.file),
      warnings: try opening.warnings(opened, password))
  }

  /// Of a secret only the place is kept: its file, or else the profile that knows it.
  private func stored(_ file: String, _ passwordFile: String?) -> Settings {
    var stored = Settings()
    if fileExists(file) {
      stored.certificate = Setting(.file(file), .storedRun)
      stored.certificateKey = keyFile.map { Setting($0, .storedRun) }
      stored.password = passwordFile.map { Setting(.file($0), .storedRun) }
    } else {
      stored.credentialsProfile = owner.map { Setting($0, .storedRun) }
    }
    return stored
  }
}

/// A certificate's files, read and about to be opened.
private struct CertificateOpening {
  let file: CredentialSecret
  let keyFile: CredentialSecret?
  let context: Context

  func open(_ password: CredentialPassword?) throws(Failure) -> ClientCertificate {
    do throws(CertificateError) {
      return try load(password?.bytes)
    } catch .needsPassword(let locked) {
      return try ask(.needsPassword(locked))
    } catch {
      throw failure(error)
    }
  }

  private func load(_ password: SecretBytes?) throws(CertificateError) -> ClientCertificate {
    try ClientCertificate.load(file.contents, key: keyFile?.contents, password: password)
  }

  private func ask(_ refusal: CertificateError) throws(Failure) -> ClientCertificate {
    do throws(CertificateError) {
      return try context.passwordPrompt.open(
        name(of: refusal), context.signals, refusal: refusal, isWrong: \.isWrongPassword, with: load
      )
    } catch {
      throw failure(error)
    }
  }

  func identity(_ certificate: ClientCertificate) throws(Failure) -> ClientIdentity {
    do throws(ClientIdentity.Failure) {
      return try certificate.withKeyDER { (key) throws(ClientIdentity.Failure) in
        try ClientIdentity(certificates: certificate.certificatesDER, key: key)
      }
    } catch {
      throw .identity(name: file.name, error)
    }
  }

  func warnings(
    _ certificate: ClientCertificate, _ password: CredentialPassword?
  ) throws(Failure) -> [CredentialWarning] {
    // A certificate without its key is for everybody to see.
    var warnings = keyFile?.warnings ?? file.warnings
    if let encryption = certificate.encryption, encryption.isLegacy {
      warnings.append(.oldEncryption(file.name, algorithms: encryption.algorithms))
    }
    let isIdle = certificate.encryption == nil && (try? load(nil)) != nil
    return warnings + (password?.warnings(isIdle: isIdle, for: file.name) ?? [])
  }

  private func name(of refusal: CertificateError) -> String {
    refusal == .needsPassword(.key) ? keyFile?.name ?? file.name : file.name
  }

  private func failure(_ error: CertificateError) -> Failure {
    .certificate(name: file.name, keyName: keyFile?.name, error)
  }
}

extension CertificateError {
  fileprivate var isWrongPassword: Bool {
    if case .wrongPassword = self { true } else { false }
  }
}
