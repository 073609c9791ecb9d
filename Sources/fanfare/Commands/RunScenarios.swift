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
    let sendings = try files.map(readScenario).enumerated().map { index, scenario in
      Sending(options: options, scenario: scenario, context: context, continuesResults: index > 0)
    }
    if sendings.count > 1 { try rehearse(sendings) }
    var codes: [ExitCode] = []
    for sending in sendings where !codes.contains(.interrupted) && !codes.contains(.terminated) {
      announce(sending.scenario?.name, context)
      codes.append(try sending.run())
    }
    return ExitCode.merged(codes)
  }

  /// Nothing is sent while any of the scenarios has something wrong with it.
  private func rehearse(_ sendings: [Sending]) throws(Failure) {
    if let option = options.readingStandardInput.first {
      throw .usage(.conflict("\(option) -", "a second scenario"))
    }
    for sending in sendings { try sending.rehearse() }
  }

  private func announce(_ name: String?, _ context: Context) {
    guard !options.telling.quiet, let name else { return }
    context.errors.write("\(Style(hasColor: context.errors.hasColor).bold(name.printable))\n")
    context.errors.flush()
  }
}
