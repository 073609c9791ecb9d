package import APNS
package import Credentials
package import HTTP2
internal import PlainText
internal import Recipients
package import Reporting
package import Settings

/// Opened credentials: a key or a certificate, never both.
package struct OpenedCredentials: Sendable {
  package enum Kind: Sendable {
    /// A key that is known to sign, with the source of its provider tokens.
    case key(KeyID, TeamID, ProviderTokenSource)
    /// A client certificate, with the identity for the TLS handshake.
    case certificate(ClientCertificate, ClientIdentity)
  }

  package let kind: Kind
  /// The source of the key or certificate: a path or a variable.
  package let name: String
  /// The option, variable or place in a file that names it; nil for a generated key.
  package var origin: String?
  /// The settings that the history stores to find them again.
  package var stored = Settings()
  package var warnings: [CredentialWarning] = []

  /// - Throws: `Failure.certificateSignsNothing` when a certificate is named, `Failure.noKey` when
  ///   nothing is.
  package static func key(_ settings: Settings, _ context: Context) throws(Failure)
    -> OpenedCredentials
  {
    if let certificate = settings.certificate {
      throw .certificateSignsNothing(origin: certificate.origin.text)
    }
    guard let key = KeySettings(settings) else { throw .noKey }
    let credentials = try key.open(context)
    try credentials.sign()
    return credentials
  }

  /// Generates a key for the emulator. Its tokens are never cached.
  package static func throwAway(_ context: Context) throws(Failure) -> OpenedCredentials {
    do {
      let (keyID, teamID) = (try KeyID("THROWAWAY0"), try TeamID("EMULATOR00"))
      let tokens = ProviderTokenSource(
        key: try SigningKey.generate(), keyID: keyID, teamID: teamID
      ) { [clock = context.clock] in clock.epochSeconds }
      return OpenedCredentials(kind: .key(keyID, teamID, tokens), name: "made up for this run")
    } catch {
      throw .key(name: "throw-away key", error as? SigningKeyError ?? .openSSL("\(error)"))
    }
  }
}

extension OpenedCredentials {
  package var push: PushCredentials {
    switch kind {
    case .key(_, _, let tokens): .tokens(tokens)
    case .certificate(_, let identity): .certificate(identity)
    }
  }

  /// The certificate; nil for a key.
  package var certificate: ClientCertificate? {
    if case .certificate(let certificate, _) = kind { certificate } else { nil }
  }

  /// Checks that a key can be read, without signing.
  package func check() throws(Failure) {
    guard case .key(_, _, let tokens) = kind else { return }
    _ = try attempt(try tokens.publicKeyDER()) { .key(name: name, $0) }
  }

  /// Signs a provider token, or finds one in the cache, so that a key that cannot sign is reported
  /// before anything is sent. A certificate signs nothing.
  package func sign() throws(Failure) {
    if case .key = kind { _ = try providerToken() }
  }

  /// - Throws: `Failure.key` when the key cannot sign, `Failure.certificateSignsNothing` for a
  ///   certificate.
  package func providerToken() throws(Failure) -> ProviderToken {
    guard case .key(_, _, let tokens) = kind else {
      throw .certificateSignsNothing(origin: origin ?? name)
    }
    return try attempt(try tokens.token()) { .key(name: name, $0) }
  }

  /// The age of the provider token in use, in seconds; nil when none was needed.
  package func tokenAge(_ context: Context) -> Int64? {
    guard case .key(_, _, let tokens) = kind, let issued = tokens.issuedAt else { return nil }
    return context.clock.epochSeconds - issued
  }
}

/// A warning about a key or certificate that can be used all the same.
package enum CredentialWarning: Equatable {
  /// Other users than the owner may read a file.
  case exposedFile(path: String, purpose: String, mode: UInt16)
  /// A password was given for something that is not locked.
  case idlePassword(setting: String, key: String)
  /// The file's name contains another key ID than the one used.
  case otherKeyID(KeyID, fileName: KeyID, setting: String)
  /// A `.p12` is encrypted with algorithms that are unsafe and not supported everywhere.
  case oldEncryption(String, algorithms: [String])
  /// A certificate expires soon, or is only used because of --force.
  case unfit(String, CertificateProblem)
  case keyLog(path: String)

}

extension [CredentialWarning] {
  /// The warnings with their fixes.
  package var parts: [Report.Part] { map { .warning($0.sentences.what, $0.sentences.fix) } }
}

extension CredentialWarning {
  var sentences: (what: String, fix: String) {
    switch self {
    case .exposedFile(let path, let purpose, let mode):
      (
        "The \(purpose) file \(path.printable) is readable by other users (mode \(octal(mode))).",
        "chmod 600 \(shellWord(path))"
      )
    case .idlePassword(let setting, let key):
      ("\(key.printable): it is not encrypted; the password is not used.", "Omit \(setting).")
    case .oldEncryption(let name, let algorithms):
      (
        "\(name.printable): it is encrypted with \(algorithms.joined(separator: " and ").printable), "
          + "which is no longer safe.",
        "Re-encrypt it: 'fanfare inspect' shows how."
      )
    case .unfit(let name, let problem): ("\(name.printable): \(problem.sentence)", problem.fix)
    case .keyLog(let path):
      (
        "The TLS keys of all connections are written to \(path.printable).",
        "They allow anyone to decrypt recorded traffic, provider tokens included: delete them after use."
      )
    case .otherKeyID(let keyID, let fileName, let setting):
      (
        "The key ID is \(keyID.text), but the file's name says \(fileName.text).",
        "Unless the file was renamed, omit \(setting.printable): the name holds the key ID."
      )
    }
  }
}

// Warnings as errors, for `--strict`.
extension Problem {
  /// The problem as an error.
  package var strict: Problem {
    if severity == .error { return self }
    return Problem(
      .error, rule: rule, at: place, from: origin, message: message + Strictness.clause, fix: fix,
      reason: reason, isForceable: isForceable)
  }
}

extension CredentialWarning {
  /// The warning as an error.
  fileprivate var strict: Failure {
    Failure(sentences.what + Strictness.clause, fix: sentences.fix)
  }
}

extension [RecipientSource] {
  /// The token that ``oddToken(for:)`` returns.
  ///
  /// - Throws: `Failure` for such a token with `--strict`.
  package func oddToken(
    for environment: PushEnvironment, _ settings: Settings
  ) throws(Failure) -> DeviceToken? {
    let token = oddToken(for: environment)
    if let (what, fix) = token?.oddity, settings.strict.isOn {
      throw Failure(what + Strictness.clause, fix: fix)
    }
    return token
  }
}

extension Failure {
  /// The failure with its warnings as errors.
  package var strict: Failure {
    switch content {
    case .problems(let problems): .problems(problems.map(\.strict))
    case .several(let failures): .several(failures.map(\.strict))
    case .message, .usage: self
    }
  }
}

/// The treatment of warnings as errors.
package enum Strictness {
  package static let clause = " --strict makes this warning an error."

  /// - Throws: `Failure` when there is any warning.
  package static func refuse(
    _ problems: [Problem], _ warnings: [CredentialWarning]
  ) throws(Failure) {
    let failures =
      (problems.isEmpty ? [] : [Failure.problems(problems.map(\.strict))]) + warnings.map(\.strict)
    if let first = failures.first { throw failures.count > 1 ? .several(failures) : first }
  }
}
