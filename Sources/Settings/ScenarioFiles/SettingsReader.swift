internal import APNS
internal import JSONText
internal import PlainText
internal import PushModel

/// Takes settings out of a scenario or a profile whose shape was checked.
struct SettingsReader {
  /// The scenario or profile.
  var json: JSON
  /// Its path in the file, such as `profiles.staging.`; empty for the whole file.
  var place = ""
  let problems: ProblemList
  /// Makes a path as the file wrote it into one from here.
  let path: (String) -> String
  /// The origin of a setting whose key is at this position.
  let origin: (JSONPosition?) -> Origin

  /// What both can say: where to send, over how many connections, who is sending, and values of
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

  /// What a key says; nil when it is absent, or has a value that was reported.
  func setting<Value>(_ key: String, _ value: (JSON) -> Value?) -> Setting<Value>? {
    guard let member = json.object?.members.first(where: { $0.key == key }),
      let value = value(member.value)
    else { return nil }
    return Setting(value, origin(member.keyPosition))
  }

  /// A path, `{env: "NAME"}` or `{command: ["PROGRAM", "ARGUMENT"]}`.
  private func secret(_ json: JSON) -> SecretPlace? {
    let words = json["command"]?.array?.compactMap(\.string) ?? []
    return words.isEmpty
      ? json.string.map { .file(path($0)) } ?? (json["env"]?.string).map(SecretPlace.variable)
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
  /// A value that was made of text; a problem if there is none. Anything else than text was reported.
  func valid<Value>(
    _ value: Value?, _ json: JSON, _ path: String, _ message: String, fix: String
  ) -> Value? {
    if value == nil, json.string != nil { add(json, path, message, fix: fix) }
    return value
  }
}

extension String {
  /// This path as it is from here, where a file wrote it relative to its own folder.
  ///
  /// - Parameter home: what `~` stands for at its start; nil leaves it as it is.
  func path(inFolderOf file: String, home: String?) -> String {
    let path = expandingTilde(home)
    guard path == self, !hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return path }
    return String(file[...slash]) + self
  }
}
