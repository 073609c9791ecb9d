internal import APNS
internal import Recipients
internal import Reporting
internal import Runs
internal import Settings

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
