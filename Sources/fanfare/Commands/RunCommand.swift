internal import CommandLineKit
internal import Reporting
internal import Scenarios
internal import Settings

/// `fanfare run`
struct RunCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "run", "Run scenario files.",
    discussion: """
      A scenario is a JSON5 file that says what to send, to whom, where, and what answer to \
      expect. A folder stands for all scenarios in it. Options override the scenario; --to and \
      --tokens replace its recipients, --channel its channel. All scenarios are validated before \
      any is sent.

      A step that does not meet its expectation ends its scenario; other scenarios continue. \
      Without an expectation, every push must be accepted.
      """,
    examples: [
      Example(
        "fanfare run scenarios/hello.json5 --env emulator",
        "Run a scenario without an Apple account."),
      Example(
        "fanfare run scenarios --env emulator --parallel 4 --junit report.xml",
        "Run a folder as tests, four at a time, with a report for CI."),
      Example(
        "fanfare run scenarios/hello.json5 --tokens beta.txt --json",
        "Send to other recipients, with a line of JSON per step."),
    ])

  var scenarios = ScenarioOptions()
  var options = Settings()

  static let groups =
    ScenarioOptions.groups.map { $0.inside(\Self.scenarios) }
    + SettingOptions.sendingScenarios.map { $0.inside(\Self.options) }

  func run(_ context: Context) throws -> Report {
    try RunScenarios(scenarios, options: options, context.telling(options)).run()
  }
}
