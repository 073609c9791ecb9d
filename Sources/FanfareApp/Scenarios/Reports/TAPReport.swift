internal import APNS
internal import JSONText
internal import PlainText
internal import Projects

/// Steps as test points, in the Test Anything Protocol, version 14.
struct TAPReport {
  let scenarios: [ScenarioReport]

  /// The whole stream.
  var text: String {
    let steps = scenarios.flatMap { report in report.steps.map { (report.scenario, $0) } }
    let points = steps.enumerated().map { point($0.offset + 1, $0.element.0, $0.element.1) }
    let isInterrupted = steps.contains { $0.1.isInterrupted }
    return "TAP version 14\n1..\(steps.count)\n" + points.joined()
      + (isInterrupted ? "Bail out! interrupted\n" : "")
  }

  private func point(_ number: Int, _ scenario: Scenario, _ step: StepReport) -> String {
    let name = Self.escaped("\(scenario.title): step \(step.step.label)")
    switch step.verdict {
    case .passed: return "ok \(number) - \(name)\n"
    case .notRun: return "ok \(number) - \(name) # SKIP \(Self.escaped(step.reasons[0]))\n"
    case .failed, .broken: return "not ok \(number) - \(name)\n" + diagnosis(scenario, step)
    }
  }

  /// A block of YAML.
  private func diagnosis(_ scenario: Scenario, _ step: StepReport) -> String {
    let line = step.step.origin.position.map { ", line: \($0.line)" } ?? ""
    let rows =
      ["at: {file: \(quoted(step.step.file(in: scenario)))\(line)}"]
      + (step.run?.summary.run.map { ["run: \($0)"] } ?? [])
      + ["messages:"] + step.reasons.map { "  - \(quoted($0))" }
    return "  ---\n" + rows.map { "  \($0)\n" }.joined() + "  ...\n"
  }

  /// JSON's strings are YAML's as well.
  private func quoted(_ text: String) -> String { JSON(.string(text)).encodedString() }

  /// A number sign would begin a directive.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text.printable {
      if character == "#" || character == "\\" { result += "\\" }
      result.append(character)
    }
    return result
  }
}
