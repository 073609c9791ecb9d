internal import APNS
internal import Credentials
internal import Reporting
internal import Settings
internal import Synchronization

/// Where the credentials of a run come from.
package enum CredentialSource: Sendable {
  /// The run's own settings.
  case own
  /// Those of its settings, which runs of one command share.
  case shared(CommonCredentials)
  /// Opened already, by a worker.
  case given(NamedCredentials, OpenedCredentials)

  /// The credentials, as far as a message needs them.
  func named(
    _ settings: Settings, for environment: PushEnvironment, _ context: Context
  ) throws(Failure) -> NamedCredentials {
    switch self {
    case .own: return try .find(settings, for: environment, context)
    case .shared(let common):
      let name = CommonCredentials.Name(settings, isEmulator: environment.isEmulator)
      return try common.found(name) { () throws(Failure) in
        try .find(settings, for: environment, context)
      }
    case .given(let named, _): return named
    }
  }

  /// The credentials, opened.
  ///
  /// - Parameter open: opens them, unless that is done.
  func opened(
    _ named: NamedCredentials, for environment: PushEnvironment,
    open: () throws(Failure) -> OpenedCredentials
  ) throws(Failure) -> OpenedCredentials {
    switch self {
    case .own: return try open()
    case .shared(let common):
      let name = CommonCredentials.Name(named.settings, isEmulator: environment.isEmulator)
      return try common.opened(name, open: open)
    case .given(_, let opened): return opened
    }
  }
}

/// Credentials that several runs share: each key is read only once, and runs that name the same key
/// share its provider token.
package final class CommonCredentials: Sendable {
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

  package init() {}

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
