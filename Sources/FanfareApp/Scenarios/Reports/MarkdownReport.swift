internal import APNS
internal import JSONText
internal import PlainText
internal import Projects

/// Scenarios as a table, and what was not as expected below it.
struct MarkdownReport {
  let scenarios: [ScenarioReport]

  /// The whole page.
  var text: String {
    let figures = SuiteFigures(scenarios)
    let title = figures.failedScenarios == 0 ? "passed" : "failed"
    return "## fanfare: \(title)\n\n\(figures.sentence)\n\n" + table + failures
  }

  private var table: String {
    let rows = scenarios.flatMap { report in
      report.steps.map { row(report.scenario, $0) }
    }
    return """
      | | scenario | step | accepted | latency | run |
      | --- | --- | --- | --- | --- | --- |
      \(rows.joined())
      """
  }

  private func row(_ scenario: Scenario, _ step: StepReport) -> String {
    let cells = [
      step.verdict.mark, Self.escaped(scenario.title), Self.escaped(step.step.label),
      step.figures.map { String($0.dropLast(" accepted".count)) } ?? "", step.latency ?? "",
      step.run?.summary.run.map { "\($0)" } ?? "",
    ]
    return "| " + cells.joined(separator: " | ") + " |\n"
  }

  private var failures: String {
    let failed = scenarios.flatMap { report in
      report.steps.filter { [.failed, .broken].contains($0.verdict.kind) }
        .map { (report.scenario, $0) }
    }
    return failed.map { scenario, step in
      let place =
        step.step.file(in: scenario) + (step.step.origin.position.map { ":\($0.line)" } ?? "")
      let title = "**\(Self.escaped(scenario.title)), step \(Self.escaped(step.step.label))**"
      let reasons = step.reasons.map { "- \(Self.escaped($0))\n" }.joined()
      return "\n\(title) (\(Self.escaped(place)))\n\n\(reasons)"
    }.joined()
  }

  /// Without what Markdown or HTML would take for its own.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text.printable {
      if "\\`*_{}[]<>|#~!&".contains(character) { result += "\\" }
      result.append(character)
    }
    return result
  }
}

extension StepReport.Verdict {
  /// A verdict without what belongs to it.
  enum Kind { case passed, failed, broken, notRun }

  /// Which one it is.
  var kind: Kind {
    switch self {
    case .passed: .passed
    case .failed: .failed
    case .broken: .broken
    case .notRun: .notRun
    }
  }

  /// A sign for it.
  fileprivate var mark: String {
    switch kind {
    case .passed: "✅"
    case .failed, .broken: "❌"
    case .notRun: "➖"
    }
  }
}
