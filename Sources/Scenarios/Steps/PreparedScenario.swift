internal import APNS
internal import Opening
internal import PlainText
internal import PushModel
internal import Recipients
internal import Reporting
internal import Runs
internal import SQLHistory
internal import Sending
internal import Settings

/// A scenario that is ready to be run, as far as that is known beforehand.
struct PreparedScenario: Sendable {
  let scenario: Scenario
  let steps: [PreparedStep]
  /// The channel that it creates; nil when it creates none.
  let channel: PreparedChannel?
}

extension PreparedScenario {
  /// What to say of its emulator script, if no step goes to that emulator; nil otherwise.
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

/// A step that is ready to be sent, as far as that is known beforehand.
struct PreparedStep: Sendable {
  let step: ScenarioStep
  /// Where it goes.
  let destination: Destination
  /// What its connections authenticate with.
  let credentials: OpenedCredentials
  /// The files that it reads, and its history's.
  let filesInUse: [String]
  /// A device token that is too short to be Apple's, if Apple is to take it.
  let shortToken: DeviceToken?
}

/// What all scenarios of a command are run with.
struct ScenarioMeans: Sendable {
  /// What the command line says, which comes before what a scenario says.
  let options: Settings
  /// The recipients that are left out.
  let suppression: Suppression
  /// Servers and connections.
  let resources: RunResources
  /// The credentials that were opened.
  let credentials = CommonCredentials()
  /// What `--payload` names, which may be a pipe; nil when it is not given.
  let payload: [UInt8]?
  /// Whether each step says which push type and topic it inferred.
  let tellsInference: Bool
  let context: Context

  /// Looks for everything that would keep scenarios from being run, and sends nothing.
  ///
  /// - Returns: those that can be run, and what is wrong with any of their steps.
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

  /// The channel that a scenario creates; nil when it creates none, or when something is wrong.
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

  /// Reads the lists of suppressed device tokens, before several scenarios ask for them at once.
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
      try answered(SQLLedger.look(at: path))
    }
  }
}

/// Runs one step of a scenario.
struct RunStep {
  let step: ScenarioStep
  let scenario: Scenario
  let common: ScenarioMeans
  /// The lists that it names, as far as no option replaces them.
  private let lists: [RecipientSource]
  let settings: Settings
  private let sending: Sending

  /// - Throws: `Failure` when a layer of settings cannot be used.
  init(_ step: ScenarioStep, of scenario: Scenario, _ common: ScenarioMeans) throws(Failure) {
    (self.step, self.scenario, self.common) = (step, scenario, common)
    let options = common.options.counting(for: step)
    let given = options.recipientSources
    let named = given.isEmpty ? try common.context.found(step.recipients) : ([], [])
    settings = try options.merged(
      over: scenario.settings(for: step), for: named.1, common.context)
    let channel = settings.channel.map {
      RecipientSource.channel($0.value, name: "\(scenario.file): channel")
    }
    lists = channel.map { [$0] } ?? named.0
    sending = Sending(
      settings: settings,
      run: NewRun(
        sources: given.isEmpty ? lists : given, suppression: common.suppression,
        scenario: (scenario.title, scenario.isSeveral ? step.number : nil)),
      resources: common.resources, scenario: scenario, context: common.context)
  }

  /// Sends what was prepared. Only problems are reported.
  func run(_ prepared: PreparedStep) throws(Failure) -> FinishedRun {
    let destination = prepared.destination
    let message = try message(for: destination, isTold: false)
    return try sending.send(
      message, to: try sending.recipients(message), at: destination.server,
      as: prepared.credentials)
  }

  /// Looks for everything that would keep the step from being sent, and sends nothing.
  func prepare() throws(Failure) -> PreparedStep {
    let destination = try destination()
    if destination.server.environment == .emulator {
      _ = try common.resources.script(for: scenario)
    }
    let message = try message(for: destination, isTold: true)
    // A program that writes into a pipe would lose its reader.
    if !sending.run.sources.contains(where: \.isReadOnce) { _ = try sending.recipients(message) }
    let credentials = try common.credentials.opened(
      name(for: destination.server.environment)
    ) { () throws(Failure) in try destination.open(settings, common.context) }
    return PreparedStep(
      step: step, destination: destination, credentials: credentials,
      filesInUse: sending.filesRead(destination.credentials) + settings.historyFiles,
      shortToken: try sending.run.sources.shortToken(for: destination.server.named, settings))
  }

  /// What it would send to several devices in production; nil for anything else.
  func preview(_ prepared: PreparedStep) throws(Failure) -> ProductionPreview? {
    let destination = prepared.destination
    guard destination.server.environment.isProduction else { return nil }
    return try sending.productionPreview(
      try message(for: destination, isTold: false), at: destination.server)
  }

  /// Looks for everything that would keep its requests from being printed.
  func rehearse() throws(Failure) {
    let destination = try destination()
    _ = try sending.recipients(try message(for: destination, isTold: false))
    _ = try sending.run.sources.shortToken(for: destination.server.named, settings)
  }

  /// Prints its requests.
  func dryRun() throws(Failure) -> ExitCode {
    let destination = try destination()
    return try sending.dryRun(try message(for: destination, isTold: true), destination)
  }

  /// What its run came to, once that is in the history, and what was lost of its results.
  func report(of finished: FinishedRun) -> (run: StepRun, loss: Failure?) {
    var finished = finished
    var losses: [Failure] = []
    do throws(Failure) { try sending.close(&finished) } catch { losses = [error] }
    let summary = finished.summary
    finished.unrecorded.map { losses.append($0.failure(after: summary.report.exitCode)) }
    let run = StepRun(
      summary: summary, text: summary.text(Style(hasColor: false)),
      coloredText: summary.text(Style(hasColor: common.context.output.hasColor)),
      skipped: finished.outputs.skipped.told, examples: finished.outputs.examples?.tokens ?? [:])
    return (run, losses.count > 1 ? .several(losses) : losses.first)
  }

  private func destination() throws(Failure) -> Destination {
    try sending.destination(reading: filesRead) { (environment) throws(Failure) in
      try common.credentials.found(name(for: environment)) { () throws(Failure) in
        try .find(settings, for: environment, common.context)
      }
    }
  }

  /// The files that the scenario names: those that it extends, and the script, the payload and the
  /// lists as far as no option replaces them.
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
