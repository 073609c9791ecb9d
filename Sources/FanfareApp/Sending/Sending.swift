internal import APNS
internal import Credentials
internal import Delivery
internal import HTTP2
internal import POSIX
internal import Projects
internal import PushModel
internal import Recipients

/// Sends one message to the recipients of a run: what sending, running a step, resuming and resending
/// have in common.
struct Sending {
  /// All layers, merged.
  let settings: Settings
  /// Who is sent to, and how that is written down.
  let run: any RunSource
  /// What it shares with other runs of its command.
  let means: SendingMeans
  /// The scenario whose script the emulator plays; nil for none.
  var scenario: Scenario?
  let context: Context

  /// Sends a message to all recipients: to one server, or to each environment until one knows the
  /// device token.
  ///
  /// - Parameter tell: says what is sent, once the run is in the history.
  func send(
    _ message: Message, to recipients: consuming sending RecipientReader, at server: ServerChoice,
    as credentials: OpenedCredentials, tell: () -> Void = {}
  ) throws(Failure) -> Sent {
    if server.alternative != nil { return try seek(message, at: server, as: credentials) }
    let (report, delivery) = try deliver(
      message, to: recipients, at: server, as: credentials, tell: tell)
    let facts = RequestFacts(
      message, server.environment, report, tokenAge: credentials.tokenAge(context))
    return Sent(report: report, delivery: delivery, facts: facts)
  }

  /// Sends a message in the only run of a command, which SIGINT and SIGTERM end, and tells what became
  /// of it.
  ///
  /// - Parameter tell: says what is sent, once the run is in the history.
  func finish(
    _ message: Message, to recipients: consuming sending RecipientReader, at server: ServerChoice,
    as credentials: OpenedCredentials, tell: () -> Void = {}
  ) throws(Failure) -> ExitCode {
    context.signals.take { [stops = means.stops] in stops.stop() }
    return try self.tell(
      try send(message, to: recipients, at: server, as: credentials, tell: tell))
  }

  // MARK: Recipients

  /// The recipients, and the payload of each.
  ///
  /// - Throws: `Failure` when there are none, or an option is for one and there may be several.
  func recipients(_ message: Message) throws(Failure) -> sending RecipientReader {
    if run.sources.isEmpty, !run.mayBeEmpty { throw .noRecipients }
    try refuseOverwriting()
    if !run.sources.haveVariables { _ = try message.payload() }
    if !run.mayBeEmpty, message.apnsID != nil, !run.sources.isOneToken {
      throw .severalRecipients(option: "--apns-id")
    }
    let spools = settings.dryRun.isOn ? [:] : try run.prepareSpools(settings, context)
    let isSlow = settings.rate?.value.rate.isLow ?? false
    do throws(ListError) {
      return try RecipientReader(
        run.sources, format: settings.listFormat,
        selection: settings.selection(without: run.suppression.tokens()),
        rendering: message.rendering, spools: spools,
        chunkSize: settings.atMostOnce.isOn || isSlow ? 16 : PushChunk.capacity,
        report: BadLineReport(context, isQuiet: settings.quiet.isOn).add)
    } catch {
      throw .list(error)
    }
  }

  /// Who is in a list that is written before it is read gets nothing.
  private func refuseOverwriting() throws(Failure) {
    let history = settings.history.flatMap { $0.origin.isOption ? $0.value : nil }
    let outputs = [
      ("--results", settings.results?.value), ("--dead-tokens", settings.deadTokens?.value),
      ("--history", settings.keepsHistory.isOff ? nil : history),
    ].compactMap { option, path in path.map { (option, $0) } }.filter { $0.1 != "-" }
    let lists = (run.sources + run.suppression.sources).compactMap(\.path)
    var used = lists + [settings.payload?.value, scenario?.file].compactMap(\.self)
    for (option, path) in outputs {
      if used.contains(where: { areSameFile($0, path) }) {
        throw .overwrites(option: option, path: path)
      }
      used.append(path)
    }
  }

  // MARK: Delivery

  /// Sends, and gives what a run leaves behind.
  ///
  /// - Parameters:
  ///   - isSecond: whether the results go behind those of the run before.
  ///   - tell: says what is sent, once the run is in the history.
  func deliver(
    _ message: Message, to recipients: consuming sending RecipientReader, at server: ServerChoice,
    as credentials: OpenedCredentials, isSecond: Bool = false, tell: () -> Void = {}
  ) throws(Failure) -> (Run.Report, RunDelivery) {
    let control = RunControl(usesBreaker: !settings.breaker.isOff)
    means.stops.add(control)
    let delivery = try RunDelivery(
      settings, continuesResults: run.continuesResults || isSecond,
      at: try means.places.place(of: server, for: scenario, context), credentials,
      tellsProgress: means.tellsProgress, context)
    let plan = plan(message, delivery.place.target)
    let links = means.links?.pool(for: plan.target, credentials.push)
    let early = run.sources.isOneToken ? earlyLink(to: plan.target, credentials.push, links) : nil
    let start = RunStart(
      message: message, identity: run.identity(given: message.apnsID, context.clock),
      settings: settings, server: server, credentials: credentials, context: context)
    let book = try run.book(start)
    if settings.keepPayloads.isOn, message.rendering != nil { try book.keepPayloads() }
    tell()
    sayPlan(plan, server, credentials)
    return (
      delivery.perform(plan, start.identity, recipients, book, early, links, control), delivery
    )
  }

  private func earlyLink(
    to target: DialTarget, _ credentials: PushCredentials, _ links: LinkPool?
  ) -> EarlyLink? {
    links.map { EarlyLink($0) } ?? EarlyLink(target, credentials)
  }

  private func sayPlan(
    _ plan: DeliveryPlan, _ server: ServerChoice, _ credentials: OpenedCredentials
  ) {
    guard settings.verbose.isOn else { return }
    let signer = SignerText(credentials, now: context.clock.epochSeconds)
    context.errors.write(PlanText(plan: plan, server: server, signer: signer).text)
    context.errors.flush()
  }

  private func plan(_ message: Message, _ target: DialTarget) -> DeliveryPlan {
    let cores = max(1, min(4, ProcessFacts.processorCount))
    var plan = DeliveryPlan(
      target: target, fields: message.fields, payload: message.constantPayload,
      apnsID: message.apnsID,
      connections: min(settings.connections?.value ?? cores, run.sources.mostChunks),
      attemptTimeoutMilliseconds: settings.timeoutMilliseconds)
    plan.expiresAt = message.expiresAt
    plan.rate = settings.rate?.value.rate
    plan.retryRules = settings.retryRules(isOnePush: run.sources.isOneToken)
    return plan
  }
}

extension [RecipientSource] {
  /// Whether a row may have variables: rows of lists can, single tokens cannot.
  var haveVariables: Bool {
    contains { if case .tokens = $0 { false } else { true } }
  }

  /// The most chunks that there can be: no more connections have anything to do.
  fileprivate var mostChunks: Int {
    if haveVariables { return .max }
    let tokens = map { if case .tokens(let tokens, _) = $0 { tokens.count } else { 0 } }
    return tokens.reduce(0) { $0 + ($1 + PushChunk.capacity - 1) / PushChunk.capacity }
  }

  /// Whether this is exactly one device token.
  var isOneToken: Bool {
    if count > 1 { return false }
    return switch first {
    case .tokens(let tokens, _): tokens.count == 1
    case .resent(let list): list.lineage?.count == 1
    case .file, .standardInput, .copy, nil: false
    }
  }
}

extension RecipientSource {
  /// The file that it is read from; nil for what is no file of its own.
  fileprivate var path: String? {
    if case .file(let path) = self { path } else { nil }
  }
}

extension Settings {
  /// What becomes of pushes that cannot be delivered at once.
  ///
  /// - Parameter isOnePush: whether there is only one, and somebody waits for its answer.
  fileprivate func retryRules(isOnePush: Bool) -> RetryRules {
    let usual = Self.builtIn.retryDelay?.value.milliseconds ?? 0
    return RetryRules(
      retries: retries?.value ?? 0,
      retryDelayMilliseconds: retryDelay?.value.milliseconds ?? usual,
      isAtMostOnce: atMostOnce.isOn, waitsForSlowTokens: !isOnePush,
      rejectsForCredentials: isOnePush)
  }
}
