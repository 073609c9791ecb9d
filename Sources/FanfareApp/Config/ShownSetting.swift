internal import APNS
internal import Credentials
internal import JSONText
internal import Projects

/// A setting that counts, and where it comes from.
struct ShownSetting: Equatable {
  let name: String
  /// What is shown of it; nil when nobody gave it.
  var value: String?
  /// The option, variable or place in a file that says it; nil for a default.
  var origin: String?
}

extension Settings {
  /// All settings that count, as people may see them. No secret is read.
  func shown(_ context: Context) -> [ShownSetting] {
    let rows = Self.fields.flatMap { shown($0, context) }
    let variables = variables.sorted { $0.key < $1.key }.map { name, setting in
      ShownSetting(
        name: "variables.\(name)", value: setting.value.shown, origin: setting.origin.text)
    }
    return rows + variables
  }

  private func shown(_ field: SettingField, _ context: Context) -> [ShownSetting] {
    switch field.name {
    case "key" where key == nil && certificate == nil: return [ShownSetting(name: "key")]
    case "keyID" where keyID == nil: return keyIDOfFileName
    case "passwordFile" where password == nil: return passwordVariable(context)
    default: break
    }
    guard let (value, origin) = field.setting(self), field.isShown(from: origin) else {
      return field.display == .always ? [ShownSetting(name: field.name)] : []
    }
    let text = origin == .builtIn ? nil : origin.text
    return [ShownSetting(name: field.name, value: shown(value, of: field, context), origin: text)]
  }

  private func shown(
    _ value: any SettingValue, of field: SettingField, _ context: Context
  ) -> String? {
    switch value {
    case let place as SecretPlace: return place.shown(context)
    case let url as String where field.name == "proxy": return url.isEmpty ? nil : withoutLogin(url)
    case let path as String where field.name == "certKey": return shownPath(path)
    default: return value.shown
    }
  }

  private var keyIDOfFileName: [ShownSetting] {
    guard let id = key.flatMap({ KeyID(fileName: $0.value.name) }) else { return [] }
    return [ShownSetting(name: "keyID", value: id.text, origin: "the file's name")]
  }

  /// A password that stands in a variable, apart from what it opens.
  private func passwordVariable(_ context: Context) -> [ShownSetting] {
    let variable: EnvironmentVariable = certificate == nil ? .keyPassword : .certificatePassword
    guard key != nil || certificate != nil, context.value(variable) != nil else { return [] }
    return [ShownSetting(name: "password", value: "set", origin: variable.rawValue)]
  }
}

extension SettingField {
  fileprivate func isShown(from origin: Origin) -> Bool {
    switch display {
    case .always: true
    case .whenSaid: origin != .builtIn
    case .never: false
    }
  }
}

extension SecretPlace {
  fileprivate func shown(_ context: Context) -> String {
    switch self {
    case .file(let path): shownPath(path)
    case .variable(let name): Self.shown(variable: name, context)
    case .command: "printed by a command, which is not run here"
    }
  }

  /// The path in a variable, or that there is something in it.
  private static func shown(variable name: String, _ context: Context) -> String {
    guard let text = context.environment[name], !text.isEmpty else { return "\(name) is not set" }
    guard case .path(let path) = KeyText(text), fileExists(path) else { return "\(name) is set" }
    return shownPath(path)
  }
}
