internal import CommandLineKit
internal import Credentials
internal import HTTP2
internal import Projects

/// One layer's word on a client certificate, not looked at yet.
struct CertificateLayer {
  let place: SecretPlace
  private let keyFile: String?
  private let password: SecretPlace?
  /// The option, scenario, variable or profile that names it.
  let origin: String
  /// The file that it is written in; nil when it is in none.
  private(set) var source: CredentialSource?

  init?(_ options: CredentialOptions) {
    guard let certificate = options.certificate else { return nil }
    (place, keyFile) = (.file(certificate), options.certificateKey)
    (password, origin) = (nil, "--cert")
  }

  init(_ credentials: CertificateSetting, in source: CredentialSource) {
    (place, keyFile) = (credentials.certificate, credentials.key)
    (password, origin) = (credentials.password, source.origin)
    self.source = source
  }

  init?(_ context: Context) {
    guard context.value(.certificate) != nil else { return nil }
    (place, keyFile) = (.variable(EnvironmentVariable.certificate.rawValue), nil)
    (password, origin) = (nil, EnvironmentVariable.certificate.rawValue)
  }

  /// What it says, part by part.
  var parts: [CredentialPart] {
    let all: [(name: String, value: SecretPlace?)] = [
      ("cert", place), ("certKey", keyFile.map { .file($0) }), ("passwordFile", password),
    ]
    return all.compactMap { part in
      part.value.map {
        CredentialPart(
          name: part.name, value: .place($0), origin: source?.place(of: part.name) ?? origin)
      }
    }
  }

  /// Reads the certificate and its key, and asks for the password where one is wanted and somebody
  /// sits at a terminal.
  func open(
    _ options: CredentialOptions, _ context: Context
  ) throws(Failure) -> CertificateChoice {
    let file = try CredentialSecret(place, for: "certificate", context)
    let openedKey = try keyFile.map { (path) throws(Failure) in
      try CredentialSecret(.file(path), for: "certificate key", context)
    }
    let password = try CredentialPassword(
      .certificate, option: options.certificatePasswordFile, else: password,
      isVariableMeant: origin == EnvironmentVariable.certificate.rawValue, context)
    let opening = CertificateOpening(file: file, keyFile: openedKey, context: context)
    let certificate = try opening.open(password)
    return CertificateChoice(
      certificate: certificate, identity: try opening.identity(certificate), name: file.name,
      origin: origin, profile: source?.profile?.name, keyFile: keyFile,
      passwordFile: password?.file,
      warnings: try opening.warnings(certificate, password))
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
