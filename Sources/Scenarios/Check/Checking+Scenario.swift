internal import APNS
internal import PushModel
internal import Recipients
internal import Reporting
internal import Runs
internal import Settings

// Scenarios.
extension Checking {
  func scenario(_ path: String) throws(Failure) -> [CheckedFile] {
    var checked = CheckedFile(file: path, kind: .scenario)
    do throws(Failure) {
      let (written, problems) = try readScenarioInPart(path, context)
      let scenario = written.sending(to: options.channel)
      try add(scenario, besides: problems, to: &checked)
      // A value that is not a path could be the key itself.
      if !problems.contains(where: { $0.place.description.hasPrefix("credentials") }) {
        let faults = scenario.settings.credentialFaults(context)
        checked.problems += faults.map { Problem($0, in: path) }
      }
      let steps = scenario.steps.filter { options.counting(for: $0).recipientSources.isEmpty }
      let lists = steps.flatMap(\.recipients).compactMap(\.source).filter {
        if case .file = $0 { true } else { false }
      }
      let others = lists.map(list) + (scenario.script.map { [script($0)] } ?? [])
      return ([checked] + others).map { file in
        var owned = file
        owned.owner = path
        return owned
      }
    } catch {
      if case .usage = error.content { throw error }
      if error.cause(MistakenFile.self) != nil { return [script(path)] }
      checked.owner = path
      checked.problems += Problem.all(of: error, in: path)
      return [checked]
    }
  }

  /// The errors that prevent a scenario from being sent, as far as its files show them.
  ///
  /// - Parameter problems: the problems of its file.
  func errors(of scenario: Scenario, besides problems: [Problem]) -> [Problem] {
    var checked = CheckedFile(file: scenario.file, kind: .scenario)
    do throws(Failure) {
      try add(scenario, besides: problems, to: &checked)
    } catch {
      if case .problems(let more) = error.content { checked.problems += more }
    }
    checked.problems += missingLists(of: scenario)
    let isForced = options.force.isOn
    return shown(checked.problems, of: scenario.file).filter { problem in
      // A push without a value is skipped, and the others are sent.
      problem.severity == .error && problem.rule != "placeholder-unfilled"
        && !(isForced && problem.isForceable)
    }
  }

  private func missingLists(of scenario: Scenario) -> [Problem] {
    if !options.recipientSources.isEmpty { return [] }
    let paths = scenario.steps.flatMap(\.recipients).compactMap { $0.source?.path }
    return Set(paths.filter { !fileExists($0) }).sorted().map { path in
      Problem(.list(ListError(list: path, fault: .missing)), in: path)
    }
  }

  /// Adds the problems of a scenario's file and of its steps. If the file was not read completely,
  /// steps may lack values that it gives, so missing ones are not reported.
  private func add(
    _ scenario: Scenario, besides problems: [Problem], to checked: inout CheckedFile
  ) throws(Failure) {
    checked.problems += problems
    for step in scenario.steps {
      var part = try self.step(step, of: scenario, scenario.file)
      if !problems.isEmpty {
        part.problems.removeAll { $0.line == nil || $0.rule == "placeholder-unfilled" }
        part.fillings = []
      }
      checked.add(part, isFirst: step.number == 1)
    }
  }

  private func step(
    _ step: ScenarioStep, of scenario: Scenario, _ path: String
  ) throws(Failure) -> CheckedFile {
    let options = options.counting(for: step)
    let (sources, devices, unknown) = try recipients(of: step, options.recipientSources)
    let order = try DraftOrder(
      options, step, of: scenario, to: (sources, devices), reading: Self.parts, context)
    let file = CheckedFile(file: path, kind: .scenario)
    var checked = try draft(of: order, file, for: scenario)
    checked.problems += unknown
    if let place = order.settings.environment?.value.named, let token = sources.oddToken(for: place)
    {
      checked.problems.append(.oddToken(token, in: step))
    }
    // Single device tokens have no variables, so what is missing now will be missing then.
    if !sources.isEmpty, !sources.haveVariables, let missing = checked.variables.first {
      checked.problems.append(.unfilled(missing, in: step))
      checked.fillings = []
    }
    checked.fillings = checked.fillings.map { RowFilling(template: $0.template, sources: sources) }
    return checked
  }

  /// The recipients of a step, and the names that are unknown.
  ///
  /// - Parameter given: the recipients from options.
  private func recipients(
    of step: ScenarioStep, _ given: [RecipientSource]
  ) throws(Failure) -> (sources: [RecipientSource], devices: [Device], unknown: [Problem]) {
    if !given.isEmpty { return (given, [], []) }
    if step.channel != nil { return ([.channel(Scenario.channelToCome)], [], []) }
    var (sources, devices, unknown): ([RecipientSource], [Device], [Problem]) = ([], [], [])
    for recipient in step.recipients {
      do throws(Failure) {
        let found = try context.found([recipient])
        sources += found.sources
        devices += found.devices
      } catch {
        guard let fault = error.cause(DeviceError.self), case .device(_, _, let origin) = recipient
        else { throw error }
        let (what, fix) = fault.clauses
        unknown.append(
          Problem(
            .error, rule: "device", at: .other("recipients"), from: origin, message: what,
            fix: fix, isForceable: false))
      }
    }
    return (sources, devices, unknown)
  }
}
