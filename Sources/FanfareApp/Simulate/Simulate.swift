internal import APNS
internal import HTTP2
internal import JSONText
internal import PlainText
package import Projects

/// Writes `.apns` files, and pushes them to a simulator.
package struct Simulate {
  /// The file of a scenario to take the notification from; nil for none.
  let scenario: String?
  let options: Settings
  /// The file to write, `-`, or a scenario's folder; nil when it was not given.
  let output: String?
  /// The simulator's name or UDID, or `booted`; nil pushes to none.
  let device: String?
  let context: Context

  package init(
    scenario: String?, options: Settings, output: String?, device: String?, context: Context
  ) {
    (self.scenario, self.options, self.output) = (scenario, options, output)
    (self.device, self.context) = (device, context)
  }

  package func run() throws(Failure) -> ExitCode {
    let steps = try steps()
    let isWritten = output != nil || device == nil
    if isWritten, steps.count > 1, output == nil || output == "-" {
      throw .missingOption("--output DIR")
    }
    for step in steps { context.warn([.problems(key: "problems", step.file.warnings)]) }
    if isWritten {
      for step in steps { try refuseOverwriting(step) }
      for step in steps { try write(step) }
    }
    if let device { try push(steps, to: device) }
    return context.signals.received ?? .success
  }

  /// Pushes the steps at their times.
  private func push(_ steps: [Step], to device: String) throws(Failure) {
    let cancellation = Cancellation()
    context.signals.take { cancellation.cancel() }
    for step in steps where !cancellation.isCancelled {
      cancellation.pause(milliseconds: step.pauseMilliseconds, context.clock)
      if !cancellation.isCancelled {
        try SimulatorPush(device: device, context: context).push(step.file)
      }
    }
  }

  private func write(_ step: Step) throws(Failure) {
    guard let output, output != "-" else { return context.output.write(step.file.bytes) }
    do throws(FileFailure) {
      if scenario != nil { try createFolder(output) }
      let path = path(for: step, in: output)
      try replaceFile(path, with: step.file.bytes, for: "simulator")
    } catch {
      throw .file(error)
    }
  }

  private func refuseOverwriting(_ step: Step) throws(Failure) {
    var used = FilesInUse(step.filesRead + options.filesRead(context) + context.configuration.paths)
    try used.claim("--output", output.map { path(for: step, in: $0) })
  }

  /// The output itself, or `simulator/hello.apns` for `scenarios/hello.json5`, and
  /// `simulator/ride-2.apns` for the second of several steps.
  private func path(for step: Step, in output: String) -> String {
    guard let scenario else { return output }
    let name = scenario.split(separator: "/").last ?? "scenario"
    let base = name.lastIndex(of: ".").map { name[..<$0] } ?? name
    return "\(output)/\(base)\(step.name.map { "-\($0)" } ?? "").apns"
  }
}

// The files.
extension Simulate {
  /// A file without a broken rule, and when its turn is.
  struct Step {
    let file: SimulatorFile
    /// What tells it from other files of its scenario; nil for the only one.
    let name: String?
    /// How long to wait before it is pushed.
    let pauseMilliseconds: Int
    /// The files of its scenario.
    let filesRead: [String]
  }

  /// A file for each step of a scenario, or the only one.
  func steps() throws(Failure) -> [Step] {
    guard let path = scenario else {
      return [
        Step(file: try file(of: nil, in: nil), name: nil, pauseMilliseconds: 0, filesRead: [])
      ]
    }
    let scenario = try readScenario(path, context)
    return try scenario.steps.map { (step) throws(Failure) in
      Step(
        file: try file(of: step, in: scenario),
        name: scenario.steps.count > 1 ? "\(step.number)" : nil,
        pauseMilliseconds: step.pauseMilliseconds, filesRead: scenario.filesRead)
    }
  }

  private func file(
    of step: ScenarioStep?, in scenario: Scenario?
  ) throws(Failure) -> SimulatorFile {
    let layer = step.flatMap { scenario?.settings(for: $0) } ?? Settings()
    let settings = try options.merged(over: layer, reading: [.what, .headers], context)
    var assembly = DraftAssembly(settings, else: step?.payload, context)
    assembly.isToBeSent = false
    if scenario == nil {
      assembly.presumedType = settings.payload.flatMap { PushType(namedByFolderOf: $0.value) }
    }
    let (draft, variables) = (try assembly.draft(), assembly.variables)
    // A simulator fills nothing in.
    let filled = try passing { () throws(BrokenRules) in
      try Template(draft, variables: variables, in: rules)?.filled() ?? draft
    }
    let isNamed = options.bundleID != nil || layer.bundleID != nil
    let id =
      if let target = assembly.simulatorTarget, !isNamed { try bundleID(target, of: filled) } else {
        try bundleID(settings, scenario)
      }
    return try passing { () throws(BrokenRules) in try SimulatorFile(filled, for: id, in: rules) }
  }

  private var rules: RuleContext {
    RuleContext(now: context.clock.epochSeconds, audience: .simulator)
  }

  /// The app that the payload's file names.
  private func bundleID(_ target: JSON, of draft: Draft) throws(Failure) -> BundleID {
    let problems = RuleTable.simulatorProblems(in: draft.addressed(to: target), rules)
    let isGood = problems.allSatisfy { $0.rule != "simulator-target" }
    guard isGood, let id = target.string.flatMap({ try? BundleID($0) }) else {
      throw .problems(problems)
    }
    return id
  }

  private func bundleID(_ settings: Settings, _ scenario: Scenario?) throws(Failure) -> BundleID {
    guard let said = settings.bundleID else { throw .missingOption("--bundle-id ID") }
    let isScenarios = said == scenario?.settings.bundleID
    return try BundleID(
      said.value, from: isScenarios ? "\(scenario?.file ?? ""): bundleID" : said.origin.text)
  }
}

/// Hands an `.apns` file to a simulator by way of `xcrun simctl push`.
private struct SimulatorPush {
  let device: String
  let context: Context

  /// Pushes the file. Only the exit status tells whether it worked: simctl writes to standard error
  /// in either case.
  ///
  /// - Throws: `Failure.missingProgram`, `.file`, or `.simulatorRefused`.
  func push(_ file: SimulatorFile) throws(Failure) {
    guard let xcrun = Subprocess(named: "xcrun", in: context.environment) else {
      throw .missingProgram("xcrun")
    }
    let id = file.bundleID
    let result: Subprocess.Result
    do throws(FileFailure) {
      result = try xcrun.run(["simctl", "push", device, id.text, "-"], input: file.bytes)
    } catch {
      throw .file(error)
    }
    for line in result.output.split(whereSeparator: \.isNewline) {
      context.errors.write("simctl: \(line.printable)\n")
    }
    guard result.status == 0 else {
      throw .simulatorRefused(device: device, bundleID: id.text, status: result.status)
    }
    context.errors.write("pushed to \(id) on \(device.printable)\n")
  }
}

extension Failure {
  static func missingProgram(_ name: String) -> Failure {
    Failure(
      "'\(name.printable)' was not found in PATH.",
      fix:
        "It comes with Xcode, on a Mac. Elsewhere write the file with --output and push it there.",
      .connection)
  }

  static func simulatorRefused(device: String, bundleID: String, status: Int32)
    -> Failure
  {
    Failure(
      "simctl push to '\(device.printable)' failed with status \(status).",
      fix: "Check that the simulator is running and that \(bundleID.printable) is installed on it.",
      .failure)
  }
}
