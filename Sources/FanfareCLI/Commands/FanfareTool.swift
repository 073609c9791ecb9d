internal import CommandLineKit
internal import Reporting
internal import Settings

/// The tool: its commands, and the texts of help and the manual.
func fanfareTool() -> Tool {
  var tool = Tool(
    "fanfare", "Send Apple push notifications from the shell, a script or CI.",
    version: fanfareVersion,
    groups: [
      CommandGroup(
        "Send",
        [
          SendCommand.self, RunCommand.self, ResumeCommand.self, WorkCommand.self,
          StopCommand.self, ChannelCommand.self,
        ]),
      CommandGroup(
        "Check",
        [
          CheckCommand.self, PreviewCommand.self, InspectCommand.self, DoctorCommand.self,
          ExplainCommand.self,
        ]),
      CommandGroup("History", [HistoryCommand.self, ReportCommand.self]),
      CommandGroup(
        "Try out",
        [EmulatorCommand.self, StudioCommand.self, SimulateCommand.self, ExampleCommand.self]),
      CommandGroup(
        "Set up",
        [
          InitCommand.self, DeviceCommand.self, ConfigCommand.self, TokenCommand.self,
          CompletionsCommand.self, ManualCommand.self, VersionCommand.self,
        ]),
    ])
  tool.discussion = """
    Sends one push to one device, or one notification to a list of any length. Every rule that \
    Apple documents for headers and payloads is checked before anything is sent. \
    '--env emulator' sends to a built-in local APNs that needs no Apple account.
    """
  tool.start = StartScreen.text
  tool.firstOptions = FirstOptions.table
  tool.synonyms = { .fanfare }
  tool.files = [
    Definition("fanfare.json", "The project's profiles, in this folder or the nearest one above."),
    Definition("~/.config/fanfare/config.json", "Your own profiles, or in XDG_CONFIG_HOME."),
    Definition("~/.config/fanfare/devices.json", "The names of your devices, in the same folder."),
    Definition("~/.local/state/fanfare/history.sqlite", "The history, or in XDG_STATE_HOME."),
    Definition("~/.cache/fanfare", "Provider tokens, for 50 minutes, or in XDG_CACHE_HOME."),
  ]
  tool.exitCodes = ExitCode.allCases.map { Definition(String($0.rawValue), $0.meaning) }
  tool.environment =
    EnvironmentVariable.allCases.map { Definition($0.rawValue, $0.meaning) } + terminalVariables
  tool.common = [
    WhenChoice.color.description, WhenChoice.hyperlink.description,
    Configuration.option.description,
  ]
  return tool
}

/// The common environment variables that control what terminals are given.
private let terminalVariables = [
  Definition(
    "NO_COLOR",
    """
    Anything but empty turns colors and links off, unless --color or --hyperlink is given, and \
    progress in the terminal's tab.
    """),
  Definition(
    "CLICOLOR_FORCE",
    "Anything but 0 or empty turns colors on, also where NO_COLOR is set or there is no terminal."),
  Definition("CI", "Anything but empty turns links off, unless --hyperlink is given."),
  Definition("TERM", "'dumb' turns colors, links and the progress line off."),
]

/// The output of `fanfare` without arguments: its purpose, first commands, and where to find help.
enum StartScreen {
  /// Commands to try, in order.
  static let steps = [
    Example(
      "fanfare send --env emulator --bundle-id com.example.app --title Hi "
        + "--to \(exampleToken)",
      "Sends a push to the built-in local APNs. No Apple account needed."),
    Example("fanfare init", "Writes a settings file, a payload and a scenario to start from."),
    Example("fanfare check .", "Checks them for mistakes. Nothing is sent."),
    Example(
      "fanfare doctor --env sandbox",
      "Tests the connection to Apple's APNs and says what is missing."),
  ]

  static let text =
    """
    fanfare sends Apple push notifications from the shell, a script or CI.

    Try these, in this order:

    \(steps.map(shown).joined(separator: "\n"))

    'fanfare -h' lists all commands, 'fanfare send -h' the first options of one.
    'fanfare explain BadDeviceToken' explains an answer from APNs.

    """

  private static func shown(_ step: Example) -> String {
    (step.lines(to: 78) + ["    " + step.meaning]).map { "  " + $0 }.joined(separator: "\n")
  }
}

/// A command of fanfare.
protocol FanfareCommand: Command {
  /// Runs the command.
  ///
  /// - Throws: `Failure`.
  func run(_ context: Context) throws -> Report
}

extension Completion {
  /// The numbers of the newest runs.
  static var runs: Completion { .lines(of: ["history", "list", "--numbers"]) }
}
