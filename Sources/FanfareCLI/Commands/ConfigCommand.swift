internal import CommandLineKit
internal import Reporting
internal import Settings
internal import Tools

/// `fanfare config`
struct ConfigCommand: Command {
  static let info = CommandInfo(
    "config", "Show settings, and the schemas of files.",
    discussion: """
      A setting comes from an option, or else the scenario, a variable, a profile, or the default. \
      Profiles are in fanfare.json, in this folder or the nearest one above, and in your own file, \
      $XDG_CONFIG_HOME/fanfare/config.json or ~/.config/fanfare/config.json. --profile selects \
      one, or else the scenario, FANFARE_PROFILE, or 'default' in these files.
      """,
    subcommands: [ConfigShowCommand.self, ConfigProfilesCommand.self, ConfigSchemaCommand.self])
}

/// `fanfare config show`
struct ConfigShowCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "show", "Show each setting, its value, and where it comes from.",
    discussion: """
      Takes the options of 'send' that say where, as whom and how fast, and a scenario, and shows \
      the settings that would apply. No key, certificate or password is read, and no command is \
      run; a variable that holds a secret is only shown as set.
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
        Parameter.setting("bundle-id", help: "The app.").inside(\.options),
        Parameter.setting("to").inside(\.options), Parameter.setting("history").inside(\.options),
      ]),
    SettingOptions.place.inside(\Self.options), SettingOptions.credentials.inside(\Self.options),
    SettingOptions.limits.inside(\Self.options),
  ]

  func run(_ context: Context) throws -> Report {
    try ConfigShow(scenario: scenario, options: options, context: context).run(asJSON: json)
  }
}

/// `fanfare config profiles`
struct ConfigProfilesCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "profiles", "List the names of the profiles, one per line.",
    examples: [Example("fanfare config profiles", "What --profile takes here.")])

  func run(_ context: Context) throws -> Report { try ConfigProfiles(context).run() }
}

/// `fanfare config schema`
struct ConfigSchemaCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "schema", "Print the JSON Schema of a file format or of an output.",
    discussion: """
      'scenario', 'config' and 'script' are files that you write; editors complete and check them \
      with the schema. The others are what commands print in JSON. Of what is printed line by \
      line, the schema is of one line. Later versions may add keys, which these schemas allow.
      """,
    examples: [
      Example(
        "fanfare config schema scenario > scenario.schema.json",
        "For '$schema: \"scenario.schema.json\"' in a scenario."),
      Example("fanfare config schema results", "What a line of --results contains."),
    ])

  var format: DescribedFormat?

  static let groups = [
    OptionGroup<Self>(
      "Schema",
      [
        .arguments(
          "format", \.format,
          help: "What to describe; config is fanfare.json, script the emulator's.",
          isRequired: true)
      ])
  ]

  func run(_ context: Context) throws -> Report {
    let schema = format.map { String(decoding: $0.schema, as: UTF8.self) }
    return Report(parts: schema.map { [.source($0)] } ?? [])
  }
}

extension DescribedFormat: ArgumentValue {}
