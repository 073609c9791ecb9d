internal import HTTP2
internal import JSONText
internal import PlainText
internal import Reporting
internal import Runs
internal import Settings

/// Report files: opened before anything is sent, to detect unwritable paths early, and written at
/// the end.
struct ReportFiles {
  static let purpose = "report"

  private let context: Context
  /// Reports, with their files; without one, a report goes to standard output.
  private let reports: [(form: ReportForm, file: NewFile?)]

  /// - Throws: `Failure.file` if a path is not writable.
  init(_ reports: [(form: ReportForm, path: String)], _ context: Context) throws(Failure) {
    self.context = context
    self.reports = try reports.map { (form, path) throws(Failure) in
      if path == "-" { return (form, nil) }
      let isShared = Self.isShared(path, context)
      let file = try attempt(
        try NewFile(path, for: Self.purpose, mode: 0o644, appends: isShared)
      ) { .file($0) }
      return (form, file)
    }
  }

  /// GitHub gives each step of a job one file, and all its commands append to it.
  static func isShared(_ path: String, _ context: Context) -> Bool {
    path == context.environment["GITHUB_STEP_SUMMARY"]
  }

  /// - Parameter code: the exit code if no report is lost.
  /// - Throws: `Failure.lostOutput` if a report could not be written.
  func write(_ scenarios: [ScenarioReport], after code: ExitCode) throws(Failure) {
    var lost: FileFailure?
    for (form, file) in reports {
      let text = form.text(of: scenarios, now: context.clock.epochMilliseconds())
      (file?.output ?? context.teller.data).write(text)
      // The other reports can still be written.
      do throws(FileFailure) { try file?.finish() } catch { lost = lost ?? error }
    }
    if let lost { throw .lostOutput(lost, after: code) }
  }
}

/// The forms of a report, in the words of their options.
enum ReportForm: String, CaseIterable {
  case junit
  case tap
  case markdown

  /// - Parameter now: milliseconds since 1970 UTC.
  func text(of scenarios: [ScenarioReport], now: Int64) -> String {
    switch self {
    case .junit: JUnitReport(scenarios: scenarios, now: now).text
    case .tap: TAPReport(scenarios: scenarios).text
    case .markdown: MarkdownReport(scenarios: scenarios).text
    }
  }
}

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
