internal import APNS
internal import JSONText
internal import PushModel

/// Named settings, which apply where no option, scenario or variable sets a value.
package struct Profile: Sendable {
  package let name: String
  /// The profile's file, as a path from the working folder.
  package let file: String
  /// Its settings; ``Settings/credentialsOwner`` is the profile itself if it has credentials.
  package private(set) var settings: Settings

  /// Its credentials alone.
  package var credentials: Settings {
    var credentials = settings
    for part in Settings.parts where part != .credentials { credentials.forget(part) }
    return credentials
  }

  /// Reads a profile from JSON of a checked shape.
  ///
  /// - Parameter path: resolves a path in the file to one from the working folder.
  init(_ member: JSONMember, _ problems: ProblemList, path: @escaping (String) -> String) {
    let file = problems.file
    let reader = SettingsReader(
      json: member.value, place: "profiles.\(member.key).", problems: problems, path: path
    ) { .file(file, at: $0) }
    (self.name, self.file, settings) = (member.key, file, reader.settings())
    settings.credentialsOwner = reader.setting("credentials") { _ in name }
    settings.bundleID = reader.bundleID()
    settings.ca = reader.setting("ca") { $0.string.map(path) }
    settings.port = reader.setting("port", UInt16.init(json:))
    settings.proxy = reader.setting("proxy", \.string)
    settings.rate = reader.setting("rate") {
      problems.valid(
        WrittenRate(json: $0), $0, reader.place + "rate", "This is not a rate.",
        fix: "Write 500, \"500/s\" or \"30/m\", at most 1000000/s.")
    }
    settings.timeout = reader.setting("timeout") { reader.time($0, "timeout") }
    settings.retries = reader.setting("retries", Int.init(json:))
    settings.retryDelay = reader.setting("retryDelay") { reader.time($0, "retryDelay") }
    settings.history = reader.setting("history") { json in
      json.string.map { HistoryLocation($0).isPath ? path($0) : $0 }
    }
  }
}

extension SettingsReader {
  fileprivate func time(_ json: JSON, _ key: String) -> TimeLength? {
    guard let time = json.string.flatMap({ TimeSpan.milliseconds($0) }) else { return nil }
    return problems.valid(
      time == 0 ? nil : TimeLength(milliseconds: time), json, place + key,
      "The time must not be zero.",
      fix: "Write at least \"1ms\".")
  }
}
