package import APNS
package import Credentials
internal import PlainText
package import Reporting
package import Settings

/// The credentials that apply, as far as they are needed before a message is made: a certificate is
/// open because it names the app; a key is not read yet.
package struct NamedCredentials: Sendable {
  /// The place of the key or certificate; empty for a generated key.
  package let settings: Settings
  /// The certificate; nil for a key.
  package let certificate: OpenedCredentials?

  /// - Throws: `Failure` when the certificate cannot be opened.
  package init(_ settings: Settings, _ context: Context) throws(Failure) {
    self.settings = settings
    certificate = try CertificateFiles(settings, context)?.open()
  }

  /// Finds the credentials in merged settings. The emulator needs no account: if a file names
  /// credentials that are not on this machine, a key is generated for it.
  package static func find(
    _ settings: Settings, for environment: PushEnvironment, _ context: Context
  ) throws(Failure) -> NamedCredentials {
    var found = settings
    let reason: String
    do throws(Failure) {
      try found.findCredentials(context)
      guard environment.isEmulator, let missing = found.missingCredentials(in: context) else {
        return try NamedCredentials(found, context)
      }
      reason = "\(missing) is missing"
    } catch {
      guard environment.isEmulator,
        case .noCredentials(let profile)? = error.cause(ProfileError.self)
      else { throw error }
      reason = "profile \(profile.printable) has none here"
    }
    context.teller.note("credentials: made up for the emulator: \(reason)")
    found = settings
    found.forget(.credentials)
    return try NamedCredentials(found, context)
  }

  /// The authentication that the rules assume; nil for a generated key, because the emulator then
  /// accepts all push types.
  package func authentication(at environment: PushEnvironment) -> Authentication? {
    if certificate != nil { return .certificate }
    return settings.key == nil && environment.isEmulator ? nil : .token
  }

  /// Reads any credentials that have not been read yet, and signs a provider token.
  ///
  /// - Throws: `Failure.noKey` when none are given but the server requires them.
  package func open(
    for environment: PushEnvironment, _ context: Context
  ) throws(Failure) -> OpenedCredentials {
    let opened = try read(for: environment, context)
    try opened.sign()
    return opened
  }

  /// Reads any credentials that have not been read yet, and signs nothing.
  func read(
    for environment: PushEnvironment, _ context: Context
  ) throws(Failure) -> OpenedCredentials {
    if let certificate { return certificate }
    if let key = KeySettings(settings) { return try key.open(context) }
    if !environment.isEmulator { throw .noKey }
    return try .throwAway(context)
  }
}

// Credentials for a run in the queue.
extension NamedCredentials {
  /// Identifies the credentials, with warnings. The IDs are enough for a key that only workers
  /// have.
  ///
  /// - Throws: `Failure.noKeyForQueue` when nothing identifies them.
  func forQueue(
    at environment: PushEnvironment, _ context: Context
  ) throws(Failure) -> (CredentialID, warnings: [CredentialWarning]) {
    if let certificate { return (certificate.forQueue, certificate.warnings) }
    if let key = try KeySettings(settings)?.identifiers(context) {
      return (.key(key.team, key.key), key.warnings)
    }
    if let ids = try settings.identifiers(context) { return (.key(ids.team, ids.key), []) }
    if !environment.isEmulator { throw .noKeyForQueue }
    return (try OpenedCredentials.throwAway(context).forQueue, [])
  }
}

extension Settings {
  /// The IDs of a key that is not named; nil without any.
  fileprivate func identifiers(
    _ context: Context
  ) throws(Failure) -> (key: KeyID, team: TeamID)? {
    let (key, team) = (keyID ?? context.setting(.keyID), teamID ?? context.setting(.teamID))
    if key == nil, team == nil { return nil }
    guard let key else {
      throw .missingIdentifier(name: "key ID", option: "--key-id", elsewhere: nil)
    }
    guard let team else {
      throw .missingIdentifier(name: "team ID", option: "--team-id", elsewhere: nil)
    }
    if key.value == team.value { throw .sameIdentifier(key.value) }
    return (
      try attempt(try KeyID(key.value)) {
        .badIdentifier(.key, setting: key.origin.text, $0)
      },
      try attempt(try TeamID(team.value)) {
        .badIdentifier(.team, setting: team.origin.text, $0)
      }
    )
  }

  /// The settings to store with a run: the path of a secret, or else the profile that names it. IDs
  /// from options are stored for a key that must be found again.
  ///
  /// - Parameter addFiles: adds the key's or certificate's own settings.
  func stored(
    _ file: String, _ password: CredentialPassword?, addFiles: (inout Settings) -> Void
  ) -> Settings {
    var stored = Settings()
    if fileExists(file) {
      stored.password = password?.file.map { Setting(.file($0), .storedRun) }
      addFiles(&stored)
    } else {
      stored.credentialsProfile = credentialsOwner.map { Setting($0.value, .storedRun) }
      stored.keyID = keyID.flatMap { $0.origin.isOptionOrStored ? $0 : nil }
      stored.teamID = teamID.flatMap { $0.origin.isOptionOrStored ? $0 : nil }
    }
    return stored
  }

  /// The problems with the credentials of one layer. No secret is read.
  package func credentialFaults(_ context: Context) -> [Failure] {
    var settings = self
    do throws(Failure) {
      try settings.findCredentials(context)
      return KeySettings(settings)?.faults ?? []
    } catch {
      return [error]
    }
  }

  /// The missing source of a key or certificate that a file names; nil when it exists, or an option
  /// or one of fanfare's own variables names it.
  fileprivate func missingCredentials(in context: Context) -> String? {
    guard let named = key ?? certificate, named.origin.file != nil else { return nil }
    let isThere =
      switch named.value {
      case .file(let path): fileExists(path)
      case .variable(let name): !(context.environment[name] ?? "").isEmpty
      case .command(let words): SecretCommand.path(of: words, context.environment) != nil
      }
    return isThere ? nil : named.value.name.printable
  }
}

/// The credentials that a queued run needs. The queue only identifies them; workers have the key or
/// the certificate.
package enum CredentialID: Hashable {
  case key(TeamID, KeyID)
  /// The common name of a client certificate.
  case certificate(String)

  /// Reads the form in the queue; nil for anything else.
  package init?(text: String) {
    let words = text.split(separator: " ", maxSplits: 1).map(String.init)
    guard words.count == 2 else { return nil }
    switch words[0] {
    case "key":
      let ids = words[1].split(separator: "/", omittingEmptySubsequences: false).map(String.init)
      guard ids.count == 2, let team = try? TeamID(ids[0]), let key = try? KeyID(ids[1]) else {
        return nil
      }
      self = .key(team, key)
    case "certificate": self = .certificate(words[1])
    default: return nil
    }
  }

  /// The form in the queue: `key TEAMID/KEYID` or `certificate NAME`.
  package var text: String {
    switch self {
    case .key(let team, let key): "key \(team.text)/\(key.text)"
    case .certificate(let name): "certificate \(name)"
    }
  }

  /// The text for people.
  package var words: String {
    switch self {
    case .key(let team, let key): "the key \(key.text) of team \(team.text)"
    case .certificate(let name): "the certificate '\(name.printable)'"
    }
  }
}

extension OpenedCredentials {
  /// The identification to store with an enqueued run.
  package var forQueue: CredentialID {
    switch kind {
    case .key(let keyID, let teamID, _): .key(teamID, keyID)
    case .certificate(let certificate, _): .certificate(certificate.facts.nameInQueue)
    }
  }
}

extension CertificateFacts {
  /// The common name, or the SHA-256 of a certificate without one.
  fileprivate var nameInQueue: String {
    commonName ?? hexadecimal(sha256)
  }
}
