internal import APNS
internal import PlainText
internal import Recipients
internal import Reporting
internal import Settings

/// The scenarios to run, and the reports to write.
package struct ScenarioOptions: Sendable, Equatable {
  /// Files, folders, and names of scenarios.
  package var files: [String] = []
  /// Lists the scenarios, and runs none.
  package var onlyLists = false
  package var only: [String] = []
  package var from: Int?
  package var parallel = 1
  package var script: String?
  package var junit: String?
  package var tap: String?
  package var markdown: String?

  package init() {}

  /// The reports that were asked for, and where they go.
  var reports: [(form: ReportForm, path: String)] {
    [(ReportForm.junit, junit), (.tap, tap), (.markdown, markdown)].compactMap { form, path in
      path.map { (form, $0) }
    }
  }
}

/// The scenarios in files and folders.
struct ScenarioSuite {
  /// The scenarios to run or, if a file has faults, everything that could be read.
  let scenarios: [Scenario]
  /// The files of all scenarios, selected or not.
  let files: [String]
  /// The faults of the files.
  let faults: ScenarioFaults

  /// - Parameters:
  ///   - wanted: scenario files and folders, the names of the scenarios to run, and the first step.
  ///   - options: the command line's settings, which override the scenario's.
  ///   - channel: the channel that replaces those of scenarios; nil for none.
  /// - Throws: `Failure` if a folder cannot be read, or a selected scenario or step does not exist.
  init(
    _ wanted: ScenarioOptions, _ options: Settings, _ channel: Setting<String>?,
    _ context: Context
  ) throws(Failure) {
    files = try wanted.files.map { (path) throws(Failure) in try Self.files(at: path, context) }
      .flatMap(\.self)
    var faults = ScenarioFaults()
    let read = faults.gather(files, at: { .init(file: $0) }) { (file) throws(Failure) in
      let (scenario, problems) = try readScenarioInPart(file, context)
      return (scenario: scenario.sending(to: channel), problems: problems)
    }
    let isGood = faults.isEmpty && read.allSatisfy(\.problems.isEmpty)
    if !isGood { Self.check(read, &faults, options, context) }
    self.faults = faults
    let all = read.map(\.scenario)
    scenarios = isGood ? try Self.chosen(all, wanted.only, from: wanted.from) : all
  }

  /// Adds all problems of scenarios: a misspelled key does not hide any other problem.
  private static func check(
    _ read: [(scenario: Scenario, problems: [Problem])], _ faults: inout ScenarioFaults,
    _ options: Settings, _ context: Context
  ) {
    let checking = Checking(options: options, context: context)
    for (scenario, problems) in read {
      let errors = checking.errors(of: scenario, besides: problems)
      if !errors.isEmpty { faults.add(.problems(errors), at: .init(file: scenario.file)) }
    }
  }

  /// The device tokens and lists that the steps name.
  var recipientLists: [RecipientSource] {
    scenarios.flatMap(\.steps).flatMap(\.recipients).compactMap(\.source)
  }

  /// The total number of steps.
  var stepCount: Int { scenarios.reduce(0) { $0 + $1.steps.count } }

  /// A scenario that begins with a later step.
  private static func rest(
    of scenarios: [Scenario], from first: Int
  ) throws(Failure) -> Scenario {
    guard var scenario = scenarios.first, scenarios.count == 1 else {
      throw .usage("'--from' works with a single scenario only.")
    }
    guard scenario.steps.contains(where: { $0.number == first }) else {
      throw .noSuchStep(first, scenario: scenario.title, count: scenario.steps.count)
    }
    scenario.steps.removeAll { $0.number < first }
    // The wait before this step followed a step that is left out.
    scenario.steps[0].pauseMilliseconds = 0
    return scenario
  }

  /// The files of a folder, of a scenario with this name, or the path itself.
  private static func files(at path: String, _ context: Context) throws(Failure) -> [String] {
    if FolderListing.isFolder(path) { return try files(in: path, context) }
    guard !fileExists(path), path != "-", let folder = context.scenarioFolder else { return [path] }
    let all = try files(in: folder, context).map { titled($0, context) }
    // A name may have a slash or an extension, but so has a path.
    let isPath = path.contains("/") || FileKind(path: path) != nil
    if isPath, !all.contains(where: { $0.isCalled(path) }) { return [path] }
    return try chosen(all, [path], from: nil).map(\.file)
  }

  /// The scenario as far as it can be read, for its name.
  private static func titled(_ file: String, _ context: Context) -> Scenario {
    (try? readScenarioInPart(file, context))?.scenario ?? Scenario(unreadable: file)
  }

  /// The names and files of the scenarios in these places.
  static func list(_ places: [String], _ context: Context) throws(Failure) -> Report {
    let places = places.isEmpty ? [context.scenarioFolder ?? "."] : places
    let files = try places.map { (path) throws(Failure) in try Self.files(at: path, context) }
    let rows = files.flatMap(\.self).map { file -> [Report.Part] in
      let scenario = titled(file, context)
      return [
        .text("scenario", StyledText(scenario.title)),
        .fact("steps", "steps", .number(scenario.steps.count)), .text("file", .verbatim(file)),
      ]
    }
    return Report(parts: [.table(nil, rows)])
  }

  private static func files(in path: String, _ context: Context) throws(Failure) -> [String] {
    let listing = FolderListing(path)
    if let (folder, code) = listing.unreadable.min(by: { $0.key < $1.key }) {
      throw .file(
        FileFailure(path: folder, action: .read, fault: .system(code), purpose: "folder"))
    }
    let files = ScenarioFolder(
      listing.files.filter { FileKind(foundAt: $0) == .scenario },
      home: context.environment["HOME"]
    ) { try? readFile($0, for: "scenario") }
    if files.scenarios.isEmpty { throw .noScenarios(folder: path) }
    return files.scenarios
  }

  /// The scenarios with these names, or all if there are none, beginning with a step.
  private static func chosen(
    _ scenarios: [Scenario], _ names: [String], from first: Int?
  ) throws(Failure) -> [Scenario] {
    for name in names where !scenarios.contains(where: { $0.isCalled(name) }) {
      let near = Suggestion.near(name, among: scenarios.flatMap(\.names))
      throw .noSuchScenario(name, near: near, among: scenarios.map(\.title))
    }
    let chosen = scenarios.filter { scenario in
      names.isEmpty || names.contains { scenario.isCalled($0) }
    }
    return if let first { [try rest(of: chosen, from: first)] } else { chosen }
  }
}

extension Scenario {
  fileprivate func isCalled(_ name: String) -> Bool { names.contains(name) }

  /// The scenario's name, and its file's with and without extension.
  fileprivate var names: [String] {
    let base = file.split(separator: "/").last.map(String.init) ?? file
    return [title, file, base] + base.split(separator: ".").prefix(1).map(String.init)
  }
}

extension Context {
  /// The folder in which scenarios are found by name: `scenarios` here, or else beside the project's
  /// file; nil without one.
  fileprivate var scenarioFolder: String? {
    let project = configuration.projectFile.map { parentFolder(of: $0) + "/scenarios" }
    return ["scenarios", project].compactMap(\.self).first(where: FolderListing.isFolder)
  }
}

extension ScenarioSuite {
  /// The reports of scenarios that are not run because some have faults.
  func reports(of faults: ScenarioFaults) -> [ScenarioReport] {
    let read = Set(scenarios.map(\.file))
    // A file that could not be read is only in `files`.
    let unread = files.filter { !read.contains($0) && faults[.init(file: $0)] != nil }
    let all = scenarios + unread.map { Scenario(unreadable: $0) }
    return all.map { scenario in
      if let failure = faults[.init(file: scenario.file)] {
        return ScenarioReport(scenario: scenario, steps: [StepReport(invalid: scenario, failure)])
      }
      let steps = scenario.steps.map { step in
        let failure = faults[.init(file: scenario.file, step: step.number)]
        return StepReport(
          scenario: scenario, step: step, verdict: failure.map { .broken($0) } ?? .notSent,
          exitCode: .usage)
      }
      return ScenarioReport(scenario: scenario, steps: steps)
    }
  }
}

extension StepReport {
  /// The only step in the report of a scenario whose file is invalid.
  fileprivate init(invalid scenario: Scenario, _ failure: Failure) {
    let first = failure.problems.first { $0.file != nil }
    self.init(
      scenario: scenario,
      step: ScenarioStep(at: first?.origin ?? .file(scenario.file)),
      verdict: .invalid(failure), exitCode: .usage)
  }
}
