internal import APNS
internal import HTTP2
internal import JSONText
internal import PlainText
package import Reporting
internal import Runs
internal import Scenarios
package import Settings

/// Writes `.apns` files, or pushes them to a simulator.
package struct Simulate {
  /// The scenario or payload file to read the notification from, or a folder of them; nil for none.
  let scenario: String?
  let options: Settings
  /// The file to write, `-`, or the folder for several; nil if not given.
  let output: String?
  /// The simulator's name or UDID, or `booted`; nil to push to none.
  let device: String?
  let context: Context

  package init(
    scenario: String?, options: Settings, output: String?, device: String?, context: Context
  ) {
    (self.scenario, self.options, self.output) = (scenario, options, output)
    (self.device, self.context) = (device, context)
  }

  package func run() throws(Failure) -> Report {
    let isWritten = output != nil || device == nil
    let needsFolder = isWritten && output ?? "-" == "-"
    if needsFolder, let scenario, FolderListing.isFolder(scenario) {
      throw .missingOption("--output DIR")
    }
    let steps = try steps()
    if needsFolder, steps.count > 1 { throw .missingOption("--output DIR") }
    for step in steps { context.teller.warn([.problems(key: "problems", step.file.warnings)]) }
    if isWritten {
      let read = steps.flatMap(\.filesRead)
      for step in steps { try refuseOverwriting(read, with: step) }
      for step in steps { try write(step) }
    }
    if let device { try push(steps, to: device) }
    return Report(context.signals.received ?? .success)
  }

  /// Pushes each step at its time.
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
    guard let output, output != "-" else { return context.teller.data.write(step.file.bytes) }
    do throws(FileFailure) {
      let path = path(for: step, in: output)
      if step.name != nil { try createFolders(of: path) }
      try replaceFile(path, with: step.file.bytes, for: "simulator")
    } catch {
      throw .file(error)
    }
  }

  private func refuseOverwriting(_ read: [String], with step: Step) throws(Failure) {
    var used = FilesInUse(read + options.filesRead(context) + context.configuration.allPaths)
    try used.claim("--output", output.map { path(for: step, in: $0) })
  }

  /// The output itself, or a file in it named after the step.
  private func path(for step: Step, in output: String) -> String {
    step.name.map { "\(output)/\($0).apns" } ?? output
  }
}

// The files.
extension Simulate {
  /// A file without broken rules, and its time.
  struct Step {
    let file: SimulatorFile
    /// The name in the output folder, without extension; nil for the only file.
    let name: String?
    /// The wait before it is pushed.
    let pauseMilliseconds: Int
    /// The files that it is made from.
    let filesRead: [String]
  }

  /// A file per step of a scenario, per file of a folder, or a single one.
  func steps() throws(Failure) -> [Step] {
    guard let path = scenario else {
      return [
        Step(file: try file(of: nil, in: nil), name: nil, pauseMilliseconds: 0, filesRead: [])
      ]
    }
    if FolderListing.isFolder(path) { return try steps(inFolder: path) }
    if FileKind(path: path)?.lookingInto(path) == .payload {
      let file = try file(of: nil, in: nil, options.withPayload(path))
      return [Step(file: file, name: nil, pauseMilliseconds: 0, filesRead: [path])]
    }
    return try steps(
      ofScenario: path, name: Self.withoutEnding(path.split(separator: "/").last ?? ""))
  }

  /// `hello` for `scenarios/hello.json5`, and `ride-2` for the second of several steps.
  private func steps(ofScenario path: String, name: String) throws(Failure) -> [Step] {
    let scenario = try readScenario(path, context)
    return try scenario.steps.map { (step) throws(Failure) in
      Step(
        file: try file(of: step, in: scenario),
        name: scenario.steps.count > 1 ? "\(name)-\(step.number)" : name,
        pauseMilliseconds: step.pauseMilliseconds, filesRead: scenario.filesRead)
    }
  }

  private static func withoutEnding(_ path: some StringProtocol) -> String {
    path.lastIndex(of: ".").map { String(path[..<$0]) } ?? String(path)
  }

  /// - Parameter options: the command line's, with the payload's file.
  private func file(
    of step: ScenarioStep?, in scenario: Scenario?, _ options: Settings? = nil
  ) throws(Failure) -> SimulatorFile {
    let options = options ?? self.options
    let order = try order(options, of: step, in: scenario)
    try order.requireTrust(context)
    let settings = order.settings
    if scenario == nil { try settings.refuseNothing() }
    var assembly = order.unsent
    let (draft, variables) = (try assembly.draft(), assembly.variables)
    // A simulator does not fill in placeholders.
    let filled = try passing { () throws(BrokenRules) in
      try Template(draft, variables: variables, in: rules)?.filled() ?? draft
    }
    let isNamed = options.bundleID != nil || scenario?.settings.bundleID != nil
    let id =
      if let target = assembly.simulatorTarget, !isNamed { try bundleID(target, of: filled) } else {
        try bundleID(settings, scenario)
      }
    return try passing { () throws(BrokenRules) in try SimulatorFile(filled, for: id, in: rules) }
  }

  private func order(
    _ options: Settings, of step: ScenarioStep?, in scenario: Scenario?
  ) throws(Failure) -> DraftOrder {
    let parts: Set<SettingField.Part> = [.what, .headers]
    guard let step, let scenario else {
      return try DraftOrder(options, reading: parts, context)
    }
    return try DraftOrder(options, step, of: scenario, reading: parts, context)
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

// Folders.
extension Simulate {
  /// A file for each payload and each scenario step in a folder, in matching subfolders. Pushes
  /// that simulators do not take are left out.
  private func steps(inFolder folder: String) throws(Failure) -> [Step] {
    try options.refusePayload(beside: folder)
    let listing = FolderListing(folder)
    if let (path, code) = listing.unreadable.min(by: { $0.key < $1.key }) {
      throw .file(FileFailure(path: path, action: .read, fault: .system(code), purpose: "folder"))
    }
    let files = listing.files.map { (path: $0, kind: FileKind(foundAt: $0)) }
    let scenarios = ScenarioFolder(
      files.filter { $0.kind == .scenario }.map(\.path), home: context.environment["HOME"]
    ) { try? readFile($0, for: "scenario") }.scenarios
    let wanted = files.filter { $0.kind == .payload || scenarios.contains($0.path) }.map(\.path)
    if wanted.isEmpty { throw .nothingToSimulate(folder: folder) }
    var faults = ScenarioFaults()
    let made = faults.gather(wanted, at: { .init(file: $0) }) { (path) throws(Failure) in
      try self.steps(of: path, in: folder)
    }
    if let failure = faults.failure(amongSeveral: true) { throw failure }
    let steps = made.joined().map(\.self)
    if steps.isEmpty { throw .nothingToSimulate(folder: folder) }
    try refuseSharedNames(steps)
    return steps
  }

  private func steps(of path: String, in folder: String) throws(Failure) -> [Step] {
    let below = path.dropFirst(folder.count).drop { $0 == "/" }
    do throws(Failure) {
      if FileKind(foundAt: path)?.lookingInto(path) == .scenario {
        return try steps(ofScenario: path, name: Self.withoutEnding(below))
      }
      var options = options
      options.payload = Setting(path, .setting("--payload"))
      return [
        Step(
          file: try file(of: nil, in: nil, options), name: Self.withoutEnding(below),
          pauseMilliseconds: 0, filesRead: [path])
      ]
    } catch {
      if case .usage = error.content { throw .unnamedApp }
      guard error.problems.contains(where: { $0.rule == "simulator-type" }) else { throw error }
      context.teller.warn(
        "\(path.printable): left out: a simulator takes alert and background pushes only")
      return []
    }
  }

  /// Refuses files whose names differ only by extension: they would share an output.
  private func refuseSharedNames(_ steps: [Step]) throws(Failure) {
    var known: [String: String] = [:]
    for step in steps {
      guard let name = step.name, let file = step.filesRead.first else { continue }
      if let other = known.updateValue(file, forKey: name) {
        throw .sharedName(name, files: [other, file])
      }
    }
  }
}

/// Pushes an `.apns` file to a simulator with `xcrun simctl push`.
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
      context.teller.warn("simctl: \(line.printable)")
    }
    guard result.status == 0 else {
      throw .simulatorRefused(device: device, bundleID: id.text, status: result.status)
    }
    context.teller.warn("pushed to \(id) on \(device.printable)")
  }
}

extension Failure {
  fileprivate static func nothingToSimulate(folder: String) -> Failure {
    Failure(
      "The folder \(folder.printable) has no payload and no scenario for a simulator.",
      fix: "Payloads are .json and .apns files, scenarios .json5 files.")
  }

  fileprivate static var unnamedApp: Failure {
    Failure("No app is named.", fix: "Give --bundle-id ID.")
  }

  fileprivate static func sharedName(_ name: String, files: [String]) -> Failure {
    Failure(
      "\(files.map(\.printable).joined(separator: " and ")) would both become "
        + "\(name.printable).apns.", fix: "Rename one of them.")
  }

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
