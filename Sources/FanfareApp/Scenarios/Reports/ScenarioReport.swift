internal import APNS
internal import Delivery
internal import Projects

/// What became of one scenario.
struct ScenarioReport: Sendable {
  /// The scenario.
  let scenario: Scenario
  /// Its steps in order, those too that were not run.
  var steps: [StepReport] = []
  /// How long it took, waits included.
  var seconds = 0.0

  /// Whether every step was as expected.
  var isPassed: Bool { steps.allSatisfy { $0.verdict.isPassed } }
}

/// What became of one step of a scenario.
struct StepReport: Sendable {
  /// What a step came to.
  enum Verdict: Sendable {
    /// Everything was as expected; without an expectation, everything was accepted.
    case passed
    /// Something was not.
    case failed([Miss])
    /// It could not be sent, or its results were lost.
    case broken(Failure)
    /// It was not its turn any more.
    case notRun(Obstacle)

    var isPassed: Bool { if case .passed = self { true } else { false } }
  }

  /// Why a step was not run.
  enum Obstacle: Sendable, Equatable {
    /// An earlier step, with this number, failed.
    case step(Int)
    /// The command was interrupted.
    case interrupted
  }

  /// The step.
  let step: ScenarioStep
  var verdict: Verdict
  /// What was sent; nil when nothing was.
  var run: StepRun?
  /// How long it took, the wait before it left out.
  var seconds = 0.0
  /// How the process would end if this were all.
  var exitCode: ExitCode
}

extension StepReport {
  /// Whether it was cut short, or not run, because somebody wanted an end.
  var isInterrupted: Bool {
    if case .notRun(.interrupted) = verdict { return true }
    return [.interrupted, .terminated].contains(exitCode)
  }
}

/// The run of a step, as far as it is told.
struct StepRun: Sendable {
  /// The figures.
  let report: Run.Report
  /// The same for `--json`.
  let summary: SummaryReport
  /// What a person reads of it, without colours.
  let text: String
  /// The same in the colours of standard output.
  var coloredText = ""
  /// The command that goes on with what is left; nil when nothing is.
  var resumeHint: String?
  /// Why rows were skipped, a line for each of the first.
  var skipped: [String] = []
}

extension ScenarioStep {
  /// The file that it is written in, which may be one that the scenario extends.
  func file(in scenario: Scenario) -> String { origin.file ?? scenario.file }

  /// `1 start`, or the number alone.
  var label: String { name.map { "\(number) \($0)" } ?? "\(number)" }
}
