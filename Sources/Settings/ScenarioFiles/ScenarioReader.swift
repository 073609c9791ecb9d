public import APNS
internal import JSONText
internal import PlainText

/// Parses a scenario file. All problems are collected, each with its file, line and column.
public struct ScenarioReader {
  private let file: String
  private let home: String?
  private let readFile: (String) -> [UInt8]?

  /// - Parameters:
  ///   - file: the scenario's file, as the user named it. Paths in it are relative to its folder.
  ///   - home: the folder for `~` at the start of a path; nil leaves `~` as it is.
  ///   - readFile: returns the bytes of another file; nil when it cannot be read.
  public init(file: String, home: String? = nil, readFile: @escaping (String) -> [UInt8]?) {
    self.file = file
    self.home = home
    self.readFile = readFile
  }

  /// Reads a scenario and the files that it extends.
  ///
  /// - Throws: `BrokenRules` with all problems of the files.
  public func read(_ text: [UInt8]) throws(BrokenRules) -> Scenario {
    let (scenario, problems) = readInPart(text)
    guard problems.isEmpty else { throw BrokenRules(problems) }
    return scenario
  }

  /// Reads as much of a scenario and the files that it extends as can be read, with all problems.
  /// If there are any, it may have no steps.
  package func readInPart(_ text: [UInt8]) -> (scenario: Scenario, problems: [Problem]) {
    var problems: [Problem] = []
    let layer = layer(file, text, after: [file], &problems)
    if let layer, layer.isWhole { problems += problemsOfWhole(layer) }
    return (layer?.scenario(in: file) ?? Scenario(unreadable: file), problems)
  }

  /// The contents of a file merged with what it extends; nil when it is not JSON5.
  ///
  /// - Parameters:
  ///   - path: the chain of files that led here, ending with this one.
  ///   - all: collects the problems.
  private func layer(
    _ file: String, _ text: [UInt8], after path: [String], _ all: inout [Problem]
  ) -> ScenarioLayer? {
    let problems = ProblemList(file: file, kind: "scenario")
    let reader = ScenarioLayerReader(
      scenario: self.file, home: home, readFile: readFile, problems: problems)
    guard let json = try? problems.read(text, as: ScenarioShape.file) else {
      all += problems.list
      return nil
    }
    let layer = reader.layer(json)
    guard let extended = json["extends"] else {
      all += problems.list
      return layer
    }
    let base = base(named: extended, reader, after: path)
    all += problems.list
    let lower = base.flatMap { self.layer($0.path, $0.bytes, after: path + [$0.path], &all) }
    var whole = lower.map { layer.over($0) } ?? layer
    whole.isWhole = lower?.isWhole ?? false
    whole.bases = (base.map { [$0.path] } ?? []) + (lower?.bases ?? [])
    return whole
  }

  /// The file that another extends; nil when it is unreadable or closes a loop, which is reported.
  private func base(
    named extended: JSON, _ reader: ScenarioLayerReader, after path: [String]
  ) -> (path: String, bytes: [UInt8])? {
    guard let name = extended.string.map(reader.path), path.contains(name) else {
      return reader.contents(extended, at: "extends", "scenario")
    }
    reader.problems.add(
      extended, "extends",
      "These extend each other: \((path + [name]).joined(separator: " → ").printable).",
      fix: "Let the last of them extend nothing.")
    return nil
  }

  /// Problems of the merged files: missing parts.
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
    return problems.list + problemsOfChannel(in: layer)
      + layer.parts.filter { !$0.hasPayload }.flatMap { part in
        let problems = ProblemList(file: part.step.origin.file ?? "", kind: "scenario")
        problems.add(
          "missing", "notification.payload", part.step.origin.position, "'payload' is missing.",
          fix: "Add 'payload'.")
        return problems.list
      }
  }

  /// Requires a single definition of `{{channel}}`.
  private func problemsOfChannel(in layer: ScenarioLayer) -> [Problem] {
    let name = Scenario.channelVariable
    if layer.channel != nil {
      guard let variable = layer.settings.variables[name] else { return [] }
      let problems = ProblemList(file: variable.origin.file ?? file, kind: "scenario")
      problems.add(
        "value", "variables.\(name)", variable.value.position,
        "'{{\(name)}}' is the scenario's channel.", fix: "Rename this variable.")
      return problems.list
    }
    let unsaid = layer.parts.first { part in
      if case .channel(nil) = part.target ?? layer.target { true } else { false }
    }
    guard let origin = unsaid?.step.origin else { return [] }
    let problems = ProblemList(file: origin.file ?? file, kind: "scenario")
    problems.add(
      "missing", "channel", origin.position,
      "'{{\(name)}}' is the scenario's channel, and the scenario has none.",
      fix: "Add channel: {create: {}} to the scenario, or write the ID of a channel.")
    return problems.list
  }
}
