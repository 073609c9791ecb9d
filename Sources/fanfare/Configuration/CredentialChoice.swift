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
  /// What a person should know about the key, although it can be used.
  var warnings: [CredentialWarning] = []

  /// A key that was made up, for the emulator. Its tokens are never cached.
  static func throwAway(_ context: Context) throws(Failure) -> CredentialChoice {
    do {
      let (keyID, teamID) = (try KeyID("THROWAWAY0"), try TeamID("EMULATOR00"))
      let clock = context.clock
      return CredentialChoice(
        keyID: keyID, teamID: teamID, name: "made up for this run",
        tokens: ProviderTokenSource(
          key: try SigningKey.generate(), keyID: keyID, teamID: teamID
        ) { clock.epochSeconds })
    } catch {
      throw .key(name: "throw-away key", error as? SigningKeyError ?? .openSSL("\(error)"))
    }
  }

  /// Options first, then the scenario, then variables. There is a provider token when this returns.
  ///
  /// - Throws: `Failure.noKey` when none of them names a key.
  static func resolve(
    _ options: CredentialOptions, scenario: Scenario?, _ context: Context
  ) throws(Failure) -> CredentialChoice {
    guard let layer = try chosen(options, scenario, context) else { throw .noKey }
    let key = try layer.key(context)
    let keyID = try layer.resolvedKeyID(fileName: key.name)
    let teamID = try layer.resolvedTeamID()
    let password = try KeyPassword(options, isKeyInVariable: layer.isVariable, context)
    let choice = CredentialChoice(
      keyID: keyID, teamID: teamID, name: key.name,
      tokens: ProviderTokenSource(
        contents: key.contents, password: password?.bytes, keyID: keyID, teamID: teamID,
        cache: options.tokenCache ? context.tokenCache : nil
      ) { [clock = context.clock] in clock.epochSeconds },
      warnings: key.warnings
        + (try layer.warnings(fileName: key.name, keyID, teamID))
        + (password?.warnings(for: key) ?? []))
    try choice.sign()
    return choice
  }

  /// A key that cannot sign is told of before anything is sent.
  private func sign() throws(Failure) {
    do throws(SigningKeyError) {
      _ = try tokens.token()
    } catch {
      throw .key(name: name, error)
    }
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
}

extension Context {
  /// Where provider tokens are shared with other commands (XDG Base Directory Specification, which
  /// wants relative paths ignored); nil when there is no such place.
  fileprivate var tokenCache: ProviderTokenCache? {
    func folder(_ variable: String, _ rest: String) -> String? {
      environment[variable].flatMap { $0.hasPrefix("/") ? $0 + rest : nil }
    }
    let path = folder("XDG_CACHE_HOME", "/fanfare") ?? folder("HOME", "/.cache/fanfare")
    return path.map { ProviderTokenCache(folder: $0) }
  }
}
