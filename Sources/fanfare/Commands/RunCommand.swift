internal import APNS
internal import CommandLineKit
internal import Delivery
internal import PlainText
internal import Projects

/// `fanfare run`
struct RunCommand: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "run", "Run scenario files.",
    discussion: """
      A scenario is a JSON5 file that says what to send, to whom, where, and what answer to \
      expect. A folder stands for all scenarios in it. Options override the scenario; --to and \
      --tokens replace its recipients. All scenarios are validated before any is sent.

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
    + SettingOptions.sending.map { $0.inside(\Self.options) }

  func run(_ context: Context) throws -> ExitCode {
    try refuseTwoInputs()
    let suite = try ScenarioSuite(scenarios.files, only: scenarios.only, from: scenarios.from)
    try refuseReadingTwice(suite)
    let common = try common(suite, context)
    try refuseOverwriting(suite)
    try refuseIdleReports()
    if options.dryRun.isOn { return try dryRun(suite, common) }
    let reports = try ReportFiles(scenarios, context)
    let prepared = try prepare(suite, common)
    try refuseIdleScript(prepared)
    try common.readSuppressed()
    try common.openHistories(of: prepared)
    context.signals.take { [cancellation = common.means.cancellation] in cancellation.cancel() }
    try createResults(context)
    let teller = ScenarioTeller(options, scenarios, prepared, context)
    let ended = run(prepared, common, teller)
    common.means.links?.close()
    return try end(ended, reports, teller, context)
  }

  private func common(
    _ suite: ScenarioSuite, _ context: Context
  ) throws(Failure) -> ScenarioMeans {
    let settings = try options.merged(reading: [.telling], context)
    return ScenarioMeans(
      options: options, suppression: try Suppression(settings, context),
      means: try RunResources(
        script: scenarios.script, links: LinkPools(), showsProgress: scenarios.parallel.count == 1),
      payload: try payload(),
      tellsInference: suite.stepCount == 1 || options.verbose.isOn, context: context)
  }

  /// What is wrong with any scenario has to be known before the first is sent.
  private func prepare(
    _ suite: ScenarioSuite, _ common: ScenarioMeans
  ) throws(Failure) -> [PreparedScenario] {
    var faults = ScenarioFaults()
    var prepared: [PreparedScenario] = []
    for scenario in suite.scenarios {
      do throws(Failure) {
        prepared.append(try common.prepare(scenario))
      } catch {
        faults.add(error, in: scenario.file)
      }
    }
    try faults.refuse(amongSeveral: suite.scenarios.count > 1)
    return prepared
  }

  private func payload() throws(Failure) -> [UInt8]? {
    guard let path = options.payload?.value else { return nil }
    do throws(FileFailure) { return try readFile(path, for: "payload") } catch {
      throw .file(error)
    }
  }

  private func run(
    _ prepared: [PreparedScenario], _ common: ScenarioMeans, _ teller: ScenarioTeller
  ) -> [ScenarioReport] {
    if scenarios.parallel.count > 1 {
      return ScenarioQueue(prepared, common)
        .perform(atOnce: scenarios.parallel.count) { teller.tell($0) }
    }
    return prepared.map { scenario in
      teller.begin(scenario.scenario)
      return ScenarioRun(prepared: scenario, common: common).perform {
        teller.tell($0, of: scenario.scenario)
      }
    }
  }

  private func end(
    _ reports: [ScenarioReport], _ files: ReportFiles, _ teller: ScenarioTeller,
    _ context: Context
  ) throws(Failure) -> ExitCode {
    teller.end(reports)
    let code = ExitCode.merged(reports.flatMap { $0.steps.map(\.exitCode) })
    try files.write(reports, after: code)
    return code
  }

  private func dryRun(
    _ suite: ScenarioSuite, _ common: ScenarioMeans
  ) throws(Failure) -> ExitCode {
    var steps: [RunStep] = []
    for scenario in suite.scenarios {
      for step in scenario.steps { steps.append(try RunStep(step, of: scenario, common)) }
    }
    for step in steps { try step.rehearse() }
    return ExitCode.merged(try steps.map { (step) throws(Failure) in try step.dryRun() })
  }

  /// Files that the results of all steps go to are begun once.
  private func createResults(_ context: Context) throws(Failure) {
    if let path = options.results?.value {
      _ = try ResultFile(path, continues: false, context)
    }
    if let path = options.deadTokens?.value { _ = try DeadTokenFile(path, continues: false) }
  }
}
