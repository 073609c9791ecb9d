internal import APNS
internal import CommandLineKit
internal import Delivery
internal import PlainText
internal import Projects

/// `fanfare run`
struct RunScenarios: FanfareCommand, Equatable {
  static let info = CommandInfo(
    "run", "Run scenario files.",
    discussion: """
      A scenario says what to send, to whom, where, and what must come back, in JSON5. Of a folder \
      all scenarios are run. Options override what a scenario says; --to and --tokens replace its \
      recipients. Nothing is sent unless nothing is wrong with any of them.

      A step that is not as expected is the last of its scenario; the others go on. Without an \
      expectation everything has to be accepted.
      """,
    examples: [
      Example(
        "fanfare run scenarios/hello.json5 --env emulator",
        "Run a scenario with no Apple account."),
      Example(
        "fanfare run scenarios --env emulator --parallel 4 --junit report.xml",
        "Run all of a folder as tests, four at once, with a report for CI."),
      Example(
        "fanfare run scenarios/hello.json5 --tokens beta.txt --json",
        "The same to other recipients, with a line of JSON for each step."),
    ])

  var scenarios = ScenarioOptions()
  var options = SendingOptions()

  static let groups =
    ScenarioOptions.groups.map { $0.inside(\Self.scenarios) }
    + SendingOptions.groups.map { $0.inside(\Self.options) }

  func run(_ context: Context) throws -> ExitCode {
    try refuseTwoInputs()
    let suite = try ScenarioSuite(scenarios.files, only: scenarios.only, from: scenarios.from)
    try refuseReadingTwice(suite)
    let stops = StopGroup()
    let setting = ScenarioSetting(
      options: options,
      suppression: try Suppression(options, context.naming(options.server.profile)),
      common: CommonMeans(
        places: try CommonPlaces(script: scenarios.script), stops: stops,
        payload: try payload(), tellsProgress: scenarios.parallel.count == 1,
        tellsInference: suite.stepCount == 1 || options.telling.verbose),
      context: context)
    try refuseOverwriting(suite)
    try refuseIdleReports()
    if options.running.dryRun { return try dryRun(suite, setting) }
    let reports = try ReportFiles(scenarios, context)
    let prepared = try prepare(suite, setting)
    try refuseIdleScript(prepared)
    try setting.readSuppressed()
    try setting.openHistories(of: prepared)
    context.signals.take { stops.stop() }
    try createResults(context)
    let teller = ScenarioTeller(options.telling, scenarios, prepared, context)
    let ended = run(prepared, setting, teller)
    setting.common.links.close()
    return try end(ended, reports, teller, context)
  }

  /// What is wrong with any scenario has to be known before the first is sent.
  private func prepare(
    _ suite: ScenarioSuite, _ setting: ScenarioSetting
  ) throws(Failure) -> [PreparedScenario] {
    var faults = ScenarioFaults()
    var prepared: [PreparedScenario] = []
    for scenario in suite.scenarios {
      do throws(Failure) {
        prepared.append(try setting.prepare(scenario))
      } catch {
        faults.add(error, in: scenario.file)
      }
    }
    try faults.refuse(amongSeveral: suite.scenarios.count > 1)
    return prepared
  }

  private func payload() throws(Failure) -> [UInt8]? {
    guard let path = options.what.payload else { return nil }
    do throws(FileFailure) { return try readFile(path, for: "payload") } catch {
      throw .file(error)
    }
  }

  private func run(
    _ prepared: [PreparedScenario], _ setting: ScenarioSetting, _ teller: ScenarioTeller
  ) -> [ScenarioReport] {
    if scenarios.parallel.count > 1 {
      return ScenarioQueue(prepared, setting)
        .perform(atOnce: scenarios.parallel.count) { teller.tell($0) }
    }
    return prepared.map { scenario in
      teller.begin(scenario.scenario)
      return ScenarioRun(prepared: scenario, setting: setting).perform {
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
    _ suite: ScenarioSuite, _ setting: ScenarioSetting
  ) throws(Failure) -> ExitCode {
    for scenario in suite.scenarios {
      for step in scenario.steps { try setting.sending(step, of: scenario).rehearse() }
    }
    var codes: [ExitCode] = []
    for scenario in suite.scenarios {
      for step in scenario.steps { codes.append(try setting.sending(step, of: scenario).run()) }
    }
    return ExitCode.merged(codes)
  }

  /// Files that the results of all steps go to are begun once.
  private func createResults(_ context: Context) throws(Failure) {
    if let path = options.telling.results {
      _ = try ResultFile(path, continues: false, context)
    }
    if let path = options.telling.deadTokens { _ = try DeadTokenFile(path, continues: false) }
  }
}
