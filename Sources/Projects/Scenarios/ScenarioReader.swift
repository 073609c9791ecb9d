public import APNS
internal import JSONText
internal import PlainText

/// Turns the text of a scenario file into a scenario. All problems are gathered, each with its file,
/// line and column.
public struct ScenarioReader {
  private let file: String
  private let readFile: (String) -> [UInt8]?

  /// - Parameters:
  ///   - file: the scenario's file, as the user named it. Paths in it are relative to its folder.
  ///   - readFile: the bytes of another file; nil when it cannot be read.
  public init(file: String, readFile: @escaping (String) -> [UInt8]?) {
    self.file = file
    self.readFile = readFile
  }

  /// Reads a scenario, and whatever it extends.
  ///
  /// - Throws: `BrokenRules` with everything that is wrong with the files.
  public func read(_ text: [UInt8]) throws(BrokenRules) -> Scenario {
    let (layer, problems) = try layer(file, text, after: [file])
    let all = problems + problemsOfWhole(layer)
    guard all.isEmpty else { throw BrokenRules(all) }
    return layer.scenario(in: file)
  }

  /// What a file says, over what it extends.
  ///
  /// - Parameter path: the files that led here, itself the last.
  private func layer(
    _ file: String, _ text: [UInt8], after path: [String]
  ) throws(BrokenRules) -> (ScenarioLayer, [Problem]) {
    let problems = ProblemList(file: file, kind: "scenario")
    let reader = ScenarioLayerReader(scenario: self.file, readFile: readFile, problems: problems)
    let json = try problems.read(text, as: ScenarioShape.file)
    let layer = reader.layer(json)
    guard let extended = json["extends"] else { return (layer, problems.list) }
    if let name = extended.string.map(reader.path), path.contains(name) {
      problems.add(
        extended, "extends",
        "These extend each other: \((path + [name]).joined(separator: " → ").printable).",
        fix: "Let the last of them extend nothing.")
    } else if let (name, text) = reader.contents(extended, at: "extends", "scenario") {
      let (base, others) = try self.layer(name, text, after: path + [name])
      var merged = layer.over(base)
      merged.bases = [name] + base.bases
      return (merged, problems.list + others)
    }
    return (layer, problems.list)
  }

  /// What is missing in all files together.
  private func problemsOfWhole(_ layer: ScenarioLayer) -> [Problem] {
    let problems = ProblemList(file: file, kind: "scenario")
    if layer.notification == nil, layer.steps == nil {
      problems.add(
        "missing", "notification", layer.position, "'notification' is missing.",
        fix: "Add 'notification' or 'steps'.")
    } else if layer.parts.isEmpty {
      problems.add(
        "value", "steps", layer.position, "'steps' has no notification.", fix: "Add a step.")
    }
    return problems.list
      + layer.parts.filter { !$0.hasPayload }.flatMap { part in
        let problems = ProblemList(file: part.step.origin.file ?? "", kind: "scenario")
        problems.add(
          "missing", "notification.payload", part.step.origin.position, "'payload' is missing.",
          fix: "Add 'payload'.")
        return problems.list
      }
  }
}
