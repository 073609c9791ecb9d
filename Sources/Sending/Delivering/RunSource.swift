package import APNS
package import Delivery
package import HTTP2
internal import Opening
internal import POSIX
package import PushModel
package import Recipients
package import Reporting
package import Runs
package import Settings

/// Who a run sends to.
package protocol RunRecipients {
  var sources: [RecipientSource] { get }
  /// The device tokens to leave out.
  var suppression: Suppression { get }
  /// Whether the run may have no recipients left.
  var mayBeEmpty: Bool { get }

  /// Prepares copies of the lists that can be read only once, by their indices.
  func prepareSpools(_ settings: Settings, _ context: Context) throws(Failure) -> [Int: Spool]
}

extension RunRecipients {
  package var mayBeEmpty: Bool { false }

  package func prepareSpools(_ settings: Settings, _ context: Context) throws(Failure) -> [Int:
    Spool]
  {
    [:]
  }

  /// Opens the lists.
  ///
  /// - Parameter rendering: makes what each row has for itself; nil when all get the same.
  func reader(
    _ rendering: (any RowRendering)?, _ settings: Settings, chunkSize: Int = PushChunk.capacity,
    _ context: Context
  ) throws(Failure) -> sending RecipientReader {
    let spools = settings.dryRun.isOn ? [:] : try prepareSpools(settings, context)
    let selection = try selection(settings)
    do throws(ListError) {
      return try RecipientReader(
        sources, format: settings.listFormat, selection: selection, rendering: rendering,
        listed: settings.listed,
        // A run that goes on was looked at when it began, and may have been begun without.
        refusesMissing: !mayBeEmpty, spools: spools, chunkSize: chunkSize,
        report: SkippedLines("bad lines", context, isQuiet: settings.quiet.isOn).add)
    } catch {
      throw .list(error)
    }
  }

  /// Which rows are sent to.
  func selection(_ settings: Settings) throws(Failure) -> RecipientSelection {
    do throws(ListError) {
      return settings.selection(without: try suppression.tokens())
    } catch {
      throw .list(error)
    }
  }
}

/// A run that is sent, and how it is recorded: a new one, one that is resumed, or one that sends pushes
/// of another again.
package protocol RunSource: RunRecipients {
  /// The run that goes on, to whose results others are appended; nil for a new one.
  var committed: CommittedRun? { get }
  /// What is known of a run that is resumed; nothing of a new one.
  var earlier: EarlierPasses { get }
  /// The step of a scenario that it is; nil for anything else.
  var step: ResultStep? { get }

  func identity(given: APNSID?, _ clock: RunClock) -> RunIdentity

  /// Whether results are appended to those that are in the files, whatever run they are of.
  var appendsResults: Bool { get }

  /// Adds to the plan what only the source knows.
  func adapt(_ plan: inout DeliveryPlan)

  /// Is given what stops the run, before it begins.
  func watch(_ control: RunControl)

  /// Begins the run in the history, or its next pass.
  ///
  /// - Throws: `Failure.history`; nothing was sent.
  func begin(_ start: RunStart) throws(Failure) -> RecordedRun
}

extension RunSource {
  package var committed: CommittedRun? { nil }
  package var earlier: EarlierPasses { EarlierPasses() }
  package var step: ResultStep? { nil }

  package func identity(given: APNSID?, _ clock: RunClock) -> RunIdentity {
    RunIdentity(given: given, clock)
  }

  package var appendsResults: Bool { false }

  package func adapt(_ plan: inout DeliveryPlan) {}

  package func watch(_ control: RunControl) {}
}

/// A run of its own: of a command line, or of a step of a scenario.
package struct NewRun: RunSource {
  package let sources: [RecipientSource]
  package let suppression: Suppression
  /// The scenario's title and, if it has several, the number of the step; nil without a scenario.
  package var scenario: (title: String, step: Int?)?

  private let spools = ListSpools()

  package init(
    sources: [RecipientSource], suppression: Suppression,
    scenario: (title: String, step: Int?)? = nil
  ) {
    (self.sources, self.suppression, self.scenario) = (sources, suppression, scenario)
  }

  package var step: ResultStep? {
    scenario.map { ResultStep(scenario: $0.title, number: $0.step ?? 1) }
  }

  package func prepareSpools(_ settings: Settings, _ context: Context) throws(Failure) -> [Int:
    Spool]
  {
    spools.prepare(
      for: sources, beside: try settings.historyPath(), isQuiet: settings.quiet.isOn, context)
  }

  package func begin(_ start: RunStart) throws(Failure) -> RecordedRun {
    try start.record(self, spools) { record, _ in
      record.kind = scenario == nil ? .send : .scenario
      (record.scenario, record.step) = (scenario?.title, scenario?.step)
    }
  }

  /// Gives the copies of its lists their names.
  func keep(_ copies: ListCopies) {
    copies.keep(recipients: spools, suppressed: suppression.spools)
  }

  /// Whether a list could not be copied that can be read only once.
  var lacksCopies: Bool { spools.hasFailed || suppression.spools.hasFailed }
}

/// What is known of a run when it begins.
package struct RunStart {
  let message: Message
  let identity: RunIdentity
  let settings: Settings
  let server: ServerChoice
  /// Nil for a run that is put into the queue: workers have their own.
  let credentials: OpenedCredentials?
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
    return try RecordedRun(
      beginning: try record(of: run, describe), lineage, of: run, spools, at: path, context)
  }

  /// What the history keeps of the run.
  func record(
    of run: some RunRecipients, _ describe: (inout RunRecord, inout RunInputs) -> Void = { _, _ in }
  ) throws(Failure) -> RunRecord {
    var record = RunRecord(
      started: context.clock.epochMilliseconds(), environment: server.environment.name,
      version: fanfareVersion, identity: identity)
    record.server = server.address?.description
    record.atMostOnce = settings.atMostOnce.isOn
    message.write(to: &record)
    var inputs = try inputs(run)
    describe(&record, &inputs)
    record.settings = inputs.json
    return record
  }

  /// What resuming repeats: the server that was found, and of credentials only the place.
  private func inputs(_ run: some RunRecipients) throws(Failure) -> RunInputs {
    var kept = settings
    kept.environment = Setting(server.setting, .storedRun)
    // An emulator brings its own.
    kept.ca = server.environment.isEmulator ? nil : kept.ca
    let sharesTokens = kept.tokenCache
    kept.forget(.credentials)
    kept = kept.over(credentials?.stored ?? Settings())
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

// What keeps a run from beginning.
extension Failure {
  package static var noRecipients: Failure {
    Failure(
      "No recipients given.", fix: "Give --to TOKEN, --tokens FILE, or both; or --channel ID.")
  }
}
