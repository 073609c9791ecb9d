internal import CommandLineKit

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
    subcommands: [ConfigShowCommand.self, ConfigSchemaCommand.self])
}
