internal import CommandLineKit
internal import HTTP2
internal import JSONText
internal import Projects

/// `fanfare config show`
struct ConfigShowCommand: FanfareCommand, Equatable {
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
  var options = Settings()
  var json = false

  static let groups = [
    OptionGroup<Self>(
      "Show",
      [
        .arguments("scenario", \.scenario, help: "A scenario file.", completion: .file),
        .flag("json", \.json, help: "Print a JSON object."),
        Parameter<Settings>.setting(
          "bundle-id", \.bundleID, value: "ID", help: "The app.", environment: .bundleID
        ).inside(\.options),
        SettingOptions.history.inside(\.options),
      ]),
    SettingOptions.place.inside(\Self.options), SettingOptions.credentials.inside(\Self.options),
    SettingOptions.limits.inside(\Self.options),
  ]

  func run(_ context: Context) throws -> ExitCode {
    let files = context.configuration.paths.map { (path: $0, isThere: fileExists($0)) }
    return context.tell(Self.report(try shown(context), files), asJSON: json)
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

  /// The settings that count, in the order in which they are shown.
  func shown(_ context: Context) throws(Failure) -> [ShownSetting] {
    let scenario = try scenario.map(readScenario)
    var settings = try options.merged(over: scenario?.settings ?? Settings(), context)
    try settings.findCredentials(context)
    return settings.shown(context)
  }
}
