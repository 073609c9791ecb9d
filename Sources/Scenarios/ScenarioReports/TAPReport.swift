internal import JSONText
internal import PlainText
internal import Sending
internal import Settings

/// Steps as test points in the Test Anything Protocol, version 14.
struct TAPReport {
  let scenarios: [ScenarioReport]

  var text: String {
    let steps = scenarios.flatMap(\.steps)
    let points = steps.enumerated().map { point($0.offset + 1, $0.element) }
    return "TAP version 14\n1..\(steps.count)\n" + points.joined()
      + (steps.contains(where: \.isInterrupted) ? "Bail out! interrupted\n" : "")
  }

  private func point(_ number: Int, _ step: StepReport) -> String {
    let title = "\(number) - \(escaped("\(step.scenario.title): \(step.title)"))"
    if step.isPassed { return "ok \(title)\n" }
    if step.isWrong { return "not ok \(title)\n" + diagnosis(step) }
    return "ok \(title) # SKIP \(escaped(step.reasons[0]))\n"
  }

  private func diagnosis(_ step: StepReport) -> String {
    let line = step.line.map { ", line: \($0)" } ?? ""
    let rows =
      ["at: {file: \(quoted(step.file))\(line)}"]
      + (step.run?.summary.run.map { ["run: \($0)"] } ?? [])
      + ["messages:"] + step.reasons.map { "  - \(quoted($0))" }
    return "  ---\n" + rows.map { "  \($0)\n" }.joined() + "  ...\n"
  }

  /// A quoted string: JSON's are valid in YAML.
  private func quoted(_ text: String) -> String { JSON(.string(text)).encodedString() }

  /// Escapes number signs, which begin a directive.
  private func escaped(_ text: String) -> String {
    text.printable.replacingScalars { "#\\".unicodeScalars.contains($0) ? "\\\($0)" : nil }
  }
}
