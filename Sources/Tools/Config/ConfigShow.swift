internal import Credentials
internal import JSONText
package import Reporting
package import Settings

/// Shows each setting, and where it comes from.
package struct ConfigShow {
  /// The scenario's file; nil for none.
  let scenario: String?
  let options: Settings
  let context: Context

  package init(scenario: String?, options: Settings, context: Context) {
    (self.scenario, self.options, self.context) = (scenario, options, context)
  }

  package func run(asJSON: Bool) throws(Failure) -> Report {
    let (settings, devices) = try effective()
    let shown = ShownSettings(
      settings: settings.shown(context), placeNote: settings.placeNote(devices, context),
      files: context.configuration.paths.map { ($0, isThere($0)) })
    return Report(parts: shown.parts).asJSON(asJSON)
  }

  /// The effective settings, in display order.
  func shown() throws(Failure) -> [ShownSetting] { try effective().settings.shown(context) }

  /// The effective settings, and the devices of the scenario's first step. Nothing is sent, so that
  /// another user's profiles need no consent.
  private func effective() throws(Failure) -> (settings: Settings, devices: [Device]) {
    let scenario = try scenario.map { (file) throws(Failure) in try readScenario(file, context) }
    let named = options.recipientSources.isEmpty ? scenario?.steps.first?.recipients : nil
    let devices = try context.found(named ?? []).devices
    var trusting = options
    trusting.trustProject = trusting.trustProject ?? Setting(true, .builtIn)
    let layer = scenario?.settings ?? Settings()
    var settings = try trusting.merged(over: layer, for: devices, context)
    try settings.findCredentials(context)
    return (settings, devices)
  }

  /// The file exists, or was read: standard input exists while it is.
  private func isThere(_ path: String) -> Bool { path == "-" || fileExists(path) }
}

/// The settings, and the files that were looked for.
struct ShownSettings: JSONDescribed {
  let settings: [ShownSetting]
  /// Where it goes, if a named device is for another environment; nil otherwise.
  let placeNote: String?
  let files: [(path: String, isThere: Bool)]

  static let fields: [OutputField<Self>] = [
    .init([.init("settings", .map(setting.shape()), "The settings by name.")]) {
      let rows = $0.settings.map { setting.parts(of: $0) }
      return [.table("settings", rows, names: $0.settings.map(\.name))]
    },
    .list(
      "files", \.files, "The files that were looked for.",
      [
        .always("path", { $0.path }, "The file."),
        .always("isThere", { $0.isThere }, "Whether it exists."),
      ]),
    .people {
      let places = $0.files.map { path, isThere in
        path == "-" ? "standard input" : path + (isThere ? "" : " (not found)")
      }
      let files = "files: \(places.isEmpty ? "none" : places.joined(separator: ", "))"
      let note = $0.placeNote.map { "environment: \($0)" }
      return [.lines([""])] + [note, files].compactMap { $0.map { .paragraph(StyledText($0)) } }
    },
  ]

  private static let setting: [OutputField<ShownSetting>] = [
    .people { [.text("setting", .verbatim($0.name))] },
    .always("value", \.value, "The value; null if nothing sets it.", as: "value") {
      .verbatim($0.value ?? "-")
    },
    .always("origin", \.origin, "Where it comes from; null for a default.", as: "from") {
      .verbatim($0.origin ?? ($0.value == nil ? "" : "default"))
    },
  ]
}

/// A setting, and where it comes from.
struct ShownSetting: Equatable {
  let name: String
  /// The displayed value; nil if the setting is not given.
  var value: String?
  /// The option, variable or place in a file that gives it; nil for a default.
  var origin: String?
}

extension Settings {
  /// All settings in effect, in displayable form. No secret is read.
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
    let setting = field.setting(self)
    let isSaid = setting.map { $0.origin != .builtIn } ?? false
    guard field.display == .always || field.display == .whenSaid && isSaid else { return [] }
    return [
      ShownSetting(
        name: field.name,
        value: (setting?.value as? SecretLocation)?.shown(context) ?? field.text(self),
        origin: isSaid ? setting?.origin.text : nil)
    ]
  }

  private var keyIDOfFileName: [ShownSetting] {
    guard let id = key.flatMap({ KeyID(fileName: $0.value.name) }) else { return [] }
    return [ShownSetting(name: "keyID", value: id.text, origin: "the file's name")]
  }

  /// A password from the environment, which is not among the settings of the key or certificate.
  private func passwordVariable(_ context: Context) -> [ShownSetting] {
    let variable: EnvironmentVariable = certificate == nil ? .keyPassword : .certificatePassword
    guard key != nil || certificate != nil, context.value(variable) != nil else { return [] }
    return [ShownSetting(name: "password", value: "set", origin: variable.rawValue)]
  }
}

extension SecretLocation {
  fileprivate func shown(_ context: Context) -> String {
    switch self {
    case .file(let path): return shownPath(path)
    case .command: return "printed by a command, which is not run here"
    case .variable(let name):
      let text = context.environment[name] ?? ""
      if text.isEmpty { return "\(name) is not set" }
      guard case .path(let path) = context.keyText(text), fileExists(path) else {
        return "\(name) is set"
      }
      return shownPath(path)
    }
  }
}

/// Prints the names of all profiles.
package struct ConfigProfiles {
  private let context: Context

  package init(_ context: Context) { self.context = context }

  package func run() throws(Failure) -> Report {
    let profiles = try context.configuration.profiles().files.flatMap(\.profiles)
    var seen: Set<String> = []
    let names = profiles.map(\.name).filter { seen.insert($0).inserted }
    return Report(parts: [.lines(names.map { .verbatim($0) })])
  }
}
