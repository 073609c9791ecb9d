internal import CommandLineKit
internal import PlainText
internal import PushCore

/// `fanfare run`
struct RunScenarios: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "run", "Run scenario files.",
    discussion: """
      A scenario says what to send, to whom, and where, in JSON5. Options override what it says; \
      --to and --tokens replace its recipients. Several scenarios are run one after the \
      other, once it is known that nothing is wrong with any of them.
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
    try refuseTwoInputs()
    let suppression = try Suppression(options, context.naming(options.server.profile))
    let sendings = try files.map(readScenario).enumerated().map { index, scenario in
      let (options, context) = try options.settled(for: scenario, context)
      return Sending(
        options: options, scenario: scenario, step: scenario.steps.first, context: context,
        continuesResults: index > 0,
        suppression: suppression)
    }
    // What is wrong with a later one has to be known before the first is sent.
    if sendings.count > 1 { for sending in sendings { try sending.rehearse() } }
    var codes: [ExitCode] = []
    for sending in sendings where !codes.contains(.interrupted) && !codes.contains(.terminated) {
      announce(sending.scenario?.name, context)
      codes.append(try sending.run())
    }
    return ExitCode.merged(codes)
  }

  /// Standard input can be read once: as a scenario, or by one option of one scenario.
  private func refuseTwoInputs() throws(Failure) {
    let scenarios = files.count { $0 == "-" }
    if scenarios > 1 { throw .usage(.conflict("scenario -", "scenario -")) }
    guard let option = options.readingStandardInput.first else { return }
    if scenarios > 0 { throw .usage(.conflict("scenario -", "\(option) -")) }
    if files.count > 1 { throw .usage(.conflict("\(option) -", "several scenarios")) }
  }

  private func announce(_ name: String?, _ context: Context) {
    guard !options.telling.quiet, let name else { return }
    context.errors.write("\(Style(hasColor: context.errors.hasColor).bold(name.printable))\n")
    context.errors.flush()
  }
}
