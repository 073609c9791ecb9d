internal import APNS
internal import Projects
internal import PushModel
internal import Recipients
internal import SQLiteHistory

/// A scenario of which nothing is known that would keep it from being run.
struct PreparedScenario: Sendable {
  /// The scenario.
  let scenario: Scenario
  /// Its steps in order.
  let steps: [PreparedStep]
}

/// What all scenarios of a command are run with.
struct ScenarioMeans: Sendable {
  /// What the command line says, which comes before what a scenario says.
  let options: Settings
  /// Who is not sent to.
  let suppression: Suppression
  /// Servers and connections.
  let means: RunResources
  /// The credentials that were opened.
  let credentials = CommonCredentials()
  /// What `--payload` names, which may be a pipe; nil when it is not given.
  let payload: [UInt8]?
  /// Whether each step says which push type and topic it inferred.
  let tellsInference: Bool
  let context: Context

  /// Looks for everything that would keep a scenario from being run, and sends nothing.
  ///
  /// - Throws: `Failure` with what is wrong with any of its steps.
  func prepare(_ scenario: Scenario) throws(Failure) -> PreparedScenario {
    var faults = ScenarioFaults()
    var steps: [PreparedStep] = []
    for step in scenario.steps {
      do throws(Failure) {
        steps.append(try RunStep(step, of: scenario, self).prepare())
      } catch {
        faults.add(error, in: scenario.file)
      }
    }
    if let failure = faults.ofOneScenario { throw failure }
    return PreparedScenario(scenario: scenario, steps: steps)
  }

  /// Reads who is not sent to, before several scenarios ask at once.
  func readSuppressed() throws(Failure) {
    do throws(ListError) { _ = try suppression.tokens() } catch { throw .list(error) }
  }

  /// Opens the histories that the scenarios will be written down in.
  ///
  /// - Throws: `Failure.history` when one cannot be.
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
