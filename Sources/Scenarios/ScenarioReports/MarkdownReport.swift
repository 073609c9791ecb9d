internal import PlainText
internal import Sending
internal import Settings

/// Scenarios as a table, with unexpected results below it.
struct MarkdownReport {
  let scenarios: [ScenarioReport]

  var text: String {
    let steps = scenarios.flatMap(\.steps)
    return """
      ## fanfare: \(scenarios.arePassed ? "passed" : "failed")

      \(scenarios.figures)

      | | scenario | step | accepted | latency | run |
      | --- | --- | --- | --- | --- | --- |
      \(steps.map(row).joined())
      """ + steps.filter(\.isWrong).map(failure).joined()
  }

  private func row(_ step: StepReport) -> String {
    let cells = [
      step.isPassed ? "✅" : step.isWrong ? "❌" : "➖", escaped(step.scenario.title),
      escaped(step.label), step.accepted ?? "", step.latency ?? "",
      step.run?.summary.run.map { "\($0)" } ?? "",
    ]
    return "| " + cells.joined(separator: " | ") + " |\n"
  }

  private func failure(_ step: StepReport) -> String {
    let title = "**\(escaped(step.scenario.title)), \(escaped(step.title))**"
    let reasons = step.reasons.map { "- \(escaped($0))\n" }.joined()
    return "\n\(title) (\(escaped(step.place)))\n\n\(reasons)"
  }

  /// Escapes the special characters of Markdown and HTML.
  private func escaped(_ text: String) -> String {
    text.printable.replacingScalars {
      "\\`*_{}[]<>|#~!&".unicodeScalars.contains($0) ? "\\\($0)" : nil
    }
  }
}
