internal import APNS
internal import Projects
internal import Recipients

// Which options and scenarios cannot be used together.
extension RunScenarios {
  /// Standard input can be read once: as a scenario, or by one option.
  func refuseTwoInputs() throws(Failure) {
    let reading =
      scenarios.files.filter { $0 == "-" }.map { _ in "scenario -" }
      + options.readingStandardInput.map { "\($0) -" }
      + (scenarios.script == "-" ? ["--script -"] : [])
    if reading.count > 1 { throw .conflict(reading[0], reading[1]) }
  }

  /// The results of pushes may stand before the summary in JSON; a report stands alone.
  func refuseTwoOutputs() throws(Failure) {
    let reports = scenarios.reports.filter { $0.path == "-" }.map { "--\($0.form.rawValue) -" }
    let others =
      (options.results?.value == "-" ? ["--results -"] : [])
      + (options.json.isOn ? ["--json"] : [])
    if let report = reports.first, let other = (reports.dropFirst() + others).first {
      throw .conflict(report, other)
    }
  }

  /// What can be read only once cannot be sent to by several steps.
  func refuseReadingTwice(_ suite: ScenarioSuite) throws(Failure) {
    if suite.stepCount < 2 { return }
    let several = suite.scenarios.count > 1 ? "several scenarios" : "several steps"
    if let option = options.readingStandardInput.first {
      throw .conflict("\(option) -", several)
    }
    let given = options.recipientSources
    if let once = given.first(where: \.isReadOnce) {
      throw .conflict("--tokens \(once.name)", several)
    }
    var seen: Set<String> = []
    let used = given.isEmpty ? suite.scenarios.flatMap { $0.steps.flatMap(\.recipients) } : []
    for list in used where list.isReadOnce && !seen.insert(list.name).inserted {
      throw .conflict("list \(list.name), which can be read once,", several)
    }
  }

  /// Requests that are printed have no report.
  func refuseIdleReports() throws(Failure) {
    guard options.dryRun.isOn, let report = scenarios.reports.first else { return }
    throw .conflict("--dry-run", "--\(report.form.rawValue)")
  }

  /// A report that is written over what is read, or over another, would be lost or lose it.
  func refuseOverwriting(_ suite: ScenarioSuite) throws(Failure) {
    var used =
      suite.scenarios.map(\.file) + [scenarios.script, options.payload?.value].compactMap(\.self)
      + (options.recipientSources + suite.scenarios.flatMap { $0.steps.flatMap(\.recipients) })
      .compactMap { if case .file(let path) = $0 { path } else { nil } }
      + [options.results?.value, options.deadTokens?.value].compactMap(\.self)
    for (form, path) in scenarios.reports where path != "-" {
      if used.contains(where: { $0 == path || areSameFile($0, path) }) {
        throw .overwrites(option: "--\(form.rawValue)", path: path)
      }
      used.append(path)
    }
  }

  /// A script needs a step that sends to the emulator.
  func refuseIdleScript(_ prepared: [PreparedScenario]) throws(Failure) {
    guard scenarios.script != nil else { return }
    let servers = prepared.flatMap { $0.steps.map(\.destination.server.environment) }
    if !servers.contains(.emulator) { throw .missingOption("--env emulator") }
  }
}
