internal import APNS
internal import PushCore

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
  /// - Throws: `Failure.problems` with what is wrong with any of its steps.
  func prepare(_ scenario: Scenario) throws(Failure) -> PreparedScenario {
    var steps: [(ScenarioStep, PreparedSending)] = []
    var problems: [Problem] = []
    for step in scenario.steps {
      do throws(Failure) {
        let sending = try sending(step, of: scenario)
        steps.append((step, try sending.prepare(isTold: true)))
      } catch .problems(let found) {
        problems += found
      } catch {
        throw error
      }
    }
    if !problems.isEmpty { throw .problems(problems) }
    return PreparedScenario(scenario: scenario, steps: steps)
  }
}
