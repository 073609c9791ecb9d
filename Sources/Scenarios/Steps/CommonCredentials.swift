internal import APNS
internal import Credentials
internal import Reporting
internal import Runs
internal import Settings
internal import Synchronization

/// Credentials that several runs share: each key is read only once, and runs that name the same key
/// share its provider token.
final class CommonCredentials: Sendable {
  /// The settings that identify credentials: scenarios with the same name share them.
  struct Name: Hashable {
    private let places: [SecretLocation?]
    private let texts: [String?]
    /// Credentials that are not on this machine are made up.
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

  private let found = Mutex<[Name: NamedCredentials]>([:])
  private let opened = Mutex<[Name: OpenedCredentials]>([:])

  /// Credentials found earlier under this name, or else by `find`. A certificate is opened once.
  func found(
    _ name: Name, find: () throws(Failure) -> NamedCredentials
  ) throws(Failure) -> NamedCredentials {
    if let known = found.withLock({ $0[name] }) { return known }
    let new = try find()
    found.withLock { $0[name] = new }
    return new
  }

  /// Credentials opened earlier under this name or with the same key, or else by `open`.
  func opened(
    _ name: Name, open: () throws(Failure) -> OpenedCredentials
  ) throws(Failure) -> OpenedCredentials {
    if let known = opened.withLock({ $0[name] }) { return known }
    let new = try open()
    return opened.withLock { opened in
      let credentials = opened.values.first { $0.isSameKey(as: new) } ?? new
      opened[name] = credentials
      return credentials
    }
  }
}

extension OpenedCredentials {
  /// Compares the signing keys, regardless of their file names.
  fileprivate func isSameKey(as other: OpenedCredentials) -> Bool {
    guard case .key(let keyID, let teamID, let tokens) = kind,
      case .key(keyID, teamID, let others) = other.kind,
      let publicKey = try? tokens.publicKeyDER()
    else { return false }
    return publicKey == (try? others.publicKeyDER())
  }
}
