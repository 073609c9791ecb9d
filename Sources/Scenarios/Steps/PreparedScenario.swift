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
    let servers = steps.map(\.destination.server)
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
struct PreparedStep: Sendable {
  let step: ScenarioStep
  /// The server it is sent to.
  let destination: Destination
  /// The credentials of its connections.
  let credentials: OpenedCredentials
  /// The files that it reads, including its history's.
  let filesInUse: [String]
  /// A device token whose length is none of Apple's.
  let oddToken: DeviceToken?
  /// Named devices of another environment than the step's.
  let elsewhere: [DeviceElsewhere]
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
    guard let policy = scenario.channelToCreate, let step = steps.besideCreatedChannel else {
      return nil
    }
    return faults.gather([step], at: { .init(file: scenario.file, step: $0.step.number) }) {
      (step) throws(Failure) in
      try RunStep(step.step, of: scenario, self).prepareChannel(beside: step, storing: policy)
    }.first
  }

  /// Reads the lists of suppressed device tokens before several scenarios need them at once.
  func readSuppressed() throws(Failure) {
    do throws(ListError) { _ = try suppression.tokens() } catch { throw .list(error) }
  }

  /// Opens the histories that will record the scenarios.
  ///
  /// - Throws: `Failure.history` if one cannot be opened.
  func openHistories(of scenarios: [PreparedScenario]) throws(Failure) {
    var paths: Set<String> = []
    for scenario in scenarios {
      let settings = try options.merged(
        over: scenario.scenario.settings, reading: [.telling], context)
      guard let path = try settings.historyPath(), paths.insert(path).inserted else { continue }
      try answered(SQLLedger.look(at: path))
    }
  }
}

/// Runs one step of a scenario.
struct RunStep {
  let step: ScenarioStep
  let scenario: Scenario
  let common: ScenarioResources
  /// The lists that the step names, unless options replace them.
  private let lists: [RecipientSource]
  /// The named devices among them.
  private let devices: [Device]
  let settings: Settings
  private let planner: SendPlanner
  private let sending: Sending

  /// - Throws: `Failure` if a layer of settings is invalid.
  init(_ step: ScenarioStep, of scenario: Scenario, _ common: ScenarioResources) throws(Failure) {
    (self.step, self.scenario, self.common) = (step, scenario, common)
    let options = common.options.counting(for: step)
    let given = options.recipientSources
    let named = given.isEmpty ? try common.context.found(step.recipients) : ([], [])
    devices = named.1
    settings = try options.merged(
      over: scenario.settings(for: step), for: devices, common.context)
    let channel = settings.channel.map {
      RecipientSource.channel($0.value, name: "\(scenario.file): channel")
    }
    lists = channel.map { [$0] } ?? named.0
    planner = SendPlanner(
      settings: settings,
      run: NewRun(
        sources: given.isEmpty ? lists : given, suppression: common.suppression,
        scenario: (scenario.title, scenario.isSeveral ? step.number : nil)),
      resources: common.resources, scenario: scenario, context: common.context)
    sending = try planner.sending()
  }

  /// Sends a prepared step. Only problems are reported.
  func run(_ prepared: PreparedStep) throws(Failure) -> FinishedRun {
    let destination = prepared.destination
    let message = try message(for: destination, isTold: false)
    return try sending.send(
      message, to: try sending.recipients(message), at: destination.servers,
      as: prepared.credentials)
  }

  /// Checks everything that could prevent the step from being sent. Sends nothing.
  func prepare() throws(Failure) -> PreparedStep {
    let destination = try destination()
    if destination.server.environment == .emulator {
      _ = try common.resources.script(for: scenario)
    }
    let message = try message(for: destination, isTold: true)
    // A pipe can be read only once, and its writer would fail when it is closed here.
    if !sending.run.sources.contains(where: \.isReadOnce) { _ = try sending.recipients(message) }
    let credentials = try common.credentials.opened(
      name(for: destination.server.environment)
    ) { () throws(Failure) in try destination.open(settings, common.context) }
    return PreparedStep(
      step: step, destination: destination, credentials: credentials,
      filesInUse: planner.filesRead(destination.credentials) + settings.historyFiles,
      oddToken: try sending.run.sources.oddToken(for: destination.server.named, settings),
      elsewhere: settings.devicesElsewhere(devices))
  }

  /// A preview of pushes to several production devices; nil for anything else.
  func preview(_ prepared: PreparedStep) throws(Failure) -> ProductionPreview? {
    let destination = prepared.destination
    guard destination.server.environment.isProduction else { return nil }
    return try planner.productionPreview(
      try message(for: destination, isTold: false), at: destination.server)
  }

  /// Checks everything that could prevent its requests from being printed.
  func rehearse() throws(Failure) {
    let destination = try destination()
    _ = try sending.recipients(try message(for: destination, isTold: false))
    _ = try sending.run.sources.oddToken(for: destination.server.named, settings)
  }

  /// Prints the step's requests.
  func dryRun() throws(Failure) -> Report {
    let destination = try destination()
    return try planner.dryRun(try message(for: destination, isTold: true), destination)
  }

  /// The results of a run, recorded in the history, and the error if some were lost.
  func report(of finished: FinishedRun) -> (run: StepRun, loss: Failure?) {
    let closed = sending.close(finished)
    let summary = closed.summary
    let losses = [
      closed.loss, closed.unrecorded?.failure(after: summary.report.exitCode),
    ].compactMap(\.self)
    let run = StepRun(
      summary: summary, text: summary.text(Style(hasColor: false)),
      coloredText: summary.text(common.context.teller.style),
      skipped: finished.outputs.skipped.told, examples: finished.outputs.examples?.tokens ?? [:])
    return (run, losses.count > 1 ? .several(losses) : losses.first)
  }

  private func destination() throws(Failure) -> Destination {
    try planner.refuseMissing(beside: step.payload)
    return try planner.destination(reading: filesRead) { (environment) throws(Failure) in
      try common.credentials.found(name(for: environment)) { () throws(Failure) in
        try .find(settings, for: environment, common.context)
      }
    }
  }

  /// The files that the scenario reads: its base files, and the script, payload and lists unless
  /// options replace them.
  private var filesRead: [String] {
    let usesScript =
      settings.environment?.value == .named(.emulator) && !common.resources.replacesScripts
    let script = usesScript ? scenario.script : nil
    let payload = settings.namePayload ? nil : step.payload?.file
    return scenario.bases + [script, payload].compactMap(\.self)
      + lists.compactMap { if case .file(let path) = $0 { path } else { nil } }
  }

  private func name(for environment: PushEnvironment) -> CommonCredentials.Name {
    CommonCredentials.Name(settings, isEmulator: environment.isEmulator)
  }

  private func message(
    for destination: Destination, isTold: Bool
  ) throws(Failure) -> Message {
    var assembly = DraftAssembly(settings, else: step.payload, common.context)
    assembly.payloadContents = common.payload
    assembly.channelStorage = step.channel?.storage
    let checked = try CheckedMessage(assembly, settings, destination, common.context)
    if isTold { checked.tell(tellsInference: common.tellsInference, common.context) }
    return checked.message
  }
}
