internal import APNS
internal import Reporting
internal import Settings

/// The credentials of a worker: those in its settings, and those of all profiles it can read. The
/// queue says which of them a run needs, and cannot name any others.
final class WorkerCredentials {
  /// Credentials as far as a message needs them, and opened.
  struct Pair {
    let named: NamedCredentials
    let opened: OpenedCredentials
  }

  private let settings: Settings
  private let environment: PushEnvironment
  private let context: Context
  private let own: Pair?
  /// The results of lookups among the profiles, including failed ones.
  private var found: [CredentialID: Pair?] = [:]

  /// Opens the credentials in the settings; for an emulator they may be generated.
  ///
  /// - Parameter settings: all layers of the worker's own, merged.
  /// - Throws: `Failure` when they cannot be opened.
  init(
    _ settings: Settings, for environment: PushEnvironment, _ context: Context
  ) throws(Failure) {
    (self.settings, self.environment, self.context) = (settings, environment, context)
    let hasOwn = settings.nameCredentials || environment.isEmulator
    own = hasOwn ? try Pair(settings, for: environment, context) : nil
    context.teller.note(own?.opened.warnings.parts ?? [])
  }

  /// The credentials for a run; nil when this worker does not have them.
  func find(_ needed: String) -> Pair? {
    // An emulator accepts any credentials.
    if environment.isEmulator { return own }
    guard let needed = CredentialID(text: needed) else { return nil }
    if let own, own.opened.forQueue == needed { return own }
    if let known = found[needed] { return known }
    var pair: Pair?
    for settings in profiles where pair == nil { pair = self.pair(settings, for: needed) }
    found[needed] = .some(pair)
    return pair
  }

  /// The settings with the credentials of each profile that has some.
  private var profiles: [Settings] {
    guard !context.configuration.isDisregarded, let profiles = try? context.configuration.profiles()
    else { return [] }
    return profiles.all.filter(\.settings.nameCredentials).compactMap { profile in
      (try? profiles.credentialsOwner(of: profile)).flatMap(\.self).map { owner in
        var settings = settings
        settings.forget(.credentials)
        settings = settings.over(owner.credentials)
        settings.tokenCache = self.settings.tokenCache
        return settings
      }
    }
  }

  /// Opens credentials that may match. Those that cannot be opened are ignored.
  private func pair(_ settings: Settings, for needed: CredentialID) -> Pair? {
    guard needed.mayBe(settings), let pair = try? Pair(settings, for: environment, context),
      pair.opened.forQueue == needed
    else { return nil }
    context.teller.note(pair.opened.warnings.parts)
    return pair
  }
}

extension WorkerCredentials.Pair {
  fileprivate init(
    _ settings: Settings, for environment: PushEnvironment, _ context: Context
  ) throws(Failure) {
    named = try NamedCredentials.find(settings, for: environment, context)
    opened = try named.open(for: environment, context)
  }
}

extension CredentialID {
  /// True if the settings may have these credentials, judged without reading them: no password is
  /// requested and no program run for a key with another ID.
  fileprivate func mayBe(_ settings: Settings) -> Bool {
    switch self {
    case .certificate: return settings.certificate != nil
    case .key(let team, let key):
      guard let outline = KeySettings(settings)?.outline else { return false }
      return outline.teamID ?? team == team && outline.keyID ?? key == key
    }
  }
}
