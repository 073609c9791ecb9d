internal import APNS
internal import HTTP2
internal import PushModel
package import Reporting
internal import SQLHistory

// The layers, from the highest down: options, scenario or stored run, devices, variables, profile,
// defaults. Where to send is a device's to say only as far as `DevicePlaces.swift` lets it.
extension Settings {
  /// Merges these options with a scenario or stored run, variables, the profile and the defaults.
  /// Credentials from another profile are not looked up: see ``findCredentials(_:)``.
  ///
  /// - Parameters:
  ///   - lower: the settings of the scenario or the stored run.
  ///   - devices: the named devices that the scenario sends to.
  ///   - parts: the parts needed. Variables of other parts are not read, so a faulty one is no
  ///     error.
  /// - Throws: `Failure` when a setting that applies cannot be used.
  package func merged(
    over lower: Settings = Settings(), for devices: [Device] = [],
    reading parts: Set<SettingField.Part> = Self.parts, _ context: Context
  ) throws(Failure) -> Settings {
    let said = parts.contains(.to) ? try findingDevices(context) : self
    try said.refuseContradictions(parts)
    var merged = said.over(lower)
    try merged.readServer()
    var addressed: [Device] = []
    if parts.contains(.to) {
      merged = try merged.findingDevices(context)
      addressed = devices + (merged.to?.value.compactMap(\.device) ?? [])
      try merged.takeApp(of: addressed)
    }
    let isPlaced = merged.environment != nil
    let namesProfile = merged.namedProfile(context) != nil
    merged = merged.over(try Settings(variables: context, of: parts, below: merged))
    if !merged.isWhole(parts) { merged = try merged.overProfile(context, reading: parts) }
    if !isPlaced { try merged.takePlace(of: addressed, namesProfile, context) }
    merged = merged.over(.builtIn)
    if let serverCA = merged.serverCA, !(merged.ca?.origin.isOptionOrStored ?? false) {
      merged.ca = serverCA
    }
    merged.serverCA = nil
    merged.dryRun = merged.dryRun ?? merged.curl
    merged.history = merged.history ?? context.defaultHistory.map { Setting($0, .builtIn) }
    return merged
  }

  /// True if a profile could add nothing to the parts needed, so that it need not even be readable.
  private func isWhole(_ parts: Set<SettingField.Part>) -> Bool {
    parts.count == 1
      && (parts.contains(.telling)
        ? history != nil : parts.contains(.credentials) && nameCredentials)
  }

  /// Merges these settings with the profile that applies, if any. Another user's needs consent
  /// before it names a server or credentials.
  private func overProfile(
    _ context: Context, reading parts: Set<SettingField.Part>
  ) throws(Failure) -> Settings {
    if !parts.isDisjoint(with: [.place, .credentials]) {
      try ProjectTrust(forProfilesBelow: self, context).require()
    }
    var merged = self
    merged.profile = try effectiveProfile(context)
    guard let named = merged.profile else { return merged }
    do throws(Failure) {
      return merged.over(try context.configuration.profile(named, Profiles.profile).settings)
    } catch {
      guard named.origin.isStored, nameCredentials, error.cause(ProfileError.self) != nil else {
        throw error
      }
      // The stored run already contains the profile's settings.
      return merged
    }
  }

  /// The profile's name: as given, or from the variable, or the `default` of a file.
  private func namedProfile(_ context: Context) -> Setting<String>? {
    profile ?? context.setting(.profile)
  }

  private func effectiveProfile(_ context: Context) throws(Failure) -> Setting<String>? {
    if context.configuration.isDisregarded { return nil }
    if let named = namedProfile(context) { return named }
    return try context.configuration.profiles().defaultName
  }

  /// Rejects options that exclude each other, or need another one.
  private func refuseContradictions(_ parts: Set<SettingField.Part>) throws(Failure) {
    if environment?.origin.isOption ?? false, server != nil { throw .conflict("--env", "--server") }
    if curl.isOn, json.isOn { throw .conflict("--curl", "--json") }
    if let dry = dryRun ?? curl, plan.isOn { throw .conflict("--plan", dry.origin.text) }
    if resultsFormat != nil, results == nil {
      throw .usage("'--results-format' is the format of a file: give --results FILE.")
    }
    if strict.isOn, force.isOn { throw .conflict("--force", "--strict") }
    if bundleID?.origin.text == "--bundle-id", self[.topic]?.origin?.setting == "--topic" {
      throw .conflict("--bundle-id", "--topic")
    }
    if let columns, columns.origin.isOption, to != nil, tokens == nil {
      throw .usage("'--columns' names columns of a list: give --tokens FILE in place of --to.")
    }
    try refuseBesideChannel()
    try refuseTwoTexts()
    if parts.contains(.credentials) { try refuseBothKinds() }
  }

  /// Rejects options about recipients beside a channel, which has none to choose from.
  private func refuseBesideChannel() throws(Failure) {
    guard let channel = channel?.origin.option else { return }
    let others = [
      to?.origin, tokens?.origin, tokensFormat?.origin, suppress?.origin, duplicates?.origin,
      limit?.origin, shard?.origin, columns?.origin, self[.topic]?.origin,
    ]
    if let other = others.option { throw .conflict(channel, other) }
  }

  /// Rejects options that set the same part of a payload.
  private func refuseTwoTexts() throws(Failure) {
    if let example = example?.origin.option,
      let other = payload?.origin.option ?? payloadText?.origin.option
    {
      throw .conflict(other, example)
    }
    if let (text, key) = contradictingChanges { throw .conflict(text, key) }
  }

  /// Rejects options for a key beside a certificate, and the other way round.
  private func refuseBothKinds() throws(Failure) {
    let ofKey = [key?.origin, keyID?.origin, teamID?.origin, keyPasswordFile?.origin].option
    let ofCertificate = [
      certificate?.origin, certificateKey?.origin, certificatePasswordFile?.origin,
    ].option
    if let ofKey, let ofCertificate { throw .conflict(ofKey, ofCertificate) }
    if certificate == nil, certificateKey?.origin.isOption ?? false {
      throw .missingCredentials("certificate", option: "--cert", neededBy: "--cert-key")
    }
  }

  /// Uses the URL of a server as the environment.
  private mutating func readServer() throws(Failure) {
    guard let url = server else { return }
    server = nil
    let address = try attempt(try ServerAddress(url: url.value)) { (error: ServerAddressError) in
      .badSetting(
        name: url.origin.text, text: URLLogin.cut(from: url.value), expected: error.expectation)
    }
    environment = Setting(.named(.server(address)), url.origin)
  }
}

// Variables.
extension Settings {
  /// - Parameter upper: the layers above; variables that they override are not read.
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
      try readEnvironment(context)
    }
    if parts.contains(.credentials), !upper.nameCredentials { try readCredentials(context) }
  }

  private mutating func readEnvironment(_ context: Context) throws(Failure) {
    guard let name = context.setting(.environment) else { return }
    if let server = environment?.origin.text { throw .twoPlaces(server, name.origin.text) }
    environment = Setting(try EnvironmentSetting(name.value, from: name.origin.text), name.origin)
  }

  private mutating func readCredentials(_ context: Context) throws(Failure) {
    func place(_ variable: EnvironmentVariable) -> Setting<SecretLocation>? {
      context.setting(variable).map { Setting(.variable(variable.rawValue), $0.origin) }
    }
    (key, certificate) = (place(.key), place(.certificate))
    if let key, let certificate { throw .conflict(key.origin.text, certificate.origin.text) }
    if key != nil { (keyID, teamID) = (context.setting(.keyID), context.setting(.teamID)) }
  }
}

// Credentials, which must be found before anything is opened.
extension Settings {
  /// Looks up credentials in a profile, and decides which IDs and password go with them.
  ///
  /// - Throws: `Failure` when there are none, or an ID or a password has no key or certificate.
  package mutating func findCredentials(_ context: Context) throws(Failure) {
    if let named = credentialsProfile {
      credentialsProfile = nil
      if !context.configuration.isDisregarded {
        credentialsOwner = nil
        self = over(try context.configuration.profile(named, Profiles.credentialsOwner).credentials)
      }
    }
    // When a run is enqueued, the IDs alone are enough for workers to find the key.
    if key == nil, !enqueue.isOn, let id = [keyID?.origin, teamID?.origin].option {
      throw .missingCredentials("key", option: "--key", neededBy: id)
    }
    try settlePassword()
  }

  /// Applies a password option to the key or certificate of any layer; without one it is an error.
  private mutating func settlePassword() throws(Failure) {
    let files = [
      (keyPasswordFile, "key", "--key", isThere: key != nil),
      (certificatePasswordFile, "certificate", "--cert", isThere: certificate != nil),
    ]
    for (file, name, option, isThere) in files {
      guard let file else { continue }
      if !isThere {
        throw .missingCredentials(name, option: option, neededBy: "\(option)-password-file")
      }
      password = Setting(.file(file.value), file.origin)
    }
    (keyPasswordFile, certificatePasswordFile) = (nil, nil)
  }
}

extension Configuration {
  /// Finds a profile by a given name, with a lookup method of `Profiles`.
  fileprivate func profile(
    _ named: Setting<String>, _ find: (Profiles) -> (String) throws(ProfileError) -> Profile
  ) throws(Failure) -> Profile {
    let profiles = try profiles()
    return try attempt(try find(profiles)(named.value)) {
      .profile($0, origin: named.origin.text, files: profiles.files.map(\.path))
    }
  }
}

// The history.
extension Settings {
  /// The path or the URL of the history; nil with `--no-history`.
  ///
  /// - Throws: `Failure.usage` when options contradict each other, or one is empty; `badHistory`;
  ///   `noDefaultHistory` without a home folder.
  package func historyPath() throws(Failure) -> String? {
    if keepsHistory.isOff {
      if history?.origin.isOption ?? false { throw .conflict("--history", "--no-history") }
      if keepPayloads.isOn { throw .conflict("--keep-payloads", "--no-history") }
      return nil
    }
    guard let history else { throw .noDefaultHistory }
    if history.origin.isOption, history.value.isEmpty {
      throw .usage("'--history' needs a file path or a URL, not ''.")
    }
    if let fault = HistoryLocation(history.value).fault {
      throw .badHistory(fault, from: history.origin.text)
    }
    return history.value
  }
}

extension Origin {
  /// The option's name; nil for any other origin.
  fileprivate var option: String? { isOption ? text : nil }
}

extension [Origin?] {
  /// The first name of an option.
  fileprivate var option: String? { lazy.compactMap { $0?.option }.first }
}

extension Failure {
  /// Two variables say where to send.
  fileprivate static func twoPlaces(_ server: String, _ environment: String) -> Failure {
    Failure(
      "\(server) and \(environment) are both set.",
      fix: "Unset one of them; --env or --server takes precedence over both.")
  }

  /// No history was given, and there is no home folder for the default one.
  fileprivate static var noDefaultHistory: Failure {
    let fix = "Name the history with --history."
    return Failure(
      "There is no place for the history: neither XDG_STATE_HOME nor HOME names a folder, and your "
        + "account has no home folder.",
      fix: fix, fixWhenSending: fix + " --no-history sends without one.")
  }

  /// A key or certificate is missing, which the option `other` needs.
  package static func missingCredentials(
    _ name: String, option: String, neededBy other: String
  ) -> Failure {
    Failure(
      "The \(name) is missing.", fix: "\(other) needs a \(name): give \(option) too.",
      rule: "credentials")
  }
}
