internal import APNS
internal import Delivery
internal import PlainText
internal import Projects

/// Tells of scenarios while they run: on the terminal, as lines of JSON, or not at all.
struct ScenarioTeller {
  private let options: Settings
  private let context: Context
  /// Whether a report, or the results of pushes, take standard output.
  private let isOutputTaken: Bool
  /// Whether there is one step in all, which is told of like a push by `send`.
  private let isOnlyStep: Bool

  init(
    _ options: Settings, _ scenarios: ScenarioOptions, _ prepared: [PreparedScenario],
    _ context: Context
  ) {
    self.options = options
    self.context = context
    isOutputTaken =
      options.results?.value == "-" || scenarios.reports.contains { $0.path == "-" }
    isOnlyStep = prepared.count == 1 && prepared[0].steps.count == 1
  }

  private var tellsText: Bool { !options.quiet.isOn && !options.json.isOn && !isOutputTaken }

  private var text: ScenarioText { ScenarioText(style: Style(hasColor: context.output.hasColor)) }

  /// A scenario begins.
  func begin(_ scenario: Scenario) {
    if isOnlyStep {
      if !options.quiet.isOn, let name = scenario.name { announce(name) }
    } else if tellsText {
      write(text.head(of: scenario))
    }
  }

  private func announce(_ name: String) {
    context.errors.write(
      "\(Style(hasColor: context.errors.hasColor).bold(name.printable.withoutCommand))\n")
    context.errors.flush()
  }

  /// A step has ended.
  func tell(_ step: StepReport, of scenario: Scenario) {
    if options.json.isOn { write(StepJSON(scenario: scenario, report: step).line) }
    if tellsText {
      let isLast = step.step.number == scenario.steps.last?.number
      write(isOnlyStep ? text.only(step) : text.line(of: step, in: scenario) + (isLast ? "\n" : ""))
    }
    // Without the text, what went wrong would be nowhere.
    if !tellsText || isOnlyStep { writeErrors(of: step) }
  }

  /// A scenario has ended whose steps were not reported.
  func tell(_ report: ScenarioReport) {
    begin(report.scenario)
    for step in report.steps { tell(step, of: report.scenario) }
  }

  /// All have ended.
  func end(_ reports: [ScenarioReport]) {
    let figures = SuiteFigures(reports)
    if tellsText, !isOnlyStep { write("\(text.verdict(of: figures))\n") }
    if context.isOnGitHub {
      for annotation in reports.flatMap(GitHubAnnotation.all) {
        context.errors.write(annotation.line)
      }
      context.errors.flush()
    }
  }

  private func writeErrors(of step: StepReport) {
    switch step.verdict {
    case .broken(let failure):
      context.warn(failure.parts(canDoWithoutHistory: true))
    case .failed: context.warn(step.run?.report.stopCause?.failure?.parts() ?? [])
    case .passed, .notRun: break
    }
    context.errors.flush()
  }

  private func write(_ text: String) {
    context.output.write(text)
    context.output.flush()
  }
}

/// Scenarios as a person reads them while they run.
struct ScenarioText {
  let style: Style

  /// The line above the steps.
  func head(of scenario: Scenario) -> String {
    let file = scenario.name == nil ? "" : "  \(scenario.file.printable)"
    return "\(style.bold(scenario.title.printable.withoutCommand))\(file)\n"
  }

  /// A step, and below it why it is no success.
  func line(of step: StepReport, in scenario: Scenario) -> String {
    let facts = [step.figures, step.latency].compactMap(\.self)
    let row = ([step.step.label.printable] + facts).joined(separator: "  ")
    let reasons = step.reasons.map { "        \($0)\n" }.joined()
    let run = step.isWrong ? step.run?.summary.run : nil
    let ways = [run.map { "fanfare history show \($0)" }, step.run?.resumeHint].compactMap(\.self)
    let way = (ways + rest(from: step, in: scenario)).map { "        \($0)\n" }.joined()
    return "  \(mark(of: step)) \(row)\n\(reasons)\(way)"
  }

  /// How to go on with the steps that another one kept from being run: told once.
  private func rest(from step: StepReport, in scenario: Scenario) -> [String] {
    guard case .notRun(.step(let failed)) = step.verdict, step.step.number == failed + 1 else {
      return []
    }
    return ["fanfare run \(shellWord(scenario.file)) --from \(step.step.number)"]
  }

  /// The only step there is: what its run came to, and what of it was expected.
  func only(_ step: StepReport) -> String {
    let run = step.run?.coloredText ?? ""
    guard let expectation = step.step.expectation, !expectation.saysNothing else { return run }
    switch step.verdict {
    case .passed: return run + "\(style.good("as expected"))\n"
    case .failed: return run + step.reasons.map { missed($0) }.joined()
    case .broken, .notRun: return run
    }
  }

  private func missed(_ reason: String) -> String {
    "\(style.bad("not as expected:")) \(reason)\n"
  }

  /// The last line.
  func verdict(of figures: SuiteFigures) -> String {
    let isGood = figures.failedScenarios == 0
    return isGood ? style.good(figures.sentence) : style.bad(figures.sentence)
  }

  private func mark(of step: StepReport) -> String {
    switch step.verdict.kind {
    case .passed: style.good("ok  ")
    case .failed, .broken: style.bad("FAIL")
    case .notRun: style.doubtful("-   ")
    }
  }
}

extension String {
  /// A line that GitHub Actions takes for no command, whatever a scenario is called.
  fileprivate var withoutCommand: String {
    hasPrefix("::") || contains("##[") ? "\\" + replacing("##[", with: "#\\#[") : self
  }
}

extension StepReport {
  /// Whether it ran, and was not as expected.
  var isWrong: Bool { [.failed, .broken].contains(verdict.kind) }
}
