internal import APNS
internal import JSONText

/// Takes settings out of a scenario or a profile whose shape was checked.
struct SettingsReader {
  /// The scenario or profile.
  let json: JSON
  /// Where it stands in its file, such as `profiles.staging.`; empty for the whole file.
  var place = ""
  let problems: ProblemList
  /// Makes a path as the file wrote it into one from here.
  let path: (String) -> String
  /// The origin of a setting whose key is at this position.
  let origin: (JSONPosition?) -> Origin

  /// What both can say: where to send, who is sending, and values of placeholders.
  var settings: Settings {
    var settings = Settings()
    settings.environment = setting("environment", environment)
    settings.serverCA = setting("environment") { ($0["ca"]?.string).map(path) }
    settings.variables = variables
    let credentials = json["credentials"]
    settings.key = setting("key", in: credentials, secret)
    settings.keyID = setting("keyID", in: credentials, \.string)
    settings.teamID = setting("teamID", in: credentials, \.string)
    settings.certificate = setting("cert", in: credentials, secret)
    settings.certificateKey = setting("certKey", in: credentials) { $0.string.map(path) }
    settings.password = setting("passwordFile", in: credentials, secret)
    settings.credentialsProfile = setting("profile", in: credentials, \.string)
    return settings
  }

  /// What a key says; nil when it is absent, or has a value that was reported.
  func setting<Value>(_ key: String, _ value: (JSON) -> Value?) -> Setting<Value>? {
    setting(key, in: json, value)
  }

  private func setting<Value>(
    _ key: String, in object: JSON?, _ value: (JSON) -> Value?
  ) -> Setting<Value>? {
    guard let member = object?.object?.members.first(where: { $0.key == key }),
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
      valid(
        server.string.flatMap { try? ServerAddress(url: $0) }, server, "environment.server",
        "This is not the address of a server.", fix: "Write https://HOST or https://HOST:PORT.")
    }.map { .named(.server($0)) }
  }

  /// A value; that there is none is a problem, unless its JSON is no text, which was reported.
  func valid<Value>(
    _ value: Value?, _ json: JSON, _ key: String, _ message: String, fix: String
  ) -> Value? {
    if value == nil, json.string != nil { problems.add(json, place + key, message, fix: fix) }
    return value
  }

  private var variables: [String: Setting<JSON>] {
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

extension String {
  /// This path as it is from here, where a file wrote it relative to its own folder.
  func path(inFolderOf file: String) -> String {
    guard !hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return self }
    return String(file[...slash]) + self
  }
}
