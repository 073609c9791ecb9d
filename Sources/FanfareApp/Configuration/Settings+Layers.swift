internal import APNS
internal import JSONText
internal import Projects

// The layers, from the highest down: options, scenario or stored run, variables, profile, defaults.
extension Settings {
  /// These options, and what they leave out as a scenario or stored run, variables, the profile and
  /// this program's defaults say it. Credentials that another profile holds are not looked up: see
  /// ``findCredentials(_:)``.
  ///
  /// - Parameters:
  ///   - lower: what the scenario says, or the run that is taken up.
  ///   - parts: what is asked for. Of other parts no variable is read: one with something wrong is no
  ///     error where it does not count.
  /// - Throws: `Failure` when what counts of a layer cannot be used.
  func merged(
    over lower: Settings = Settings(), reading parts: Set<SettingField.Part> = Self.parts,
    _ context: Context
  ) throws(Failure) -> Settings {
    try refuseContradictions(parts)
    var merged = over(lower)
    try merged.readServer()
    merged = merged.over(try Settings(variables: context, of: parts, below: merged))
    if !merged.isWhole(parts) { merged = try merged.overProfile(context) }
    merged = merged.over(.builtIn)
    if let serverCA = merged.serverCA, !(merged.ca?.origin.isOptionOrStored ?? false) {
      merged.ca = serverCA
    }
    merged.serverCA = nil
    merged.history = merged.history ?? context.defaultHistory.map { Setting($0, .builtIn) }
    return merged
  }

  /// Whether a profile could add nothing to what is asked for: then it need not even be readable.
  private func isWhole(_ parts: Set<SettingField.Part>) -> Bool {
    parts == [.telling] && history != nil || parts == [.credentials] && nameCredentials
  }

  /// These settings over those of the profile that applies, if any.
  private func overProfile(_ context: Context) throws(Failure) -> Settings {
    var merged = self
    merged.profile = try effectiveProfile(context)
    guard let named = merged.profile else { return merged }
    do throws(Failure) {
      return merged.over(try context.configuration.profile(named, Profiles.profile).settings)
    } catch {
      guard named.origin == .storedRun, nameCredentials, error.cause is ProfileError else {
        throw error
      }
      // What it said of the run is among the run's own settings.
      return merged
    }
  }

  /// The profile's name: the one given, else the variable's, else the `default` of a file.
  private func effectiveProfile(_ context: Context) throws(Failure) -> Setting<String>? {
    if context.configuration.isDisregarded { return nil }
    if let named = profile ?? context.setting(.profile) { return named }
    return try context.configuration.profiles().defaultName
  }

  /// Options that exclude each other, or go with another one.
  private func refuseContradictions(_ parts: Set<SettingField.Part>) throws(Failure) {
    if environment?.origin.isOption ?? false, server != nil {
      throw .conflict("--env", "--server")
    }
    let names: [(name: String, origin: Origin?)] = [
      ("--bundle-id", bundleID?.origin), ("--topic", self[.topic]?.origin),
    ]
    if names.allSatisfy({ $0.origin == .setting($0.name) }) {
      throw .conflict("--bundle-id", "--topic")
    }
    if parts.contains(.credentials) { try refuseBothKinds() }
  }

  /// What belongs to a key goes with no certificate, and the other way round.
  private func refuseBothKinds() throws(Failure) {
    let ofKey: [(String, Origin?)] = [
      ("--key", key?.origin), ("--key-id", keyID?.origin), ("--team-id", teamID?.origin),
      ("--key-password-file", keyPasswordFile?.origin),
    ]
    let ofCertificate: [(String, Origin?)] = [
      ("--cert", certificate?.origin), ("--cert-key", certificateKey?.origin),
      ("--cert-password-file", certificatePasswordFile?.origin),
    ]
    let one = ofKey.first { $0.1?.isOption ?? false }
    let other = ofCertificate.first { $0.1?.isOption ?? false }
    if let one, let other { throw .conflict(one.0, other.0) }
    if key == nil, let stray = ofKey[1...2].first(where: { $0.1?.isOption ?? false }) {
      throw .missingIdentifier(name: "key", option: "--key", elsewhere: stray.0)
    }
    if certificate == nil, certificateKey?.origin.isOption ?? false {
      throw .missingIdentifier(name: "certificate", option: "--cert", elsewhere: "--cert-key")
    }
  }

  /// Makes the URL of a server the environment.
  private mutating func readServer() throws(Failure) {
    guard let url = server else { return }
    server = nil
    do throws(ServerAddressError) {
      environment = Setting(.named(.server(try ServerAddress(url: url.value))), url.origin)
    } catch {
      throw .badSetting(
        name: url.origin.text, text: withoutLogin(url.value), expected: error.expectation)
    }
  }
}

// What variables say.
extension Settings {
  /// - Parameter upper: what is said above, so that what does not count is not read.
  private init(
    variables context: Context, of parts: Set<SettingField.Part>, below upper: Settings
  ) throws(Failure) {
    self.init()
    bundleID = context.setting(.bundleID)
    ca = context.setting(.roots)
    history = context.setting(.history)
    proxy = context.proxyVariable
    if parts.contains(.place), upper.environment == nil {
      server = context.setting(.server)
      try readServer()
      if environment == nil { environment = try Self.environment(in: context) }
    }
    if parts.contains(.credentials), !upper.nameCredentials { try readCredentials(context) }
  }

  private static func environment(
    in context: Context
  ) throws(Failure) -> Setting<EnvironmentSetting>? {
    guard let name = context.setting(.environment) else { return nil }
    guard let environment = EnvironmentSetting(name: name.value) else {
      throw .badSetting(
        name: name.origin.text, text: name.value,
        expected: EnvironmentSetting.names.joined(separator: ", "))
    }
    return Setting(environment, name.origin)
  }

  private mutating func readCredentials(_ context: Context) throws(Failure) {
    func place(_ variable: EnvironmentVariable) -> Setting<SecretPlace>? {
      context.setting(variable).map { Setting(.variable(variable.rawValue), $0.origin) }
    }
    (key, certificate) = (place(.key), place(.certificate))
    if let key, let certificate { throw .conflict(key.origin.text, certificate.origin.text) }
    if key != nil { (keyID, teamID) = (context.setting(.keyID), context.setting(.teamID)) }
  }
}

// Credentials, which have to be found before anything is opened.
extension Settings {
  /// Looks up credentials that a profile holds, and settles which password goes with them.
  ///
  /// - Throws: `Failure` when there are none, or a password is given for what is not there.
  mutating func findCredentials(_ context: Context) throws(Failure) {
    if let named = credentialsProfile {
      credentialsProfile = nil
      if !context.configuration.isDisregarded {
        take(try context.configuration.profile(named, Profiles.credentialsOwner).credentials)
      }
    }
    try settlePassword()
  }

  /// Takes credentials over from a profile that is named in place of them.
  mutating func take(_ credentials: Settings) {
    credentialsOwner = nil
    self = over(credentials)
  }

  /// The password of an option is for the key or certificate of any layer, but not for none.
  private mutating func settlePassword() throws(Failure) {
    let files = [
      (keyPasswordFile, "key", isThere: key != nil),
      (certificatePasswordFile, "certificate", isThere: certificate != nil),
    ]
    for (file, name, isThere) in files {
      guard let file else { continue }
      let option = name == "key" ? "--key" : "--cert"
      if !isThere {
        throw .missingIdentifier(
          name: name, option: option, elsewhere: "\(option)-password-file")
      }
      password = Setting(.file(file.value), file.origin)
    }
    (keyPasswordFile, certificatePasswordFile) = (nil, nil)
  }
}

extension Configuration {
  /// The profile that one named so leads to, as a method of `Profiles` tells it.
  fileprivate func profile(
    _ named: Setting<String>, _ find: (Profiles) -> (String) throws(ProfileError) -> Profile
  ) throws(Failure) -> Profile {
    let profiles = try profiles()
    do throws(ProfileError) {
      return try find(profiles)(named.value)
    } catch {
      throw .profile(error, origin: named.origin.text, files: profiles.files.map(\.path))
    }
  }
}

// Where a run is written down.
extension Settings {
  /// The history's file; nil with `--no-history`, and where there is no home.
  ///
  /// - Throws: `Failure.usage` when options contradict each other, or one names nothing.
  func historyPath() throws(Failure) -> String? {
    if keepsHistory.isOff {
      if history?.origin.isOption ?? false {
        throw .conflict("--history", "--no-history")
      }
      if keepPayloads.isOn { throw .conflict("--keep-payloads", "--no-history") }
      return nil
    }
    if let history, history.origin.isOption, history.value.isEmpty {
      throw .usage("'--history' needs a file path, not ''.")
    }
    return history?.value
  }
}

extension ServerAddressError {
  /// What should stand there instead.
  fileprivate var expectation: String {
    switch self {
    case .noScheme, .badHost: "https://HOST or https://HOST:PORT"
    case .notHTTPS: "a URL that begins with https://: APNs is never reached without TLS"
    case .notOnlyHost: "https://HOST:PORT without a path, a query or a user name"
    case .badPort: "a port from 1 to 65535 behind the host"
    }
  }
}
