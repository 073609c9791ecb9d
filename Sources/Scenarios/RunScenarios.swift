internal import APNS
internal import Delivery
internal import PlainText
internal import Recipients
package import Reporting
internal import Runs
package import Settings

/// Runs scenario files, and tells what became of them.
package struct RunScenarios {
  let scenarios: ScenarioOptions
  /// The command line's settings, which override the scenario's; without the channel.
  private(set) var options: Settings
  /// The command line's channel, which replaces those of scenarios; nil for none.
  let channel: Setting<String>?
  let context: Context

  package init(_ scenarios: ScenarioOptions, options: Settings, _ context: Context) {
    (self.scenarios, self.options, self.context) = (scenarios, options, context)
    channel = options.channel
    self.options.channel = nil
  }

  /// - Throws: `Failure` if nothing was sent, or a report was lost.
  package func run() throws(Failure) -> Report {
    if scenarios.onlyLists {
      if options.json.isOn { throw .conflict("--list", "--json") }
      return try ScenarioSuite.list(scenarios.files, context)
    }
    if scenarios.files.isEmpty { throw .missingArgument("FILE") }
    var found = self
    found.options = try options.findingDevices(context)
    return try found.perform()
  }

  private func perform() throws(Failure) -> Report {
    try refuseTwoInputs()
    try refuseTwoOutputs()
    try refuseIdleReports()
    try options.refuseUnknownFields(Outputs.step, isOfStep: true, context)
    let suite = try ScenarioSuite(scenarios, options, channel, context)
    try refuse(suite.faults, of: suite)
    try refuseIdleTarget(suite)
    try refuseReadingTwice(suite)
    let common = try common(suite)
    if options.dryRun.isOn { return try dryRun(suite, common) }
    let (prepared, faults) = common.prepare(suite)
    try refuse(faults, of: suite)
    warnOfOddToken(in: prepared)
    try refuseIdleScript(prepared)
    try tellIdleScripts(of: prepared)
    try refuseOverwriting(suite, prepared)
    let question = question(prepared)
    if options.plan.isOn { return try question.report(options.json?.value) }
    try common.readSuppressed()
    try checkOutputs()
    try common.checkHistories(of: prepared)
    try question.put(context)
    let reports = try ReportFiles(scenarios.reports, context)
    common.resources.cancellation.listen(context, atMost: options.maxTime?.value)
    // Kept open: the reader of a named pipe would take a step's end for that of all.
    let results = try openResults()
    let ended = withExtendedLifetime(results) { send(prepared, common) }
    common.resources.links?.close()
    let code = ExitCode.merged(ended.flatMap(\.steps).map(\.exitCode))
    try reports.write(ended, after: code)
    return Report(code)
  }

  /// One question for all steps.
  private func question(_ prepared: [PreparedScenario]) -> RunQuestion {
    var question = RunQuestion()
    for step in prepared.flatMap(\.steps) { question.add(step.plan.question) }
    return question
  }

  private func warnOfOddToken(in prepared: [PreparedScenario]) {
    let token = prepared.lazy.flatMap(\.steps).compactMap(\.plan.oddToken).first
    if let token { context.teller.note([.oddToken(token)]) }
  }

  private func tellIdleScripts(of prepared: [PreparedScenario]) throws(Failure) {
    if scenarios.script != nil { return }
    for (what, fix) in prepared.compactMap(\.idleScript) {
      if options.strict.isOn { throw Failure(what + Strictness.clause, fix: fix) }
      context.teller.note([.warning(what, fix)])
    }
  }

  private func common(_ suite: ScenarioSuite) throws(Failure) -> ScenarioResources {
    let settings = try options.merged(reading: [.telling], context)
    return ScenarioResources(
      options: options, suppression: try Suppression(settings, context),
      resources: try RunResources(
        script: scenarios.script, links: LinkPools(), showsProgress: scenarios.parallel == 1),
      payload: try payload(),
      tellsInference: suite.stepCount == 1 || options.verbose.isOn, context: context)
  }

  private func payload() throws(Failure) -> [UInt8]? {
    try options.payload.map { (path) throws(Failure) in try readText(path.value, for: "payload") }
  }

  private func send(_ prepared: [PreparedScenario], _ common: ScenarioResources) -> [ScenarioReport]
  {
    let teller = ScenarioTeller(
      options, context, isOnlyStep: prepared.count == 1 && prepared[0].steps.count == 1,
      isOutputTaken: options.resultsTakeOutput || scenarios.reports.contains { $0.path == "-" })
    let ended =
      scenarios.parallel > 1
      ? ScenarioQueue(prepared, common, teller).perform(atOnce: scenarios.parallel)
      : prepared.map { scenario in
        teller.begin(scenario.scenario)
        return ScenarioRun(scenario, common).perform { teller.tell($0) }
      }
    teller.end(ended)
    return ended
  }

  private func dryRun(_ suite: ScenarioSuite, _ common: ScenarioResources) throws(Failure)
    -> Report
  {
    var steps: [RunStep] = []
    for scenario in suite.scenarios {
      for step in scenario.steps { steps.append(try RunStep(step, of: scenario, common)) }
    }
    for step in steps { try step.rehearse() }
    for note in suite.scenarios.compactMap(\.noteOfChannel) { context.teller.note(note) }
    return Report(
      .merged(try steps.map { (step) throws(Failure) in try step.dryRun().exitCode }))
  }

  /// Detects unwritable paths before anybody is asked, without making a file.
  private func checkOutputs() throws(Failure) {
    for (_, path) in scenarios.reports {
      let isShared = ReportFiles.isShared(path, context)
      try attempt(
        try checkWritable(path, for: ReportFiles.purpose, replacing: !isShared)
      ) { .file($0) }
    }
    try outputs().check()
  }

  /// Opens the files of results. The first step empties them.
  private func openResults() throws(Failure) -> RunOutputs {
    try RunOutputs(try outputs(), showsProgress: false, context)
  }

  private func outputs() throws(Failure) -> OutputChoices {
    var options = options
    options.template = nil
    return try OutputChoices(options, isOfStep: true, context)
  }
}

// Scenarios that cannot be run.
extension RunScenarios {
  /// Reports the faults of scenarios in the same reports as other outcomes.
  ///
  /// - Throws: `Failure` with all faults, if there are any.
  private func refuse(_ faults: ScenarioFaults, of suite: ScenarioSuite) throws(Failure) {
    let isOfSeveral = max(suite.files.count, suite.scenarios.count) > 1
    guard let failure = faults.failure(amongSeveral: isOfSeveral) else { return }
    do throws(Failure) {
      try report(suite.reports(of: faults), of: suite)
    } catch {
      throw .several([failure, error])
    }
    throw failure
  }

  private func report(_ ended: [ScenarioReport], of suite: ScenarioSuite) throws(Failure) {
    if options.plan.isOn { return }
    if let fields = options.json?.value, !options.dryRun.isOn {
      for step in ended.flatMap(\.steps) { context.teller.data.write(fields.line(step.json)) }
    }
    if scenarios.reports.isEmpty { return }
    var used = FilesInUse(filesNamed(by: suite))
    for (form, path) in scenarios.reports { try used.claim("--\(form.rawValue)", path) }
    try ReportFiles(scenarios.reports, context).write(ended, after: .usage)
  }

  /// The input files of the scenarios, as far as known for those that cannot be run.
  private func filesNamed(by suite: ScenarioSuite) -> [String] {
    let named = suite.scenarios.flatMap { scenario in
      let settings = (try? options.merged(over: scenario.settings, context)) ?? scenario.settings
      let recipients = scenario.steps.flatMap(\.recipients).compactMap { $0.source?.path }
      return settings.filesRead(context) + settings.historyFiles + scenario.filesRead + recipients
        + [scenario.script].compactMap(\.self)
    }
    let profiles = (try? context.configuration.profiles())?.files.flatMap(\.profiles) ?? []
    return suite.files + named + options.filesRead(context) + options.historyFiles
      + [scenarios.script].compactMap(\.self) + context.configuration.allPaths
      + profiles.flatMap { $0.settings.filesRead(context) }
  }
}

// Combinations of options and scenarios that are refused.
extension RunScenarios {
  /// Refuses a second use of standard input, by a scenario or an option.
  func refuseTwoInputs() throws(Failure) {
    let reading =
      scenarios.files.filter { $0 == "-" }.map { _ in "scenario -" }
      + options.readingStandardInput.map { "\($0) -" }
      + (scenarios.script == "-" ? ["--script -"] : [])
    try context.readInput(for: reading)
  }

  /// Refuses a second use of standard output. Only results may share it, with the JSON summary.
  func refuseTwoOutputs() throws(Failure) {
    let reports = scenarios.reports.filter { $0.path == "-" }.map { "--\($0.form.rawValue) -" }
    let others =
      (options.results?.value == "-" ? ["--results -"] : [])
      + (options.template != nil ? ["--template"] : [])
      + (options.json.isOn ? ["--json"] : [])
    if let report = reports.first, let other = (reports.dropFirst() + others).first {
      throw .conflict(report, other)
    }
  }

  /// Refuses several steps that send to an input that can be read only once.
  func refuseReadingTwice(_ suite: ScenarioSuite) throws(Failure) {
    if suite.stepCount < 2 { return }
    let several = suite.scenarios.count > 1 ? "scenarios" : "steps"
    func readOnce(_ name: String) -> Failure {
      .usage("'\(name.printable)' can be read only once, so not by several \(several).")
    }
    let toDevices = suite.scenarios.flatMap(\.steps).count { $0.channel == nil }
    if let option = options.readingStandardInput.first(where: {
      !["--to", "--tokens"].contains($0) || toDevices > 1
    }) {
      throw readOnce("\(option) -")
    }
    let given = options.recipientSources
    if toDevices > 1, let once = given.first(where: \.isReadOnce) {
      throw readOnce("--tokens \(once.name)")
    }
    var seen: Set<String> = []
    let used = given.isEmpty ? suite.recipientLists : []
    for list in used where list.isReadOnce && !seen.insert(list.name).inserted {
      throw readOnce("list \(list.name)")
    }
  }

  /// Refuses recipients and channels that no step uses.
  func refuseIdleTarget(_ suite: ScenarioSuite) throws(Failure) {
    let steps = suite.scenarios.flatMap(\.steps)
    if !options.recipientSources.isEmpty, steps.allSatisfy({ $0.channel != nil }) {
      throw .usage(
        "'\(options.to == nil ? "--tokens" : "--to")' names device tokens, and every step goes to a "
          + "channel: give --channel ID for another channel.")
    }
    if channel != nil, steps.allSatisfy({ $0.channel == nil }),
      suite.scenarios.allSatisfy({ $0.channel == nil })
    {
      throw .usage("'--channel' names a channel, and every step goes to device tokens.")
    }
  }

  /// Refuses reports of a dry run: it has none.
  func refuseIdleReports() throws(Failure) {
    guard options.dryRun.isOn, let report = scenarios.reports.first else { return }
    throw .conflict("--dry-run", "--\(report.form.rawValue)")
  }

  /// Refuses outputs that would overwrite an input of any step, or another output.
  func refuseOverwriting(
    _ suite: ScenarioSuite, _ prepared: [PreparedScenario]
  ) throws(Failure) {
    var used = FilesInUse(
      suite.files + [scenarios.script].compactMap(\.self)
        + prepared.flatMap { $0.steps.flatMap(\.filesInUse) })
    try used.claim("--results", options.results?.value)
    try used.claim("--dead-tokens", options.deadTokens?.value)
    for (form, path) in scenarios.reports { try used.claim("--\(form.rawValue)", path) }
  }

  /// Refuses a script if no step sends to the emulator.
  func refuseIdleScript(_ prepared: [PreparedScenario]) throws(Failure) {
    guard scenarios.script != nil else { return }
    let servers = prepared.flatMap { $0.steps.map(\.plan.destination.server.environment) }
    if !servers.contains(.emulator) { throw .missingOption("--env emulator") }
  }
}
