internal import CommandLineKit
internal import PushCore

/// Who is sending, after all layers were looked at. The credentials come whole from the highest
/// layer that names a key.
struct CredentialChoice {
  let keyID: KeyID
  let teamID: TeamID
  /// Where the key came from: a path or a variable.
  let name: String
  /// What holds the key and hands out provider tokens.
  let tokens: ProviderTokenSource

  private init(
    key: consuming SigningKey, name: String, keyID: KeyID, teamID: TeamID, _ clock: RunClock
  ) {
    self.name = name
    self.keyID = keyID
    self.teamID = teamID
    tokens = ProviderTokenSource(key: key, keyID: keyID, teamID: teamID) { clock.epochSeconds }
  }

  /// A key that was made up, for the emulator.
  static func throwAway(_ context: Context) throws(Failure) -> CredentialChoice {
    do {
      return CredentialChoice(
        key: try SigningKey.generate(), name: "made up for this run",
        keyID: try KeyID("THROWAWAY0"),
        teamID: try TeamID("EMULATOR00"), context.clock)
    } catch {
      throw .key(name: "throw-away key", error as? SigningKeyError ?? .openSSL("\(error)"))
    }
  }

  /// Options first, then the scenario, then variables.
  ///
  /// - Throws: `Failure.noKey` when none of them names a key.
  static func resolve(
    _ options: CredentialOptions, scenario: Scenario?, _ context: Context
  ) throws(Failure) -> CredentialChoice {
    guard let layer = try chosen(options, scenario, context) else { throw .noKey }
    return try layer.load(context)
  }

  /// Whether any layer names a key.
  static func isNamed(
    _ options: CredentialOptions, scenario: Scenario?, _ context: Context
  ) throws(Failure) -> Bool {
    try chosen(options, scenario, context) != nil
  }

  /// What is wrong with the ids of a scenario's credentials. The key itself is not looked for.
  static func faults(in scenario: Scenario) -> [Failure] {
    CredentialLayer(scenario)?.faults ?? []
  }

  private static func chosen(
    _ options: CredentialOptions, _ scenario: Scenario?, _ context: Context
  ) throws(Failure) -> CredentialLayer? {
    let layers = [
      try CredentialLayer(options), scenario.flatMap { CredentialLayer($0) },
      CredentialLayer(context),
    ].compactMap(\.self)
    guard var layer = layers.first else { return nil }
    layer.hasIDsElsewhere = context.value(.teamID) != nil
    return layer
  }

  fileprivate init(
    _ text: [UInt8], name: String, keyID: KeyID, teamID: TeamID, _ clock: RunClock
  ) throws(Failure) {
    do throws(SigningKeyError) {
      self.init(key: try SigningKey(pem: text), name: name, keyID: keyID, teamID: teamID, clock)
    } catch {
      throw .key(name: name, error)
    }
  }
}

/// One layer's word on who is sending, not looked at yet.
private struct CredentialLayer {
  enum Key {
    case file(String)
    case variable(String)
  }

  var key: Key
  var keyID: (text: String, setting: String)?
  var teamID: (text: String, setting: String)?
  var keyIDOption = "--key-id"
  var teamIDOption = "--team-id"
  /// Whether a variable holds a team id that this layer does not see.
  var hasIDsElsewhere = false

  init?(_ options: CredentialOptions) throws(Failure) {
    guard let key = options.key else {
      for (name, value) in [("--key-id", options.keyID), ("--team-id", options.teamID)]
      where value != nil {
        throw .missingIdentifier(name: "key", option: "--key", elsewhere: name)
      }
      return nil
    }
    self.key = .file(key)
    keyID = options.keyID.map { ($0, "--key-id") }
    teamID = options.teamID.map { ($0, "--team-id") }
  }

  init?(_ scenario: Scenario) {
    guard let credentials = scenario.credentials else { return nil }
    switch credentials.key {
    case .file(let path): key = .file(path)
    case .variable(let name): key = .variable(name)
    }
    keyID = credentials.keyID.map { ($0, "\(scenario.file): credentials.keyID") }
    teamID = credentials.teamID.map { ($0, "\(scenario.file): credentials.teamID") }
    keyIDOption = "credentials.keyID"
    teamIDOption = "credentials.teamID"
  }

  init?(_ context: Context) {
    guard context.value(.key) != nil else { return nil }
    key = .variable(EnvironmentVariable.key.rawValue)
    keyID = context.value(.keyID).map { ($0, EnvironmentVariable.keyID.rawValue) }
    teamID = context.value(.teamID).map { ($0, EnvironmentVariable.teamID.rawValue) }
    keyIDOption = EnvironmentVariable.keyID.rawValue
    teamIDOption = EnvironmentVariable.teamID.rawValue
  }

  func load(_ context: Context) throws(Failure) -> CredentialChoice {
    let (text, name) = try keyText(context)
    let keyID = try resolvedKeyID(fileName: name)
    let teamID = try resolvedTeamID()
    return try CredentialChoice(
      text, name: name, keyID: keyID, teamID: teamID, context.clock)
  }

  var faults: [Failure] {
    var found: [Failure] = []
    do throws(Failure) {
      // What an environment variable will hold, and be called, is not known.
      if case .file(let path) = key { _ = try resolvedKeyID(fileName: path) }
    } catch {
      found.append(error)
    }
    do throws(Failure) {
      _ = try resolvedTeamID()
    } catch {
      found.append(error)
    }
    return found
  }

  private func keyText(_ context: Context) throws(Failure) -> (text: [UInt8], name: String) {
    switch key {
    case .file(let path): return (try read(path), path)
    case .variable(let name):
      guard let value = context.environment[name], !value.isEmpty else {
        throw .badSetting(
          name: name, text: "", expected: "a key: its path, its PEM text, or base64")
      }
      switch KeyText.form(of: value) {
      case .pem(let text): return (text, name)
      case .path(let path): return (try read(path), path)
      }
    }
  }

  private func read(_ path: String) throws(Failure) -> [UInt8] {
    do throws(FileFailure) {
      return try readFile(path, for: "key", limit: 65_536)
    } catch {
      throw .keyFile(error)
    }
  }

  private func resolvedKeyID(fileName: String) throws(Failure) -> KeyID {
    guard let keyID else {
      if let id = KeyID(fileName: fileName) { return id }
      throw .missingIdentifier(name: "key id", option: keyIDOption, elsewhere: nil)
    }
    do throws(IdentifierError) {
      return try KeyID(keyID.text)
    } catch {
      throw .badIdentifier(name: "key id", setting: keyID.setting, error)
    }
  }

  private func resolvedTeamID() throws(Failure) -> TeamID {
    guard let teamID else {
      let elsewhere = hasIDsElsewhere ? EnvironmentVariable.teamID.rawValue : nil
      throw .missingIdentifier(name: "team id", option: teamIDOption, elsewhere: elsewhere)
    }
    do throws(IdentifierError) {
      return try TeamID(teamID.text)
    } catch {
      throw .badIdentifier(name: "team id", setting: teamID.setting, error)
    }
  }
}
