internal import Delivery
internal import PlainText
internal import Reporting
internal import Runs
internal import Settings

/// Reports the progress of scenarios: on the terminal, as lines of JSON, or not at all.
struct ScenarioTeller: Sendable {
  private let context: Context
  /// The fields of each step to print in JSON; nil for none.
  private let fields: JSONFields?
  private let tellsText: Bool
  private let isOnlyStep: Bool
  private let text: ScenarioText

  /// - Parameters:
  ///   - isOnlyStep: true if there is only one step, which is reported like a push by `send`.
  ///   - isOutputTaken: true if standard output is used for a report, or for results of pushes.
  init(_ options: Settings, _ context: Context, isOnlyStep: Bool, isOutputTaken: Bool) {
    (self.context, self.isOnlyStep) = (context, isOnlyStep)
    fields = options.json?.value
    tellsText = context.teller.level != .quiet && fields == nil && !isOutputTaken
    text = ScenarioText(style: context.teller.style)
  }

  func begin(_ scenario: Scenario) {
    if isOnlyStep {
      guard let name = scenario.name else { return }
      context.teller.note([.lines([StyledText(name.printable.withoutCommand, .bold)])])
    } else if tellsText {
      write(text.head(of: scenario))
    }
  }

  /// Reports a step that has ended.
  func tell(_ step: StepReport) {
    if let fields {
      write(String(decoding: fields.line(step.json), as: UTF8.self))
    }
    if tellsText {
      let isLast = step.step.number == step.scenario.steps.last?.number
      write(isOnlyStep ? text.only(step) : text.line(of: step) + (isLast ? "\n" : ""))
    }
    // Without the text, failures would not be shown anywhere.
    if !tellsText || isOnlyStep { writeErrors(of: step) }
  }

  /// Reports a scenario that has ended, with its steps.
  func tell(_ report: ScenarioReport) {
    begin(report.scenario)
    report.steps.forEach(tell)
  }

  func end(_ reports: [ScenarioReport]) {
    if tellsText, !isOnlyStep { write(text.verdict(of: reports)) }
    context.teller.warn(
      context.annotations(reports.flatMap(\.steps).filter(\.isWrong).map(\.annotation)))
  }

  private func writeErrors(of step: StepReport) {
    switch step.verdict {
    case .broken(let failure), .invalid(let failure), .left(let failure):
      context.teller.warn(failure, canDoWithoutHistory: true)
    case .failed:
      context.teller.warn(step.run?.report.stopCause?.failure?.parts() ?? [])
      if !tellsText, fields == nil { context.teller.warn([.lines(complaints(of: step))]) }
    case .passed, .skipped, .interrupted, .notSent: break
    }
    if !tellsText, fields == nil, step.isWrong || context.teller.level != .quiet {
      context.teller.warn([.lines(step.ways.map { "fanfare: go on with '\($0)'" })])
    }
  }

  /// The unexpected results, a line each.
  private func complaints(of step: StepReport) -> [StyledText] {
    let place = "\(step.scenario.file), step \(step.step.label)"
    return step.complaints.map { "fanfare: \("error:", .bad) \(place): \($0)" }
  }

  private func write(_ text: String) {
    context.teller.data.write(text)
    context.teller.data.flush()
  }
}

/// The text for people about running scenarios.
struct ScenarioText: Sendable {
  let style: Style

  func head(of scenario: Scenario) -> String {
    let file = scenario.name == nil ? "" : "  \(scenario.file.printable)"
    return "\(style.bold(scenario.title.printable.withoutCommand))\(file)\n"
  }

  /// The line of a step, with the reasons it failed and the next command below it.
  func line(of step: StepReport) -> String {
    let facts = [step.accepted.map { "\($0) accepted" }, step.latency].compactMap(\.self)
    let row = ([step.label.printable] + facts).joined(separator: "  ")
    let run = step.isWrong ? step.run?.summary.run : nil
    let shown = run.map { ["fanfare history show \($0)"] } ?? []
    let below = (step.reasons + shown + step.ways).map { "        \($0)\n" }.joined()
    return "  \(mark(of: step)) \(row)\n\(below)"
  }

  /// The text for the only step: its run's results, and whether they were expected.
  func only(_ step: StepReport) -> String {
    let run = step.run?.coloredText ?? ""
    guard let expectation = step.step.expectation, !expectation.saysNothing else { return run }
    switch step.verdict {
    case .passed: return run + "\(style.good("as expected"))\n"
    case .failed:
      return run + step.complaints.map { "\(style.bold("not as expected:")) \($0)\n" }.joined()
    case .broken, .invalid, .left, .skipped, .interrupted, .notSent: return run
    }
  }

  func verdict(of reports: [ScenarioReport]) -> String {
    (reports.arePassed ? style.good : style.bad)(reports.figures) + "\n"
  }

  private func mark(of step: StepReport) -> String {
    if step.isPassed { return style.good("ok  ") }
    return step.isWrong ? style.bad("FAIL") : style.doubtful("-   ")
  }
}

extension StepReport {
  /// The commands to continue with, except for pushes to a channel that will be deleted, and for a
  /// run that would be stopped again.
  fileprivate var ways: [String] {
    let toChannel = step.channel?.isCreated ?? false
    let isLasting = run?.summary.lastingReason != nil
    let resuming = toChannel || isLasting ? nil : run?.summary.resumeHint.command
    return [resuming, commandForRest].compactMap(\.self)
  }

  /// The command for the steps after a failed one, at the first of them only. None if the scenario
  /// created a channel, which is gone by then.
  private var commandForRest: String? {
    guard case .skipped(let failed) = verdict, step.number == failed + 1,
      scenario.channelToCreate == nil
    else { return nil }
    return "fanfare run \(shellWord(scenario.file)) --from \(step.number)"
  }
}

extension String {
  /// Escapes a line that GitHub Actions would take for a command.
  fileprivate var withoutCommand: String {
    hasPrefix("::") || contains("##[") ? "\\" + replacing("##[", with: "#\\#[") : self
  }
}
