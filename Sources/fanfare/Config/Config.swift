internal import CommandLineKit

/// `fanfare config`
struct Config: Command {
  static let info = CommandInfo(
    "config", "Show the settings that count, and what files may hold.",
    discussion: """
      A setting is what an option says, else the scenario, else a variable, else a profile, else what \
      is built in. Profiles stand in fanfare.json, which is looked for in this folder and those \
      above it, and in your own file, $XDG_CONFIG_HOME/fanfare/config.json or \
      ~/.config/fanfare/config.json. --profile names one, else the scenario does, else \
      FANFARE_PROFILE, else 'default' in these files.
      """,
    subcommands: [ConfigShow.self, ConfigSchema.self])
}
