internal import CommandLineKit
internal import PlainText
internal import PushCore

/// `fanfare run`
struct RunScenarios: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "run", "Run scenario files.",
    discussion: """
      A scenario says what to send, to whom, and where, in JSON5. Options override what it says; \
      --to and --tokens replace its recipients. Several scenarios are run one after the other.
      """,
    examples: [
      Example(
        "fanfare run scenarios/hello.json5 --env emulator",
        "Run a scenario with no Apple account."),
      Example(
        "fanfare run scenarios/hello.json5 --tokens beta.txt --json",
        "The same to other recipients, with a summary in JSON."),
    ])

  var options = SendingOptions()
  var files: [String] = []

  static let groups =
    [
      OptionGroup<Self>(
        "Scenarios",
        [
          .arguments(
            "file", \.files, help: "Scenario files.", isRequired: true, completion: .file)
        ])
    ] + SendingOptions.groups.map { $0.inside(\Self.options) }

  func run(_ context: Context) throws -> ExitCode {
    let scenarios = try files.map(readScenario)
    var codes: [ExitCode] = []
    for scenario in scenarios {
      announce(scenario, context)
      codes.append(try Sending(options: options, scenario: scenario, context: context).run())
      if let code = codes.last, code == .interrupted || code == .terminated { break }
    }
    return ExitCode.merged(codes)
  }

  private func announce(_ scenario: Scenario, _ context: Context) {
    guard !options.telling.quiet, let name = scenario.name else { return }
    context.errors.write("\(Style(hasColor: context.errors.hasColor).bold(name.printable))\n")
    context.errors.flush()
  }
}
