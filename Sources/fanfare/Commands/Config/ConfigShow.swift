internal import CommandLineKit
internal import HTTP2

/// `fanfare config show`
struct ConfigShow: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "show", "Show each setting, its value, and where it comes from.",
    discussion: """
      Takes the options of 'send', and a scenario: what would hold for them is shown. No key, \
      certificate or password is read, and no command is run; of a variable with a secret in it is \
      said that it is set.
      """,
    examples: [
      Example("fanfare config show", "What holds in this folder."),
      Example("fanfare config show --profile staging --json", "What a profile adds, for a script."),
      Example(
        "fanfare config show scenarios/hello.json5 --env sandbox",
        "What holds for a scenario and an option."),
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
    let rows = try settings.rows()
    if json {
      context.output.write(SettingsJSON.bytes(rows, settings.files))
    } else {
      let style = Style(hasColor: context.output.hasColor)
      context.output.write(SettingsText.text(rows, settings.files, style))
    }
    return .success
  }
}
