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
    for field in Settings.fields { reader.read(field, into: &settings) }
  }
}

extension SettingsReader {
  /// Reads the value of a key that only profiles have.
  fileprivate func read(_ field: SettingField, into settings: inout Settings) {
    guard let file = field.file, !file.isShared,
      let member = json.object?.members.first(where: { $0.key == field.name }),
      !field.read(&settings, member.value, origin(member.keyPosition), path),
      let fault = file.fault, let text = member.value.string,
      !file.isTime || TimeSpan.milliseconds(text) != nil
    else { return }
    problems.add(member.value, place + field.name, fault.message, fix: fault.fix)
  }
}
