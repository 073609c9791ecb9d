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
      expect. A folder stands for all scenarios in it, and a name for the scenario called so in \
      the folder 'scenarios', here or beside fanfare.json; --list shows the names. Options \
      override the scenario; --to and --tokens replace its recipients, --channel its channel. All \
      scenarios are validated before any is sent.

      A step that does not meet its expectation ends its scenario; other scenarios continue. \
      Without an expectation, every push must be accepted.
      """,
    examples: [
      Example(
        "fanfare run scenarios/hello.json5 --env emulator",
        "Run a scenario without an Apple account."),
      Example("fanfare run --list", "The scenarios in the folder 'scenarios'."),
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
    let run = RunScenarios(scenarios, options: options, context.telling(options))
    return try options.report { () throws(Failure) in try run.run() }
  }
}

extension ScenarioOptions {
  static let groups = [
    OptionGroup<Self>(
      "Scenarios",
      [
        .arguments(
          "file", \.files, help: "Scenario files, folders of them, and names of scenarios.",
          completion: .file),
        .flag("list", \.onlyLists, help: "List the scenarios, and run none."),
        .option("only", \.only, value: "NAME", help: "Run the scenarios of this name only."),
        .option(
          "from", \.from, value: "STEP",
          help: "Begin with the step of this number, after another run of the scenario."),
        .option(
          "parallel", of: ParallelCount.self, value: "N", defaultText: "1",
          help: "How many scenarios to run at once, at most 64."
        ) { options, word, _ in options.parallel = word.count },
        .option(
          "script", \.script, value: "FILE", help: "What the emulator does: a bad day in JSON5.",
          completion: .file),
      ]),
    OptionGroup(
      "Reports",
      [
        .option(
          "junit", \.junit, value: "FILE", help: "A report in JUnit's XML, for CI.",
          completion: .file),
        .option(
          "tap", \.tap, value: "FILE", help: "A report in the Test Anything Protocol.",
          completion: .file),
        .option(
          "markdown", \.markdown, value: "FILE",
          help: "A report in Markdown, for the summary of a CI job.", completion: .file),
      ]),
  ]
}

/// The number of scenarios to run at once.
struct ParallelCount: ArgumentValue {
  let count: Int

  init(argument word: String) throws(BadValue) {
    guard let count = Int(word), 1...64 ~= count else { throw .expected("a number from 1 to 64") }
    self.count = count
  }

  var argumentText: String { String(count) }
}
