internal import APNS
internal import Delivery
internal import JSONText
internal import Reporting
internal import Sending
internal import Settings

struct ScenarioReport: Sendable {
  let scenario: Scenario
  /// Its steps in order, including those that were not run.
  var steps: [StepReport] = []
  /// How long it took, waits included.
  var seconds = 0.0
}

struct StepReport: Sendable {
  enum Verdict: Sendable {
    /// Everything was as expected; without an expectation, everything was accepted.
    case passed
    /// Something was not.
    case failed([Miss])
    /// It could not be sent, or its results were lost.
    case broken(Failure)
    /// Not a step: the scenario's file cannot be used.
    case invalid(Failure)
    /// It is not a step: the channel that the scenario created could not be deleted.
    case left(Failure)
    /// It was not run, because a scenario cannot be.
    case notSent
    /// It was not run, because the step with this number failed.
    case skipped(after: Int)
    /// It was not run, because the command was interrupted.
    case interrupted
  }

  let scenario: Scenario
  let step: ScenarioStep
  let verdict: Verdict
  /// What was sent; nil when nothing was.
  var run: StepRun?
  /// How long it took, the wait before it left out.
  var seconds = 0.0
  /// How the process would end if this were all.
  let exitCode: ExitCode
}

/// What is reported of a step's run.
struct StepRun: Sendable {
  /// The figures, and how to go on with what is left.
  let summary: SummaryReport
  /// What a person reads of it, without colors.
  let text: String
  /// The same in the colors of standard output.
  var coloredText = ""
  /// Why rows were skipped, a line for each of the first.
  var skipped: [String] = []
  /// The first device tokens that came to the same, as they are shown.
  var examples: [Miss.Came: [String]] = [:]

  var report: Run.Report { summary.report }
}

extension StepReport {
  var isPassed: Bool { if case .passed = verdict { true } else { false } }

  /// Whether it ran, and was not as expected.
  var isWrong: Bool {
    switch verdict {
    case .failed, .broken, .invalid, .left: true
    case .passed, .skipped, .interrupted, .notSent: false
    }
  }

  /// Whether it was cut short, or not run, because the command was interrupted.
  var isInterrupted: Bool {
    if case .interrupted = verdict { return true }
    return [.interrupted, .terminated].contains(exitCode)
  }

  /// The verdict of the steps after one that did not pass: they are not run.
  var verdictOfRest: Verdict {
    if case .skipped = verdict { return verdict }
    return isInterrupted ? .interrupted : .skipped(after: step.number)
  }

  /// Whether it is a step, and not what stands for a scenario's file or channel.
  var isStep: Bool { other == nil }

  /// What it is if it is not a step.
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

  /// The file that it is written in, which may be one that the scenario extends.
  var file: String { step.origin.file ?? scenario.file }

  /// The line of that file on which it begins.
  var line: Int? { step.origin.position?.line }

  /// `order.json5:4`
  var place: String { file + (line.map { ":\($0)" } ?? "") }
}

extension ScenarioStep {
  /// `1 start`, or the number alone.
  var label: String { name.map { "\(number) \($0)" } ?? "\(number)" }

  /// Whether every push must be accepted, because nothing else is expected of the answers.
  var wantsAcceptance: Bool { expectation?.wantsAcceptance ?? true }
}

extension [ScenarioReport] {
  /// Whether every step of all scenarios was as expected.
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
