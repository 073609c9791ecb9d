internal import APNS
internal import Projects
internal import Recipients

/// Runs one step of a scenario.
struct RunStep {
  let step: ScenarioStep
  let scenario: Scenario
  let common: ScenarioMeans
  private let settings: Settings
  private let sending: Sending

  /// - Throws: `Failure` when a layer of settings cannot be used.
  init(_ step: ScenarioStep, of scenario: Scenario, _ common: ScenarioMeans) throws(Failure) {
    (self.step, self.scenario, self.common) = (step, scenario, common)
    settings = try common.options.merged(over: scenario.settings(for: step), common.context)
    let given = settings.recipientSources
    sending = Sending(
      settings: settings,
      run: NewRun(
        sources: given.isEmpty ? step.recipients : given, suppression: common.suppression,
        scenario: (scenario.title, scenario.isSeveral ? step.number : nil),
        continuesResults: true),
      resources: common.means, scenario: scenario, context: common.context)
  }

  /// Sends what was prepared. Nothing but problems is told.
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
      _ = try common.means.script(for: scenario)
    }
    let message = try message(for: destination, isTold: true)
    // Who writes into a pipe would lose its reader.
    if !sending.run.sources.contains(where: \.isReadOnce) { _ = try sending.recipients(message) }
    let credentials = try common.credentials.opened(
      name(for: destination.server.environment)
    ) { () throws(Failure) in try destination.open(settings, common.context) }
    return PreparedStep(step: step, destination: destination, credentials: credentials)
  }

  /// Looks for everything that would keep its requests from being printed.
  func rehearse() throws(Failure) {
    _ = try sending.recipients(try message(for: try destination(), isTold: false))
  }

  /// Prints its requests.
  func dryRun() throws(Failure) -> ExitCode {
    let destination = try destination()
    return try sending.dryRun(try message(for: destination, isTold: true), destination)
  }

  /// What its run came to, once that is in the history.
  func report(of finished: FinishedRun) -> (run: StepRun, loss: Failure?) {
    var finished = finished
    var loss: Failure?
    do throws(Failure) { try sending.close(&finished) } catch { loss = error }
    let summary = finished.summary
    let run = StepRun(
      report: summary.report, summary: summary, text: summary.text(Style(hasColor: false)),
      coloredText: summary.text(Style(hasColor: common.context.output.hasColor)),
      resumeHint: summary.resumeHint.command, skipped: finished.outputs.skipped.told)
    return (run, loss)
  }

  private func destination() throws(Failure) -> Destination {
    try Destination(settings, to: sending.run.sources, common.context) {
      (environment) throws(Failure) in
      try common.credentials.found(name(for: environment)) { () throws(Failure) in
        try .find(settings, for: environment, common.context)
      }
    }
  }

  private func name(for environment: PushEnvironment) -> CommonCredentials.Name {
    CommonCredentials.Name(settings, isEmulator: environment == .emulator)
  }

  private func message(
    for destination: Destination, isTold: Bool
  ) throws(Failure) -> Message {
    var assembly = DraftAssembly(settings, else: step.payload, common.context)
    assembly.payloadContents = common.payload
    let checked = try CheckedMessage(assembly, settings, destination, common.context)
    if isTold { checked.tell(tellsInference: common.tellsInference, common.context) }
    return checked.message
  }
}

/// A step of which nothing is known that would keep it from being sent.
struct PreparedStep: Sendable {
  let step: ScenarioStep
  /// Where it goes.
  let destination: Destination
  /// What its connections authenticate with.
  let credentials: OpenedCredentials
}
