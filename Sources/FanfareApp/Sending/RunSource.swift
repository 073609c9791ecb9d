internal import APNS
internal import Delivery
internal import HTTP2
internal import POSIX
internal import Projects
internal import PushModel
internal import Recipients

/// Who a run sends to, and how it is recorded: a new run, one that is resumed, or one that sends
/// pushes of another again.
protocol RunSource {
  var sources: [RecipientSource] { get }
  /// The device tokens to leave out.
  var suppression: Suppression { get }
  /// Whether the run may have no recipients left.
  var mayBeEmpty: Bool { get }
  /// The run that goes on, to whose results others are appended; nil for a new one.
  var committed: CommittedRun? { get }
  /// What is known of a run that is resumed; nothing of a new one.
  var earlier: EarlierPasses { get }
  /// The step of a scenario that it is; nil for anything else.
  var step: ResultStep? { get }

  /// Prepares copies of the lists that can be read only once, by their indices.
  func prepareSpools(_ settings: Settings, _ context: Context) throws(Failure) -> [Int: Spool]

  func identity(given: APNSID?, _ clock: RunClock) -> RunIdentity

  /// Begins the run in the history, or its next pass.
  ///
  /// - Throws: `Failure.history`; nothing was sent.
  func begin(_ start: RunStart) throws(Failure) -> RecordedRun
}

extension RunSource {
  var mayBeEmpty: Bool { false }

  var committed: CommittedRun? { nil }
  var earlier: EarlierPasses { EarlierPasses() }
  var step: ResultStep? { nil }

  func prepareSpools(_ settings: Settings, _ context: Context) throws(Failure) -> [Int: Spool] {
    [:]
  }

  func identity(given: APNSID?, _ clock: RunClock) -> RunIdentity {
    RunIdentity(given: given, clock)
  }
}

/// A run of its own: of a command line, or of a step of a scenario.
struct NewRun: RunSource {
  let sources: [RecipientSource]
  let suppression: Suppression
  /// The scenario's title and, if it has several, the number of the step; nil without a scenario.
  var scenario: (title: String, step: Int?)?

  private let spools = ListSpools()

  var step: ResultStep? { scenario.map { ResultStep(scenario: $0.title, number: $0.step ?? 1) } }

  func prepareSpools(_ settings: Settings, _ context: Context) throws(Failure) -> [Int: Spool] {
    spools.prepare(
      for: sources, beside: try settings.historyPath(), isQuiet: settings.quiet.isOn, context)
  }

  func begin(_ start: RunStart) throws(Failure) -> RecordedRun {
    try start.record(self, spools) { record, _ in
      record.kind = scenario == nil ? .send : .scenario
      (record.scenario, record.step) = (scenario?.title, scenario?.step)
    }
  }
}

/// What is known of a run when it begins.
struct RunStart {
  let message: Message
  let identity: RunIdentity
  let settings: Settings
  let server: ServerChoice
  let credentials: OpenedCredentials
  let context: Context

  /// Begins a run in the history, unless it has none.
  ///
  /// - Parameter describe: adds what only the source knows.
  /// - Throws: `Failure.list` when a list is gone, `Failure.history`; nothing was sent.
  func record(
    _ run: some RunSource, _ spools: ListSpools, resending lineage: Lineage? = nil,
    describe: (inout RunRecord, inout RunInputs) -> Void
  ) throws(Failure) -> RecordedRun {
    guard let path = try settings.historyPath() else { return RecordedRun() }
    var record = RunRecord(
      started: context.clock.epochMilliseconds(), environment: server.environment.name,
      version: fanfareVersion, identity: identity)
    record.server = server.address?.description
    record.atMostOnce = settings.atMostOnce.isOn
    message.write(to: &record)
    var inputs = try inputs(run)
    describe(&record, &inputs)
    record.settings = inputs.json
    return try RecordedRun(beginning: record, lineage, of: run, spools, at: path)
  }

  /// What resuming repeats: the server that was found, and of credentials only the place.
  private func inputs(_ run: some RunSource) throws(Failure) -> RunInputs {
    var kept = settings
    kept.environment = Setting(server.setting, .storedRun)
    // An emulator brings its own.
    kept.ca = server.environment.isEmulator ? nil : kept.ca
    let sharesTokens = kept.tokenCache
    kept.forget(.credentials)
    kept = kept.over(credentials.stored)
    kept.tokenCache = sharesTokens
    return RunInputs(
      settings: kept, folder: ProcessFacts.workingFolder,
      recipients: try run.sources.map { (source) throws(Failure) in
        switch source {
        case .tokens(let tokens, let name): return .tokens(tokens, name: name)
        case .channel(let id, let name): return .channel(id, name: name)
        case .file, .standardInput, .copy, .resent: return .list(try .init(source))
        }
      },
      suppressed: try run.suppression.sources.map(RunInputs.List.init),
      isTemplate: message.rendering != nil)
  }
}
