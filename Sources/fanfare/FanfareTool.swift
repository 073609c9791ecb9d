internal import CommandLineKit

/// The commands, and what help and the manual say besides.
func fanfareTool() -> Tool {
  var tool = Tool(
    "fanfare", "Send Apple push notifications from the shell, a script or CI.",
    version: fanfareVersion,
    commands: [
      SendCommand.self, RunCommand.self, CheckCommand.self, ResumeCommand.self, HistoryCommand.self,
      SimulateCommand.self,
      EmulatorCommand.self, InspectCommand.self, TokenCommand.self, ExplainCommand.self,
      DoctorCommand.self,
      InitCommand.self, ConfigCommand.self,
      CompletionsCommand.self, ManualCommand.self, VersionCommand.self,
    ])
  tool.discussion = """
    Sends one push to one device, or one notification to a list of any length. Every rule that \
    Apple documents for headers and payloads is checked before anything is sent. \
    `--env emulator` sends to a built-in local APNs that needs no Apple account.
    """
  tool.start = StartScreen.text
  tool.files = [
    Definition("fanfare.json", "The project's profiles, in this folder or the nearest one above."),
    Definition("~/.config/fanfare/config.json", "Your own profiles, or in XDG_CONFIG_HOME."),
    Definition("~/.local/state/fanfare/history.sqlite", "The history, or in XDG_STATE_HOME."),
    Definition("~/.cache/fanfare", "Provider tokens, for 50 minutes, or in XDG_CACHE_HOME."),
  ]
  tool.exitCodes = ExitCode.allCases.map { Definition(String($0.rawValue), $0.meaning) }
  tool.environment = EnvironmentVariable.allCases.map { Definition($0.rawValue, $0.meaning) }
  return tool
}
