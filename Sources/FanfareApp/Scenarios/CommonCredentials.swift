internal import APNS
internal import Credentials
internal import Projects
internal import Synchronization

/// Credentials that several runs share: a key is read once, and its provider token serves all who
/// name it.
final class CommonCredentials: Sendable {
  /// What names credentials: two scenarios with the same take them from the same place.
  struct Name: Hashable {
    private let places: [SecretPlace?]
    private let texts: [String?]
    /// Whether what is not on this machine is made up.
    private let isEmulator: Bool

    init(_ settings: Settings, isEmulator: Bool) {
      places = [settings.key?.value, settings.certificate?.value, settings.password?.value]
      texts = [
        settings.keyID, settings.teamID, settings.certificateKey, settings.keyPasswordFile,
        settings.certificatePasswordFile, settings.credentialsProfile, settings.credentialsOwner,
      ].map { $0?.value }
      self.isEmulator = isEmulator
    }
  }

  private struct SigningKey: Hashable {
    let keyID: KeyID
    let teamID: TeamID
    let publicKey: [UInt8]
  }

  private struct Choices {
    var found: [Name: NamedCredentials] = [:]
    var opened: [Name: OpenedCredentials] = [:]
    var byKey: [SigningKey: OpenedCredentials] = [:]
  }

  private let choices = Mutex(Choices())

  /// What was found before under the same name, else what `find` finds. A certificate is opened once.
  func found(
    _ name: Name, find: () throws(Failure) -> NamedCredentials
  ) throws(Failure) -> NamedCredentials {
    if let found = choices.withLock({ $0.found[name] }) { return found }
    let found = try find()
    choices.withLock { $0.found[name] = found }
    return found
  }

  /// What was opened before under the same name or holds the same key, else what `open` gives.
  func opened(
    _ name: Name, open: () throws(Failure) -> OpenedCredentials
  ) throws(Failure) -> OpenedCredentials {
    if let opened = choices.withLock({ $0.opened[name] }) { return opened }
    let opened = try open()
    let key = Self.signingKey(of: opened)
    return choices.withLock { choices in
      let credentials = key.flatMap { choices.byKey[$0] } ?? opened
      if let key { choices.byKey[key] = credentials }
      choices.opened[name] = credentials
      return credentials
    }
  }

  /// What identifies a key, whatever its file's name; nil for a certificate.
  private static func signingKey(of credentials: OpenedCredentials) -> SigningKey? {
    guard case .key(let keyID, let teamID, let tokens) = credentials.kind,
      let publicKey = try? tokens.publicKeyDER()
    else { return nil }
    return SigningKey(keyID: keyID, teamID: teamID, publicKey: publicKey)
  }
}
