internal import APNS

/// What keeps scenarios from being run, gathered so that all of it is told at once.
struct ScenarioFaults {
  private var failures: [(file: String, failure: Failure)] = []
  private var problems: [Problem] = []

  /// Adds what is wrong with a scenario. What several inherit from one base is one fault.
  mutating func add(_ failure: Failure, in file: String) {
    switch failure.content {
    case .problems(let found): problems += found.filter { !problems.contains($0) }
    case .several(let others): for other in others { add(other, in: file) }
    case .message, .usage:
      let isKnown = failures.contains { $0.file == file && $0.failure.sentence == failure.sentence }
      if !isKnown { failures.append((file, failure)) }
    }
  }

  /// All that was gathered about one scenario; nil when there is nothing.
  var ofOneScenario: Failure? { all(failures.map(\.failure)) }

  /// - Parameter amongSeveral: whether it has to be said whose faults they are.
  /// - Throws: `Failure` with all that was gathered, if anything was.
  func refuse(amongSeveral: Bool) throws(Failure) {
    let isAlone = !amongSeveral && failures.count == 1 && problems.isEmpty
    let named = failures.map { isAlone ? $0.failure : $0.failure.named($0.file) }
    if let failure = all(named) { throw failure }
  }

  private func all(_ failures: [Failure]) -> Failure? {
    let all = failures + (problems.isEmpty ? [] : [.problems(problems)])
    return all.count > 1 ? .several(all) : all.first
  }
}
