internal import APNS
internal import PlainText
internal import PushModel
internal import Recipients
internal import Reporting
internal import Runs
internal import SQLHistory
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

/// One step of a scenario as an order.
struct RunStep {
  let step: ScenarioStep
  let scenario: Scenario
  let common: ScenarioResources
  private let draft: DraftOrder
  private let order: RunOrder
  private var context: Context { common.context }

  /// All layers, merged.
  var settings: Settings { draft.settings }

  /// - Throws: `Failure` if a layer of settings is invalid.
  init(_ step: ScenarioStep, of scenario: Scenario, _ common: ScenarioResources) throws(Failure) {
    let draft = try DraftOrder(
      common.options, step, of: scenario, contents: common.payload, common.context)
    self.init(step, of: scenario, draft, common)
  }

  private init(
    _ step: ScenarioStep, of scenario: Scenario, _ draft: DraftOrder, _ common: ScenarioResources
  ) {
    (self.step, self.scenario, self.common, self.draft) = (step, scenario, common, draft)
    var order = RunOrder(
      draft.settings, .draft(draft.assembly),
      to: RunRecipients(draft.recipients, without: common.suppression),
      .step(scenario: scenario.title, number: scenario.isSeveral ? step.number : nil))
    order.scenario = OrderedScenario(
      scenario, reading: draft.reads + [scenario.scriptRead(for: draft, common)].compactMap(\.self),
      createsChannel: step.channel?.isCreated ?? false)
    order.credentials = .shared(common.credentials)
    order.devices = draft.devices
    self.order = order
  }

  /// The step, sending to a channel that its scenario has created.
  private func naming(_ channel: ChannelID) -> RunStep {
    RunStep(step, of: scenario, draft.naming(channel), common)
  }

  /// Sends the step as it was planned. Only problems are reported.
  ///
  /// - Parameter channel: the channel that its scenario has created; nil for none.
  func run(_ plan: RunPlan, _ channel: ChannelID?) throws(Failure) -> FinishedRun {
    let order = channel.map(naming)?.order ?? order
    return try plan.renewed(order).send(in: common.resources, asking: false)
  }

  /// Checks everything that could prevent the step from being sent. Sends nothing.
  func prepare() throws(Failure) -> PreparedStep {
    let destination = try order.destination(context)
    if destination.server.environment == .emulator {
      _ = try common.resources.script(for: scenario)
    }
    let plan = try RunPlan(order, at: destination, telling: common.telling, context)
    if settings.plan.isOn {
      try plan.rehearse()
    } else {
      // A pipe can be read only once, and its writer would fail when it is closed here.
      if !plan.recipients.sources.contains(where: \.isReadOnce) { _ = try plan.openRecipients() }
      _ = try destination.open(context)
    }
    return PreparedStep(
      step: self, plan: plan,
      filesInUse: order.filesRead(destination.credentials, context) + settings.historyFiles)
  }

  /// Checks everything that could prevent its requests from being printed.
  func rehearse() throws(Failure) {
    let plan = try RunPlan(order, at: order.destination(context), telling: .nothing, context)
    _ = try plan.openRecipients()
  }

  /// Prints the step's requests.
  func dryRun() throws(Failure) -> Report {
    try RunPlan(order, at: order.destination(context), telling: common.telling, context)
      .carryOut(in: common.resources)
  }

  /// The results of a run, recorded in the history, and the error if some were lost.
  func report(of finished: FinishedRun) -> (run: StepRun, loss: Failure?) {
    let closed = RunReport(closing: finished)
    let summary = closed.summary
    let losses = [
      closed.loss, closed.unrecorded?.failure(after: summary.report.exitCode),
    ].compactMap(\.self)
    let outputs = finished.run.outputs
    let run = StepRun(
      summary: summary, text: summary.text(Style(hasColor: false)),
      coloredText: summary.text(common.context.teller.style),
      skipped: outputs.skipped.told, examples: outputs.examples?.tokens ?? [:])
    return (run, losses.count > 1 ? .several(losses) : losses.first)
  }
}

extension ScenarioResources {
  /// What is told of each message.
  fileprivate var telling: CheckedMessage.Telling { tellsInference ? .all : .warnings }
}

extension Scenario {
  /// The emulator's script, if it is read for a step.
  fileprivate func scriptRead(for draft: DraftOrder, _ common: ScenarioResources) -> String? {
    let isEmulated = draft.settings.environment?.value == .named(.emulator)
    return isEmulated && !common.resources.replacesScripts ? script : nil
  }
}
