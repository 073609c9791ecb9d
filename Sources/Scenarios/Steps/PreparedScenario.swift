internal import APNS
internal import PlainText
internal import PushModel
internal import Reporting
internal import Runs
internal import Settings

/// A scenario that is ready to run, checked as far as possible in advance.
struct PreparedScenario: Sendable {
  let scenario: Scenario
  let steps: [PreparedStep]
  /// The channel that it creates; nil for none.
  let channel: PreparedChannel?
}

extension PreparedScenario {
  /// The complaint about an emulator script that no step uses; nil if there is none.
  var idleScript: (what: String, fix: String)? {
    let servers = steps.map(\.plan.destination.server)
    guard scenario.script != nil, let server = servers.first,
      !servers.contains(where: { $0.environment == .emulator })
    else { return nil }
    let isInbox = if case .inbox = server.named { true } else { false }
    return (
      "\(scenario.file.printable) has an emulator script, which is not used: its pushes go to "
        + "\(server.named.name).",
      isInbox
        ? "Give '--env emulator', or PUT the script to the inbox's API."
        : "Give '--env emulator' to use it."
    )
  }
}

/// A step that is ready to be sent, checked as far as possible in advance.
///
/// Unchecked: it is made on one thread, and then used on that of its scenario alone.
struct PreparedStep: @unchecked Sendable {
  let step: RunStep
  let plan: RunPlan
  /// The files that it reads, including its history's.
  let filesInUse: [String]
}

/// The means shared by all scenarios of a command.
struct ScenarioResources: Sendable {
  /// The command line's settings, which override the scenario's.
  let options: Settings
  /// The recipients to leave out.
  let suppression: Suppression
  /// Servers and connections.
  let resources: RunResources
  /// The credentials opened so far.
  let credentials = CommonCredentials()
  /// The contents of `--payload`, which may be a pipe; nil if not given.
  let payload: [UInt8]?
  /// Makes each step report the push type and topic that it inferred.
  let tellsInference: Bool
  let context: Context

  /// Checks everything that could prevent scenarios from running. Sends nothing.
  ///
  /// - Returns: the scenarios that can be run, and the faults of all steps.
  func prepare(_ suite: ScenarioSuite) -> ([PreparedScenario], ScenarioFaults) {
    var faults = ScenarioFaults()
    let prepared = suite.scenarios.map { scenario in
      let steps = faults.gather(
        scenario.steps, at: { .init(file: scenario.file, step: $0.number) }
      ) { (step) throws(Failure) in try RunStep(step, of: scenario, self).prepare() }
      let channel = prepareChannel(of: scenario, beside: steps, &faults)
      return PreparedScenario(scenario: scenario, steps: steps, channel: channel)
    }
    return (prepared, faults)
  }

  /// The channel that a scenario creates; nil if it creates none, or there is a fault.
  private func prepareChannel(
    of scenario: Scenario, beside steps: [PreparedStep], _ faults: inout ScenarioFaults
  ) -> PreparedChannel? {
    guard let policy = scenario.channelToCreate, !options.plan.isOn,
      let step = steps.besideCreatedChannel
    else { return nil }
    return faults.gather([step], at: { .init(file: scenario.file, step: $0.step.step.number) }) {
      (step) throws(Failure) in try step.prepareChannel(storing: policy)
    }.first
  }

  /// Reads the lists of suppressed device tokens before several scenarios need them at once.
  func readSuppressed() throws(Failure) {
    do throws(ListError) { _ = try suppression.tokens() } catch { throw .list(error) }
  }

  /// Checks the histories that will record the scenarios, without making one.
  ///
  /// - Throws: `Failure.history` if one cannot be written to.
  func checkHistories(of scenarios: [PreparedScenario]) throws(Failure) {
    var paths: Set<String> = []
    for history in scenarios.flatMap(\.steps).compactMap(\.plan.history)
    where paths.insert(history.location).inserted {
      try history.check()
    }
  }
}
