internal import APNS
internal import Projects
internal import PushModel
internal import SQLiteHistory

/// A scenario of which nothing is known that would keep it from being run.
struct PreparedScenario: Sendable {
  /// The scenario.
  let scenario: Scenario
  /// Its steps in order, each with where it goes and who signs.
  let steps: [(step: ScenarioStep, prepared: PreparedSending)]
}

/// What all scenarios of a command are run with.
struct ScenarioSetting: Sendable {
  /// The options, which come before what a scenario says.
  let options: SendingOptions
  /// Who is not sent to.
  let suppression: Suppression
  /// What they share.
  let common: CommonMeans
  let context: Context

  /// Sends a step, or finds out whether it could be sent. Its results go behind those of others.
  func sending(_ step: ScenarioStep, of scenario: Scenario) throws(Failure) -> Sending {
    let (options, context) = try options.settled(for: scenario, context)
    return Sending(
      options: options, scenario: scenario, step: step, context: context, continuesResults: true,
      suppression: suppression, common: common)
  }

  /// Looks for everything that would keep a scenario from being run, and sends nothing.
  ///
  /// - Throws: `Failure` with what is wrong with any of its steps.
  func prepare(_ scenario: Scenario) throws(Failure) -> PreparedScenario {
    var faults = ScenarioFaults()
    var steps: [(ScenarioStep, PreparedSending)] = []
    for step in scenario.steps {
      do throws(Failure) {
        steps.append((step, try sending(step, of: scenario).prepare(isTold: true)))
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
      let (options, context) = try options.settled(for: scenario.scenario, context)
      guard let path = try options.telling.historyPath(context), paths.insert(path).inserted else {
        continue
      }
      do throws(HistoryError) { try SQLiteLedger.look(at: path) } catch { throw .history(error) }
    }
  }
}
