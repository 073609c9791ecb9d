internal import APNS

/// What keeps scenarios from being run, gathered so that all of it is told at once.
struct ScenarioFaults {
  private var failures: [(file: String, failure: Failure)] = []
  private var problems: [Problem] = []

  /// Adds what is wrong with a scenario. What several have from one base is one fault.
  mutating func add(_ failure: Failure, in file: String) {
    if case .problems(let found) = failure {
      problems += found.filter { !problems.contains($0) }
    } else if case .scenarios(let others) = failure {
      for other in others { add(other.failure, in: other.file) }
    } else if !failures.contains(where: { $0.file == file && "\($0.failure)" == "\(failure)" }) {
      failures.append((file, failure))
    }
  }

  /// - Parameter amongSeveral: whether it has to be said whose faults they are.
  /// - Throws: `Failure` with all that was gathered, if anything was.
  func refuse(amongSeveral: Bool) throws(Failure) {
    if failures.isEmpty, problems.isEmpty { return }
    if failures.isEmpty { throw .problems(problems) }
    if !amongSeveral, problems.isEmpty { throw failures[0].failure }
    throw .scenarios(failures + (problems.isEmpty ? [] : [("", .problems(problems))]))
  }
}
