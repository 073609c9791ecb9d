internal import APNS
internal import JSONText
internal import PlainText
internal import PushModel

/// Reads the settings of a scenario or a profile of a checked shape.
struct SettingsReader {
  /// The scenario or profile.
  var json: JSON
  /// Its path in the file, such as `profiles.staging.`; empty for the whole file.
  var place = ""
  let problems: ProblemList
  /// Resolves a path in the file to one from the working folder.
  let path: (String) -> String
  /// Returns the origin of a setting from the position of its key.
  let origin: (JSONPosition?) -> Origin

  /// Reads the settings that both can have: environment, connections, credentials and the values of
  /// placeholders.
  func settings() -> Settings {
    var settings = Settings()
    settings.environment = setting("environment", environment)
    settings.serverCA = setting("environment") { ($0["ca"]?.string).map(path) }
    settings.connections = setting("connections", ConnectionCount.init(json:))
    settings.variables = variables()
    var credentials = self
    credentials.json = json["credentials"] ?? JSON(.null)
    settings.key = credentials.setting("key", secret)
    settings.keyID = credentials.setting("keyID", \.string)
    settings.teamID = credentials.setting("teamID", \.string)
    settings.certificate = credentials.setting("cert", secret)
    settings.certificateKey = credentials.setting("certKey") { $0.string.map(path) }
    settings.password = credentials.setting("passwordFile", secret)
    settings.credentialsProfile = credentials.setting("profile", \.string)
    return settings
  }

  /// The setting of a key; nil when it is absent, or its value has been reported.
  func setting<Value>(_ key: String, _ value: (JSON) -> Value?) -> Setting<Value>? {
    guard let member = json.object?.members.first(where: { $0.key == key }),
      let value = value(member.value)
    else { return nil }
    return Setting(value, origin(member.keyPosition))
  }

  /// Reads a path, `{env: "NAME"}` or `{command: ["PROGRAM", "ARGUMENT"]}`.
  private func secret(_ json: JSON) -> SecretLocation? {
    let words = json["command"]?.array?.compactMap(\.string) ?? []
    return words.isEmpty
      ? json.string.map { .file(path($0)) } ?? (json["env"]?.string).map(SecretLocation.variable)
      : .command(words)
  }

  private func environment(_ json: JSON) -> EnvironmentSetting? {
    if let name = json.string { return EnvironmentSetting(name: name) }
    if json["emulator"] != nil { return .named(.emulator) }
    return json["server"].flatMap { server in
      problems.valid(
        server.string.flatMap { try? ServerAddress(url: $0) }, server, place + "environment.server",
        "This is not the address of a server.", fix: "Write https://HOST or https://HOST:PORT.")
    }.map { .named(.server($0)) }
  }

  private func variables() -> [String: Setting<JSON>] {
    let members = json["variables"]?.object?.members ?? []
    for member in members where !Template.isName(member.key) {
      problems.add(
        member.value, "\(place)variables.\(member.key)", "No placeholder can have this name.",
        fix: "Use letters, digits, _, - and dots, and not 'now'.")
    }
    return Dictionary(members.map { ($0.key, Setting($0.value, origin($0.keyPosition))) }) {
      _, last in last
    }
  }
}

extension ProblemList {
  /// The value made from text; nil is reported as a problem, unless the JSON is not text at all.
  func valid<Value>(
    _ value: Value?, _ json: JSON, _ path: String, _ message: String, fix: String
  ) -> Value? {
    if value == nil, json.string != nil { add(json, path, message, fix: fix) }
    return value
  }
}

extension String {
  /// Resolves a path that a file gives relative to its own folder to one from the working folder.
  ///
  /// - Parameter home: the folder for `~` at its start; nil leaves `~` as it is.
  package func path(inFolderOf file: String, home: String?) -> String {
    let path = expandingTilde(home)
    guard path == self, !hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return path }
    return String(file[...slash]) + self
  }
}
