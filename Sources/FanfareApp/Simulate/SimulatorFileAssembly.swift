internal import APNS
internal import HTTP2
internal import JSONText
internal import Projects

/// Puts an `.apns` file together from options, a scenario and variables.
struct SimulatorFileAssembly {
  private let command: SimulateCommand
  private let context: Context

  init(_ command: SimulateCommand, _ context: Context) {
    self.command = command
    self.context = context
  }

  /// A file without a broken rule, and when its turn is.
  struct Step {
    let file: SimulatorFile
    /// What tells it from other files of its scenario; nil for the only one.
    let name: String?
    /// How long to wait before it is pushed.
    let pauseMilliseconds: Int
  }

  /// The files: of a scenario one for each step.
  func steps() throws(Failure) -> [Step] {
    guard let path = command.scenario else {
      return [Step(file: try file(nil, nil), name: nil, pauseMilliseconds: 0)]
    }
    let scenario = try readScenario(path)
    return try scenario.steps.map { (step) throws(Failure) in
      Step(
        file: try file(scenario, step), name: scenario.steps.count > 1 ? "\(step.number)" : nil,
        pauseMilliseconds: step.pauseMilliseconds)
    }
  }

  private func file(_ scenario: Scenario?, _ step: ScenarioStep?) throws(Failure) -> SimulatorFile {
    let layer = step.flatMap { scenario?.settings(for: $0) } ?? Settings()
    let settings = try command.options.merged(over: layer, reading: [.what, .headers], context)
    var assembly = DraftAssembly(settings, else: step?.payload, context)
    assembly.isToBeSent = false
    if scenario == nil {
      assembly.presumedType = settings.payload.flatMap { PushType(namedByFolderOf: $0.value) }
    }
    let draft = try filled(try assembly.draft(), assembly.variables)
    let bundleID = try bundleID(scenario, assembly.simulatorTarget, draft, settings)
    do throws(BrokenRules) {
      return try SimulatorFile(draft, for: bundleID, in: rules)
    } catch {
      throw .problems(error.problems)
    }
  }

  /// A simulator fills nothing in.
  private func filled(_ draft: Draft, _ variables: [String: JSON]) throws(Failure) -> Draft {
    do throws(BrokenRules) {
      return try Template(draft, variables: variables, in: rules)?.filled() ?? draft
    } catch {
      throw .problems(error.problems)
    }
  }

  private var rules: RuleContext {
    RuleContext(now: context.clock.epochSeconds, audience: .simulator)
  }

  /// The option first, then what a file says, then variable and profile.
  private func bundleID(
    _ scenario: Scenario?, _ target: JSON?, _ draft: Draft, _ settings: Settings
  ) throws(Failure) -> BundleID {
    if let said = command.options.bundleID { return try read(said.value, from: said.origin.text) }
    if let said = scenario?.bundleID {
      return try read(said.value, from: "\(scenario?.file ?? ""): bundleID")
    }
    if let target { return try read(target, of: draft) }
    guard let said = settings.bundleID else {
      throw .missingOption("--bundle-id ID")
    }
    return try read(said.value, from: said.origin.text)
  }

  private func read(_ target: JSON, of draft: Draft) throws(Failure) -> BundleID {
    let problems = RuleTable.simulatorProblems(in: draft.addressed(to: target), rules)
    let isGood = problems.allSatisfy { $0.rule != "simulator-target" }
    guard isGood, let id = target.string.flatMap({ try? BundleID($0) }) else {
      throw .problems(problems)
    }
    return id
  }

  private func read(_ text: String, from setting: String) throws(Failure) -> BundleID {
    if let id = try? BundleID(text) { return id }
    throw .badSetting(name: setting, text: text, expected: "a bundle ID, such as com.example.app")
  }
}
