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
  /// All layers, merged.
  let settings: Settings
  private let order: RunOrder
  private let given: [RecipientSource]?
  private let named: ([RecipientSource], [Device])
  private var context: Context { common.context }

  /// - Throws: `Failure` if a layer of settings is invalid.
  init(_ step: ScenarioStep, of scenario: Scenario, _ common: ScenarioResources) throws(Failure) {
    let options = common.options.counting(for: step)
    let given = options.recipientSources
    let named = given.isEmpty ? try common.context.found(step.recipients) : ([], [])
    let settings = try options.merged(
      over: scenario.settings(for: step), for: named.1, common.context)
    self.init(step, of: scenario, settings, to: given.isEmpty ? nil : given, named, common)
  }

  /// - Parameters:
  ///   - given: the recipients of the command line, which replace the step's; nil for none.
  ///   - named: the recipients of the step, and the devices among them.
  private init(
    _ step: ScenarioStep, of scenario: Scenario, _ settings: Settings,
    to given: [RecipientSource]?, _ named: ([RecipientSource], [Device]),
    _ common: ScenarioResources
  ) {
    (self.step, self.scenario, self.common, self.settings) = (step, scenario, common, settings)
    let channel = settings.channel.map {
      RecipientSource.channel($0.value, name: "\(scenario.file): channel")
    }
    let lists = channel.map { [$0] } ?? named.0
    var assembly = DraftAssembly(settings, else: step.payload, common.context)
    assembly.payloadContents = common.payload
    assembly.channelStorage = step.channel?.storage
    var order = RunOrder(
      settings, .draft(assembly), to: RunRecipients(given ?? lists, without: common.suppression),
      .step(scenario: scenario.title, number: scenario.isSeveral ? step.number : nil))
    order.scenario = OrderedScenario(
      scenario, reading: scenario.filesRead(for: step, lists, settings, common),
      createsChannel: step.channel?.isCreated ?? false)
    order.credentials = .shared(common.credentials)
    order.devices = named.1
    self.order = order
    (self.given, self.named) = (given, named)
  }

  /// The step, sending to a channel that its scenario has created.
  private func naming(_ channel: ChannelID) -> RunStep {
    RunStep(step, of: scenario, settings.naming(channel), to: given, named, common)
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
  /// The files that are read for a step: the base files, and the script, payload and lists unless
  /// options replace them.
  fileprivate func filesRead(
    for step: ScenarioStep, _ lists: [RecipientSource], _ settings: Settings,
    _ common: ScenarioResources
  ) -> [String] {
    let usesScript =
      settings.environment?.value == .named(.emulator) && !common.resources.replacesScripts
    let script = usesScript ? script : nil
    let payload = settings.namePayload ? nil : step.payload?.file
    return bases + [script, payload].compactMap(\.self)
      + lists.compactMap { if case .file(let path) = $0 { path } else { nil } }
  }
}
