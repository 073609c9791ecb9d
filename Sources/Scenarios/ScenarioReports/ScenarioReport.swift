internal import APNS
internal import Delivery
internal import JSONText
internal import Reporting
internal import Runs
internal import Settings

struct ScenarioReport: Sendable {
  let scenario: Scenario
  /// The steps in order, including those not run.
  var steps: [StepReport] = []
  /// The duration in seconds, including waits.
  var seconds = 0.0
}

struct StepReport: Sendable {
  enum Verdict: Sendable {
    /// Everything was as expected; without an expectation, everything was accepted.
    case passed
    /// Something was unexpected.
    case failed([UnmetExpectation])
    /// The step could not be sent, or its results were lost.
    case broken(Failure)
    /// Not a step: the scenario's file cannot be used.
    case invalid(Failure)
    /// Not a step: the channel that the scenario created could not be deleted.
    case left(Failure)
    /// Not run, because one of the scenarios cannot be run.
    case notSent
    /// Not run, because the step with this number failed.
    case skipped(after: Int)
    /// Not run, because the command was interrupted.
    case interrupted
  }

  let scenario: Scenario
  let step: ScenarioStep
  let verdict: Verdict
  /// The results; nil if nothing was sent.
  var run: StepRun?
  /// The duration in seconds, without the wait before it.
  var seconds = 0.0
  /// The exit code of the step alone.
  let exitCode: ExitCode
}

/// The reported results of a step's run.
struct StepRun: Sendable {
  /// The figures, and the command to send what is left.
  let summary: SummaryReport
  /// The text for people, without colors.
  let text: String
  /// The text in the colors of standard output.
  var coloredText = ""
  /// The reasons that rows were skipped, a line each for the first ones.
  var skipped: [String] = []
  /// Examples of device tokens for each result, as shown to people.
  var examples: [UnmetExpectation.Came: [String]] = [:]

  var report: Run.Report { summary.report }
}

extension StepReport {
  var isPassed: Bool { if case .passed = verdict { true } else { false } }

  /// The step ran with unexpected results, or could not be run.
  var isWrong: Bool {
    switch verdict {
    case .failed, .broken, .invalid, .left: true
    case .passed, .skipped, .interrupted, .notSent: false
    }
  }

  /// The step was cut short, or not run, because the command was interrupted.
  var isInterrupted: Bool {
    if case .interrupted = verdict { return true }
    return [.interrupted, .terminated].contains(exitCode)
  }

  /// The verdict of all steps after one that did not pass: they are not run.
  var verdictOfRest: Verdict {
    if case .skipped = verdict { return verdict }
    return isInterrupted ? .interrupted : .skipped(after: step.number)
  }

  /// True for a step, false for an entry about a scenario's file or channel.
  var isStep: Bool { other == nil }

  /// The name of an entry that is not a step.
  private var other: String? {
    switch verdict {
    case .invalid: "scenario file"
    case .left: "deletion of the channel"
    case .passed, .failed, .broken, .notSent, .skipped, .interrupted: nil
    }
  }

  /// `1 start`, or `scenario file`.
  var label: String { other ?? step.label }

  /// `step 1 start`, or `scenario file`.
  var title: String { isStep ? "step \(step.label)" : label }

  /// The file that contains it, which may be one that the scenario extends.
  var file: String { step.origin.file ?? scenario.file }

  /// The line in that file where it begins.
  var line: Int? { step.origin.position?.line }

  /// `order.json5:4`
  var place: String { file + (line.map { ":\($0)" } ?? "") }
}

extension ScenarioStep {
  /// `1 start`, or the number alone.
  var label: String { name.map { "\(number) \($0)" } ?? "\(number)" }

  /// Every push must be accepted, because nothing else is expected of the answers.
  var wantsAcceptance: Bool { expectation?.wantsAcceptance ?? true }
}

extension [ScenarioReport] {
  /// Every step of every scenario passed.
  var arePassed: Bool { allSatisfy { $0.steps.allSatisfy(\.isPassed) } }

  /// `3 scenarios, 5 steps: 3 passed, 1 failed, 1 not run`
  var figures: String {
    let steps = flatMap(\.steps)
    let (passed, failed) = (steps.count(where: \.isPassed), steps.count(where: \.isWrong))
    let parts = [
      (passed, "passed"), (failed, "failed"), (steps.count - passed - failed, "not run"),
    ]
    .filter { $0.0 > 0 }.map { "\(grouped($0.0)) \($0.1)" }
    return "\(counted(count, "scenario")), \(counted(steps.count, "step")): "
      + parts.joined(separator: ", ")
  }
}
