package import APNS
package import Delivery
package import HTTP2
internal import POSIX
package import PushModel
package import Recipients
package import Reporting
package import Settings

/// The recipients of a run.
package protocol RunRecipients {
  var sources: [RecipientSource] { get }
  /// The device tokens to leave out.
  var suppression: Suppression { get }
  /// A run without recipients is not an error.
  var mayBeEmpty: Bool { get }

  /// Prepares copies of the lists that can be read only once, by list index.
  ///
  /// - Parameter history: the history beside which they are made.
  func prepareSpools(beside history: String, _ context: Context) -> [Int: Spool]
}

extension RunRecipients {
  package var mayBeEmpty: Bool { false }

  package func prepareSpools(beside history: String, _ context: Context) -> [Int: Spool] { [:] }

  /// Opens the lists.
  ///
  /// - Parameter rendering: renders the payload values of each row; nil when all are the same.
  func reader(
    _ rendering: (any RowRendering)?, _ lists: ListChoices, _ context: Context
  ) throws(Failure) -> sending RecipientReader {
    let spools = lists.copiesBeside.map { prepareSpools(beside: $0, context) } ?? [:]
    let selection = try selection(lists)
    do throws(ListError) {
      return try RecipientReader(
        sources, format: lists.format, selection: selection, rendering: rendering,
        listed: lists.listed,
        // Missing columns of a continued run were checked when it began, or allowed.
        refusesMissing: !mayBeEmpty, spools: spools, chunkSize: lists.chunkSize,
        report: SkippedLines("bad lines", context.teller).add)
    } catch {
      throw .list(error)
    }
  }

  /// - Throws: `Failure` when there are no recipients, or they do not match the message.
  func refuseRecipients(_ message: Message) throws(Failure) {
    if sources.isEmpty, !mayBeEmpty { throw .noRecipients }
    if !sources.haveVariables { _ = try message.payload() }
    if !mayBeEmpty, message.apnsID != nil, !sources.isOnePush {
      throw .severalRecipients(option: "--apns-id")
    }
  }

  /// The rows to send to.
  func selection(_ lists: ListChoices) throws(Failure) -> RecipientSelection {
    do throws(ListError) {
      var selection = lists.selection
      selection.suppressed = try suppression.tokens()
      return selection
    } catch {
      throw .list(error)
    }
  }
}

/// The source of a run's recipients and its entry in the history: a new run, a resumed one, or one
/// that resends pushes of another.
package protocol RunSource: RunRecipients {
  /// The run being continued, whose results are appended to; nil for a new one.
  var committed: CommittedRun? { get }
  /// The earlier passes of a resumed run; empty for a new one.
  var earlier: EarlierPasses { get }
  /// The scenario step; nil for any other run.
  var step: ResultStep? { get }

  func identity(given: APNSID?, _ clock: RunClock) -> RunIdentity

  /// Results are always appended to the files, even those of another run.
  var appendsResults: Bool { get }

  /// The limits that workers share; nil for a run with a single sender.
  var shared: SharedLimits? { get }

  /// The files of results that earlier passes have written.
  var files: RunOutputFiles { get }

  /// The configuration file that the command which began the run named; nil for none.
  var config: String? { get }

  /// Receives the control that stops the run, before it begins.
  func watch(_ control: RunControl)

  /// Begins the run, or its next pass, in the history.
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

  package var files: RunOutputFiles { RunOutputFiles() }

  package var config: String? { nil }

  package var appendsResults: Bool { false }

  package var shared: SharedLimits? { nil }

  package func watch(_ control: RunControl) {}
}

/// The connections and the rate of a run that workers share.
package struct SharedLimits {
  let connections: ConnectionLimit?
  let rate: RateSlots?

  func applied(to plan: DeliveryPlan) -> DeliveryPlan {
    var plan = plan
    (plan.connectionLimit, plan.rateSlots) = (connections, rate)
    // A fixed number in the run's settings is the total for all workers.
    if connections != nil { plan.connections = .auto }
    return plan
  }
}

/// A new run, from a command line or a scenario step.
package struct NewRun: RunSource {
  package let sources: [RecipientSource]
  package let suppression: Suppression
  /// The scenario's title and, if it has several steps, the step's number; nil without a scenario.
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

  package func prepareSpools(beside history: String, _ context: Context) -> [Int: Spool] {
    spools.prepare(for: sources, beside: history, context)
  }

  package func begin(_ start: RunStart) throws(Failure) -> RecordedRun {
    try start.record(self, spools) { record, _ in
      record.kind = scenario == nil ? .send : .scenario
      (record.scenario, record.step) = (scenario?.title, scenario?.step)
    }
  }

  /// Gives the copies of its lists their final names.
  func keep(_ copies: ListCopies) {
    copies.keep(recipients: spools, suppressed: suppression.spools)
  }

  /// A list that can be read only once could not be copied.
  var lacksCopies: Bool { spools.hasFailed || suppression.spools.hasFailed }
}

/// Everything known about a run when it begins.
package struct RunStart {
  let message: Message
  let identity: RunIdentity
  let plan: SendPlan
  let server: ServerChoice
  /// Nil for an enqueued run: workers have their own.
  let credentials: OpenedCredentials?
  let context: Context

  /// Begins a run in the history, if there is one.
  ///
  /// - Parameter describe: adds details that only the source knows.
  /// - Throws: `Failure.list` when a list is gone, `Failure.history`; nothing was sent.
  func record(
    _ run: some RunSource, _ spools: ListSpools, resending lineage: Lineage? = nil,
    describe: (inout RunRecord, inout RunInputs) -> Void
  ) throws(Failure) -> RecordedRun {
    guard let history = plan.history else { return RecordedRun() }
    return try RecordedRun(
      beginning: try record(of: run, describe), lineage, of: run, spools, at: history.location,
      context)
  }

  /// The run's record for the history.
  func record(
    of run: some RunRecipients, _ describe: (inout RunRecord, inout RunInputs) -> Void = { _, _ in }
  ) throws(Failure) -> RunRecord {
    var record = RunRecord(
      started: context.clock.epochMilliseconds(), environment: server.environment.name,
      version: fanfareVersion, identity: identity)
    record.server = server.address?.description
    record.atMostOnce = plan.delivery.isAtMostOnce
    message.write(to: &record)
    var inputs = try inputs(run)
    describe(&record, &inputs)
    record.settings = inputs.json
    return record
  }

  /// The inputs for resuming: the server in use, and only the place of the credentials.
  private func inputs(_ run: some RunRecipients) throws(Failure) -> RunInputs {
    var kept = plan.kept
    kept.environment = Setting(server.setting, .storedRun)
    // An emulator brings its own CA.
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
      isTemplate: message.rendering != nil, files: RunOutputFiles(kept).continuable,
      config: context.configuration.named)
  }
}

// What keeps a run from beginning.
extension Failure {
  package static var noRecipients: Failure {
    Failure(
      "No recipients given.", fix: "Give --to TOKEN, --tokens FILE, or both; or --channel ID.")
  }
}

/// The facts about a run from its earlier passes.
package struct EarlierPasses: Sendable {
  package var count = 0
  /// The recipients that they did not read; nil if one reached the end of the lists.
  package var unread: UnreadRecipients?
  /// The recipients that no pass can read any longer; nil for none.
  package var lost: UnreadRecipients?

  package init(
    count: Int = 0, unread: UnreadRecipients? = nil, lost: UnreadRecipients? = nil
  ) {
    (self.count, self.unread, self.lost) = (count, unread, lost)
  }
}
