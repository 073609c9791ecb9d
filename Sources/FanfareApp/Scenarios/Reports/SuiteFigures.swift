/// What many scenarios came to.
struct SuiteFigures {
  private(set) var scenarios = 0
  private(set) var failedScenarios = 0
  private(set) var passed = 0
  private(set) var failed = 0
  /// Steps that could not be sent, or whose results were lost.
  private(set) var broken = 0
  private(set) var notRun = 0
  /// Of those that were not run, those that an interruption kept from it.
  private(set) var interrupted = 0

  init(_ reports: [ScenarioReport]) {
    scenarios = reports.count
    failedScenarios = reports.count { !$0.isPassed }
    for step in reports.flatMap(\.steps) {
      switch step.verdict {
      case .passed: passed += 1
      case .failed: failed += 1
      case .broken: broken += 1
      case .notRun(let obstacle):
        notRun += 1
        if obstacle == .interrupted { interrupted += 1 }
      }
    }
  }

  /// All steps.
  var steps: Int { passed + failed + broken + notRun }

  /// `3 scenarios, 5 steps: 3 passed, 1 failed, 1 not run`
  var sentence: String {
    let parts = [(passed, "passed"), (failed + broken, "failed"), (notRun, "not run")]
      .filter { $0.0 > 0 }.map { "\(grouped($0.0)) \($0.1)" }
    return "\(counted(scenarios, "scenario")), \(counted(steps, "step")): "
      + parts.joined(separator: ", ")
  }
}
