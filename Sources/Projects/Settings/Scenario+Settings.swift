internal import APNS
internal import JSONText

// The layers that people write in files.
extension Scenario {
  /// What the scenario says, whatever the step. Its payloads and recipients are not settings: they
  /// are read with it.
  package var settings: Settings {
    var settings = Settings()
    let origin = Origin.file(file)
    settings.profile = profile.map { Setting($0, origin) }
    settings.bundleID = bundleID.map { Setting($0.value, $0.origin ?? origin) }
    settings.environment = environment.map { Setting($0, origin) }
    settings.serverCA = roots.map { Setting($0, origin) }
    settings.variables = variables.mapValues { Setting($0, origin) }
    credentials.map { settings.take($0) { _ in origin } }
    return settings
  }

  /// What it says for one of its steps.
  package func settings(for step: ScenarioStep) -> Settings {
    var settings = settings
    settings.headers = step.fields
    return settings
  }
}

extension Profile {
  /// What the profile says.
  package var settings: Settings {
    var settings = Settings()
    func setting<Value>(_ value: Value?, _ key: String) -> Setting<Value>? {
      value.map { Setting($0, origin(of: key)) }
    }
    settings.bundleID = setting(bundleID?.text, "bundleID")
    settings.environment = setting(environment, "environment")
    settings.serverCA = setting(serverRoots, "environment")
    settings.ca = setting(roots, "ca")
    settings.port = setting(port, "port")
    settings.proxy = setting(proxy, "proxy")
    settings.connections = setting(connections, "connections")
    settings.rate = setting(rate.flatMap { WrittenRate($0) }, "rate")
    settings.timeout = setting(timeoutMilliseconds.map(TimeLength.init), "timeout")
    settings.retries = setting(retries, "retries")
    settings.retryDelay = setting(retryDelayMilliseconds.map(TimeLength.init), "retryDelay")
    settings.history = setting(history, "history")
    for (name, value) in variables {
      settings.variables[name] = setting(value, "variables.\(name)")
    }
    if let credentials { settings.take(credentials, of: self) }
    return settings
  }
}

extension Settings {
  /// Takes over credentials as a profile has them.
  package mutating func take(_ credentials: CredentialsSetting, of profile: Profile) {
    take(credentials) { profile.origin(of: "credentials.\($0)") }
    credentialsOwner = Setting(profile.name, profile.origin(of: "credentials"))
  }

  /// Takes over credentials as a file has them.
  ///
  /// - Parameter origin: where one of their keys stands.
  fileprivate mutating func take(_ credentials: CredentialsSetting, at origin: (String) -> Origin) {
    func setting<Value>(_ value: Value?, _ key: String) -> Setting<Value>? {
      value.map { Setting($0, origin(key)) }
    }
    switch credentials {
    case .key(let said):
      key = Setting(said.key, origin("key"))
      keyID = setting(said.keyID, "keyID")
      teamID = setting(said.teamID, "teamID")
      password = setting(said.password, "passwordFile")
    case .certificate(let said):
      certificate = Setting(said.certificate, origin("cert"))
      certificateKey = setting(said.key, "certKey")
      password = setting(said.password, "passwordFile")
    case .profile(let name): credentialsProfile = Setting(name, origin("profile"))
    }
  }
}
