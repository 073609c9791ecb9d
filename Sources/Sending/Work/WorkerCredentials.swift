internal import APNS
internal import Opening
internal import Reporting
internal import Settings

/// The credentials that a worker has: those that its settings name, and those of all profiles in the
/// files that it reads. The queue says which of them a run needs, and can name no others.
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
  /// What was looked for among the profiles, found or not.
  private var found: [RunCredentials: Pair?] = [:]

  /// Opens those that the settings name; an emulator has some made up.
  ///
  /// - Parameter settings: all layers of the worker's own, merged.
  /// - Throws: `Failure` when they cannot be opened.
  init(
    _ settings: Settings, for environment: PushEnvironment, _ context: Context
  ) throws(Failure) {
    (self.settings, self.environment, self.context) = (settings, environment, context)
    let hasOwn = settings.nameCredentials || environment.isEmulator
    own = hasOwn ? try Pair(settings, for: environment, context) : nil
    if !settings.quiet.isOn, let own { CredentialWarning.tell(own.opened.warnings, context) }
  }

  /// Those that a run needs; nil when this worker does not have them.
  func find(_ needed: String) -> Pair? {
    // An emulator takes any.
    if environment.isEmulator { return own }
    guard let needed = RunCredentials(text: needed) else { return nil }
    if let own, own.opened.forQueue == needed { return own }
    if let known = found[needed] { return known }
    let pair = profiles.lazy.compactMap { self.pair($0, for: needed) }.first
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

  /// Opens what may be meant. What cannot be opened is as good as not there.
  private func pair(_ settings: Settings, for needed: RunCredentials) -> Pair? {
    guard needed.mayBe(settings), let pair = try? Pair(settings, for: environment, context),
      pair.opened.forQueue == needed
    else { return nil }
    if !settings.quiet.isOn { CredentialWarning.tell(pair.opened.warnings, context) }
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

extension RunCredentials {
  /// Whether the credentials of settings may be these, as far as that is known without reading them: no
  /// password is asked for, and no program is run, for a key that another is called.
  fileprivate func mayBe(_ settings: Settings) -> Bool {
    switch self {
    case .certificate: return settings.certificate != nil
    case .key(let team, let key):
      guard let outline = KeySettings(settings)?.outline else { return false }
      return outline.teamID ?? team == team && outline.keyID ?? key == key
    }
  }
}
