internal import CommandLineKit
internal import HTTP2

/// `fanfare config show`
struct ConfigShow: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "show", "Show each setting, its value, and where it comes from.",
    discussion: """
      Takes the options of 'send' and a scenario, and shows what would apply. No key, \
      certificate or password is read, and no command is run; a variable with a secret is only \
      shown to be set.
      """,
    examples: [
      Example("fanfare config show", "Show what applies in this folder."),
      Example(
        "fanfare config show --profile staging --json", "Show what a profile adds, for a script."),
      Example(
        "fanfare config show scenarios/hello.json5 --env sandbox",
        "Show what applies to a scenario with an option."),
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
    let rows = try shown(context)
    let files = context.configuration.paths.map { ($0, fileExists($0)) }
    if json {
      context.output.write(SettingsJSON.bytes(rows, files))
    } else {
      let style = Style(hasColor: context.output.hasColor)
      context.output.write(SettingsText.text(rows, files, style))
    }
    return .success
  }

  /// The settings that count, in the order in which they are shown.
  func shown(_ context: Context) throws(Failure) -> [ShownSetting] {
    let scenario = try scenario.map(readScenario)
    var settings = try options.merged(over: scenario?.settings ?? Settings(), context)
    try settings.findCredentials(context)
    return settings.shown(context)
  }
}
