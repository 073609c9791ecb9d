internal import APNS
internal import PlainText
internal import Projects
internal import Recipients

/// The scenarios that files and folders hold, without a fault.
struct ScenarioSuite {
  let scenarios: [Scenario]
  /// The files of all scenarios, wanted or not.
  let files: [String]

  /// - Parameters:
  ///   - paths: scenario files, and folders in which every scenario counts.
  ///   - names: the names or files' names of those that are wanted; none for all.
  ///   - first: the step to begin with, of the only scenario; nil begins with the first.
  /// - Throws: `Failure.problems` with everything that is wrong with any of them.
  init(_ paths: [String], only names: [String], from first: Int? = nil) throws(Failure) {
    files = try paths.map(Self.files).flatMap(\.self)
    let chosen = try Self.chosen(Self.read(files), names)
    scenarios = if let first { [try Self.rest(of: chosen, from: first)] } else { chosen }
  }

  /// The device tokens and lists that its steps name.
  var recipientLists: [RecipientSource] {
    scenarios.flatMap(\.steps).flatMap(\.recipients).compactMap(\.source)
  }

  /// How many steps there are in all.
  var stepCount: Int { scenarios.reduce(0) { $0 + $1.steps.count } }

  /// A scenario without the steps before one.
  private static func rest(
    of scenarios: [Scenario], from first: Int
  ) throws(Failure) -> Scenario {
    guard var scenario = scenarios.first, scenarios.count == 1 else {
      throw .conflict("--from", "several scenarios")
    }
    guard scenario.steps.contains(where: { $0.number == first }) else {
      throw .noSuchStep(first, scenario: scenario.title, count: scenario.steps.count)
    }
    scenario.steps.removeAll { $0.number < first }
    // The wait before it was for the step that is left out.
    scenario.steps[0].pauseMilliseconds = 0
    return scenario
  }

  private static func files(at path: String) throws(Failure) -> [String] {
    guard FolderListing.isFolder(path) else { return [path] }
    let listing = FolderListing(path)
    if let (folder, code) = listing.unreadable.min(by: { $0.key < $1.key }) {
      throw .file(
        FileFailure(path: folder, action: .read, fault: .system(code), purpose: "folder"))
    }
    let files = ScenarioFolder(
      listing.files.filter { FileKind(foundAt: $0) == .scenario }
    ) { try? readFile($0, for: "scenario") }
    if files.scenarios.isEmpty { throw .noScenarios(folder: path) }
    return files.scenarios
  }

  /// What is wrong with one does not hide what is wrong with the next.
  private static func read(_ files: [String]) throws(Failure) -> [Scenario] {
    var faults = ScenarioFaults()
    let scenarios = faults.gather(files, in: { $0 }, readScenario)
    try faults.refuse(amongSeveral: files.count > 1)
    return scenarios
  }

  private static func chosen(
    _ scenarios: [Scenario], _ names: [String]
  ) throws(Failure) -> [Scenario] {
    for name in names where !scenarios.contains(where: { $0.isCalled(name) }) {
      let known = scenarios.map(\.title)
      throw .noSuchScenario(name, near: Suggestion.near(name, among: known), among: known)
    }
    if names.isEmpty { return scenarios }
    return scenarios.filter { scenario in names.contains { scenario.isCalled($0) } }
  }
}

extension Scenario {
  /// Whether this is its name, or that of its file, with or without the extension.
  fileprivate func isCalled(_ name: String) -> Bool {
    let base = file.split(separator: "/").last.map(String.init) ?? file
    return [title, file, base, base.split(separator: ".").first.map(String.init)].contains(name)
  }
}
