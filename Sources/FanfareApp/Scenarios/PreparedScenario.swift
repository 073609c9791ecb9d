internal import APNS
internal import Projects
internal import PushModel
internal import Recipients
internal import SQLiteHistory

/// A scenario that nothing is known to keep from being run.
struct PreparedScenario: Sendable {
  let scenario: Scenario
  let steps: [PreparedStep]
}

/// A step that nothing is known to keep from being sent.
struct PreparedStep: Sendable {
  let step: ScenarioStep
  /// Where it goes.
  let destination: Destination
  /// What its connections authenticate with.
  let credentials: OpenedCredentials
}

/// What all scenarios of a command are run with.
struct ScenarioMeans: Sendable {
  /// What the command line says, which comes before what a scenario says.
  let options: Settings
  /// Who is not sent to.
  let suppression: Suppression
  /// Servers and connections.
  let means: SendingMeans
  let credentials = CommonCredentials()
  /// What `--payload` names, which may be a pipe; nil when it is not given.
  let payload: [UInt8]?
  /// Whether each step says which push type and topic it inferred.
  let tellsInference: Bool
  let context: Context

  /// Looks for everything that would keep scenarios from being run, and sends nothing.
  ///
  /// - Throws: `Failure` with what is wrong with any of their steps.
  func prepare(_ suite: ScenarioSuite) throws(Failure) -> [PreparedScenario] {
    var faults = ScenarioFaults()
    let prepared = suite.scenarios.map { scenario in
      let steps = faults.gather(scenario.steps, in: { _ in scenario.file }) {
        (step) throws(Failure) in try RunStep(step, of: scenario, self).prepare()
      }
      return PreparedScenario(scenario: scenario, steps: steps)
    }
    try faults.refuse(amongSeveral: prepared.count > 1)
    return prepared
  }

  /// Reads who is not sent to, before several scenarios ask at once.
  func readSuppressed() throws(Failure) {
    do throws(ListError) { _ = try suppression.tokens() } catch { throw .list(error) }
  }

  /// Opens the histories in which the scenarios will be recorded.
  ///
  /// - Throws: `Failure.history` when one cannot be opened.
  func openHistories(of scenarios: [PreparedScenario]) throws(Failure) {
    var paths: Set<String> = []
    for scenario in scenarios {
      let settings = try options.merged(
        over: scenario.scenario.settings, reading: [.telling], context)
      guard let path = try settings.historyPath(), paths.insert(path).inserted else { continue }
      do throws(HistoryError) { try SQLiteLedger.look(at: path) } catch { throw .history(error) }
    }
  }
}
