internal import CommandLineKit
internal import HTTP2
internal import JSONText

/// `fanfare config show`
struct ConfigShow: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "show", "Show each setting, its value, and where it comes from.",
    discussion: """
      Takes the options of 'send', and a scenario, and shows the settings that would apply. No \
      key, certificate or password is read, and no command is run; a variable that holds a secret \
      is only shown as set.
      """,
    examples: [
      Example("fanfare config show", "The settings in this folder."),
      Example("fanfare config show --profile staging --json", "With a profile, for a script."),
      Example(
        "fanfare config show scenarios/hello.json5 --env sandbox",
        "With a scenario and an option."),
    ])

  var scenario: String?
  var bundleID: String?
  var server = ServerOptions()
  var credentials = CredentialOptions()
  var running = RunningOptions()
  var history: String?
  var json = false

  static let groups = [
    OptionGroup<Self>(
      "Show",
      [
        .arguments("scenario", \.scenario, help: "A scenario file.", completion: .file),
        .flag("json", \.json, help: "Print a JSON object."),
        .option(
          "bundle-id", \.bundleID, value: "ID", help: "The app.",
          environment: EnvironmentVariable.bundleID.rawValue),
        .option(
          "history", \.history, value: "FILE", help: "The database of what was sent.",
          completion: .file, environment: EnvironmentVariable.history.rawValue),
      ]),
    ServerOptions.group.inside(\Self.server), CredentialOptions.group.inside(\Self.credentials),
    RunningOptions.limits.inside(\Self.running),
  ]

  func run(_ context: Context) throws -> ExitCode {
    let scenario = try scenario.map(readScenario)
    let settings = SettingsInForce(
      options: self, scenario: scenario, context: context.naming(server.profile, scenario))
    return context.tell(Self.report(try settings.rows(), settings.files), asJSON: json)
  }

  /// A table of settings, and the files that were read. In JSON an object on one line.
  private static func report(
    _ settings: [ShownSetting], _ files: [(path: String, isThere: Bool)]
  ) -> Report {
    let rows = settings.map { setting -> [Report.Part] in
      let origin = setting.origin ?? (setting.value == nil ? "" : "default")
      return [
        .text("setting", StyledText(setting.name)),
        .fact("value", "value", .text(setting.value), shown: StyledText(setting.value ?? "-")),
        .fact("from", "origin", .text(setting.origin), shown: StyledText(origin)),
      ]
    }
    let places = files.map { "\($0.path)\($0.isThere ? "" : " (not found)")" }
    return Report(parts: [
      .table("settings", rows, names: settings.map(\.name)),
      .list(
        "files", files.map { [.json("path", .text($0.path)), .json("isThere", .flag($0.isThere))] }),
      .lines(["", "files: \(places.isEmpty ? "none" : places.joined(separator: ", "))"]),
    ])
  }
}
