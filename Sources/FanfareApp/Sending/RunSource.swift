internal import APNS
internal import Delivery
internal import HTTP2
internal import POSIX
internal import Projects
internal import PushModel
internal import Recipients

/// Who a run sends to, and how it is written down: a new run, one that is resumed, or one that sends
/// pushes of another again.
protocol RunSource {
  /// Who is sent to.
  var sources: [RecipientSource] { get }
  /// Who is not.
  var suppression: Suppression { get }
  /// Whether it is no mistake when there is nobody left to send to.
  var mayBeEmpty: Bool { get }
  /// Whether results go behind those that are in the file.
  var continuesResults: Bool { get }

  /// Makes room for copies of the lists that can be read only once, by their places.
  func prepareSpools(_ settings: Settings, _ context: Context) throws(Failure) -> [Int: Spool]

  /// What the apns-ids of the run are made of.
  func identity(given: APNSID?, _ clock: RunClock) -> RunIdentity

  /// Begins the run in the history, or takes it up.
  ///
  /// - Throws: `Failure.history`; nothing was sent.
  func book(_ start: RunStart) throws(Failure) -> RunBook
}

extension RunSource {
  var mayBeEmpty: Bool { false }

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
  let continuesResults: Bool

  private let spools = ListSpools()

  init(
    to sources: [RecipientSource], without suppression: Suppression,
    scenario: (title: String, step: Int?)? = nil, continuesResults: Bool = false
  ) {
    (self.sources, self.suppression) = (sources, suppression)
    (self.scenario, self.continuesResults) = (scenario, continuesResults)
  }

  func prepareSpools(_ settings: Settings, _ context: Context) throws(Failure) -> [Int: Spool] {
    spools.prepare(
      for: sources, beside: try settings.historyPath(), isQuiet: settings.quiet.isOn, context)
  }

  func book(_ start: RunStart) throws(Failure) -> RunBook {
    guard let path = try start.settings.historyPath() else {
      return RunBook(nothing: start.context)
    }
    var record = start.record
    record.kind = scenario == nil ? .send : .scenario
    (record.scenario, record.step) = (scenario?.title, scenario?.step)
    record.settings = try start.kept(sources, without: suppression.sources).json
    return try RunBook(
      record, nil, at: path, claiming: sources.isOneToken ? 1 : 0, sources, suppression, spools,
      start.context)
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

  /// The run as the history keeps it, without what is known of its lists.
  var record: RunRecord {
    var record = RunRecord(
      started: context.clock.epochMilliseconds(), environment: server.environment.name,
      version: fanfareVersion, identity: identity)
    record.server = server.environment.address?.description
    record.atMostOnce = settings.atMostOnce.isOn
    message.write(to: &record)
    return record
  }

  /// The settings that are repeated when the run is taken up: the server that was found, and of
  /// credentials only the place.
  ///
  /// - Throws: `Failure.list` when a list is gone.
  func kept(
    _ sources: [RecipientSource], without suppressed: [RecipientSource]
  ) throws(Failure) -> RunSettings {
    var kept = settings
    kept.environment = Setting(.named(server.named), .storedRun)
    // The emulator in the process brings its own.
    kept.ca = server.environment == .emulator ? nil : kept.ca
    let sharesTokens = kept.tokenCache
    kept.forget(.credentials)
    kept = kept.over(credentials.stored)
    kept.tokenCache = sharesTokens
    return RunSettings(
      settings: kept, folder: ProcessFacts.workingFolder,
      recipients: try sources.map { (source) throws(Failure) in
        if case .tokens(let tokens, let name) = source { return .tokens(tokens, name: name) }
        return .list(try .init(source))
      }, suppressed: try suppressed.map { (source) throws(Failure) in try .init(source) },
      isTemplate: message.rendering != nil)
  }
}

/// What the runs of one command share: servers, connections, and the signal that ends them all.
struct SendingMeans: Sendable {
  /// Where they send.
  let places: CommonPlaces
  /// Connections that later runs with the same credentials to the same server reuse; nil for a run
  /// alone, which closes its own.
  var links: LinkPools?
  /// What ends them.
  let stops = StopGroup()
  /// Whether one may say how far it is; several at once would talk into each other.
  var tellsProgress = true
}
