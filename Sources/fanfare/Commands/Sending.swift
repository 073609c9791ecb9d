internal import APNS
internal import CommandLineKit
internal import Credentials
internal import Delivery
internal import HTTP2
internal import POSIX
internal import PlainText
internal import Projects
internal import PushModel
internal import Recipients
internal import SQLiteHistory

/// The options that `send` and `run` share.
struct SendingOptions: Sendable, Equatable {
  var what = PayloadOptions()
  var headers = HeaderOptions()
  var to = RecipientOptions()
  var server = ServerOptions()
  var credentials = CredentialOptions()
  var running = RunningOptions()
  var telling = TellingOptions()

  static let groups: [OptionGroup<Self>] = [
    PayloadOptions.group.inside(\.what), HeaderOptions.group.inside(\.headers),
    RecipientOptions.group.inside(\.to), ServerOptions.group.inside(\.server),
    CredentialOptions.group.inside(\.credentials), RunningOptions.group.inside(\.running),
    TellingOptions.group.inside(\.telling),
  ]

  /// The options that read standard input.
  var readingStandardInput: [String] {
    let inputs =
      [("--payload", what.payload)] + to.inputs.map { ($0.option, Optional($0.file)) }
    return inputs.filter { $0.1 == "-" }.map(\.0) + credentials.readingStandardInput
  }
}

/// Sends one notification to its recipients and tells what became of it.
struct Sending {
  let options: SendingOptions
  let scenario: Scenario?
  /// What is sent of the scenario; nil without one.
  var step: ScenarioStep?
  let context: Context

  /// The run that is resumed; nil for a new one.
  var resumed: ResumedRun?

  /// The pushes that are sent again; nil for a run with recipients of its own.
  var resent: ResentPushes?

  /// Whether `--results` go behind what an earlier scenario of the command wrote, or an earlier pass
  /// of the run.
  var continuesResults = false

  /// Who is not sent to. Several scenarios of a command share it.
  let suppression: Suppression

  /// What it shares with other sendings of its command; nil for one alone.
  var common: CommonMeans?

  /// Copies of the lists that can be read only once.
  let spools = ListSpools()

  /// - Throws: `Failure` when nothing was sent, or when results were lost.
  func run() throws(Failure) -> ExitCode {
    try refuseTwoInputs()
    let (server, signer) = try place()
    let message = try message(for: server, signer, isTold: true)
    if options.running.dryRun { return try dryRun(message, server, signer) }
    let recipients = try recipients(message)
    let credentials = try signer.credentials(
      for: server.environment, options.credentials, context)
    if !options.telling.quiet { CredentialWarning.tell(credentials.warnings, context) }
    return try tell(try send(message, to: recipients, at: server, as: credentials))
  }

  /// Sends a message whose rules were judged before, or prints its requests.
  ///
  /// - Parameter tell: says what is sent, once nothing stands against it any more.
  func run(_ message: Message, tell: () -> Void) throws(Failure) -> ExitCode {
    let (server, signer) = try place()
    if options.running.dryRun {
      tell()
      return try dryRun(message, server, signer)
    }
    let credentials = try signer.credentials(
      for: server.environment, options.credentials, context)
    let recipients = try recipients(message)
    if !options.telling.quiet { CredentialWarning.tell(credentials.warnings, context) }
    return try self.tell(
      try send(message, to: recipients, at: server, as: credentials, tell: tell))
  }

  /// Sends what was prepared. Nothing but problems is told.
  func send(_ prepared: PreparedSending) throws(Failure) -> Sent {
    let message = try message(for: prepared.server, prepared.signer, isTold: false)
    return try send(
      message, to: try recipients(message), at: prepared.server, as: prepared.credentials)
  }

  /// Sends what a run that is resumed has left.
  func send(
    _ message: Message, at server: ServerChoice, as credentials: CredentialChoice
  ) throws(Failure) -> ExitCode {
    if !options.telling.quiet { CredentialWarning.tell(credentials.warnings, context) }
    return try tell(try send(message, to: try recipients(message), at: server, as: credentials))
  }

  private func send(
    _ message: Message, to recipients: consuming sending RecipientReader, at server: ServerChoice,
    as credentials: CredentialChoice, tell: () -> Void = {}
  ) throws(Failure) -> Sent {
    if server.alternative != nil { return try seek(message, at: server, as: credentials) }
    let (report, delivery) = try deliver(
      message, to: recipients, at: server, as: credentials, tell: tell)
    let facts = RequestFacts(
      message, server.environment, report, tokenAge: credentials.tokenAge(context))
    return Sent(report: report, delivery: delivery, facts: facts)
  }

  // MARK: What and to whom

  private func refuseTwoInputs() throws(Failure) {
    let reading = options.readingStandardInput
    if reading.count > 1 { throw .usage(.conflict("\(reading[0]) -", "\(reading[1]) -")) }
  }

  /// Who is in a list that is written before it is read gets nothing.
  private func refuseOverwriting() throws(Failure) {
    let telling = options.telling
    let outputs = [
      ("--results", telling.results), ("--dead-tokens", telling.deadTokens),
      ("--history", telling.keepsHistory ? telling.history : nil),
    ].compactMap { option, path in path.map { (option, $0) } }.filter { $0.1 != "-" }
    let lists = (sources + suppression.sources).compactMap(\.path)
    var used = lists + [options.what.payload, scenario?.file].compactMap(\.self)
    for (option, path) in outputs {
      if used.contains(where: { areSameFile($0, path) }) {
        throw .overwrites(option: option, path: path)
      }
      used.append(path)
    }
  }

  func message(
    for server: ServerChoice, _ signer: Signer, isTold: Bool
  ) throws(Failure) -> Message {
    var assembly = DraftAssembly(options.what, options.headers, scenario: scenario, context)
    assembly.step = step
    assembly.payloadContents = common?.payload
    assembly.certificate = signer.certificate?.facts
    let draft = try assembly.draft()
    let now = context.clock.epochSeconds
    let rules = RuleContext(now: now, authentication: signer.authentication(at: server.environment))
    let fit = signer.certificate.map {
      CertificateFit($0, draft, to: server.environment, now: now)
    }
    let message = try Message(
      draft, variables: try assembly.variables(), in: rules, beside: fit?.problems ?? [],
      force: options.running.force)
    try fit?.refuse(force: options.running.force)
    if isTold { tell(assembly, message.warnings, fit?.warnings ?? []) }
    return message
  }

  private func tell(
    _ assembly: DraftAssembly, _ problems: [Problem], _ warnings: [CredentialWarning]
  ) {
    guard !options.telling.quiet else { return }
    if common?.tellsInference ?? true { tellInference(assembly) }
    context.warn([.problems(key: "problems", problems)])
    CredentialWarning.tell(warnings, context)
  }

  private func tellInference(_ assembly: DraftAssembly) {
    if let type = assembly.inferredType {
      context.errors.write("push type: \(type.rawValue), inferred from the payload\n")
    }
    if let topic = assembly.topicOfCertificate {
      context.errors.write("topic: \(topic.printable), from the certificate\n")
    }
  }

  var sources: [RecipientSource] {
    if let resumed { return resumed.sources }
    if let resent { return [.resent(resent.list)] }
    return options.to.sources.isEmpty ? step?.recipients ?? [] : options.to.sources
  }

  func recipients(_ message: Message) throws(Failure) -> sending RecipientReader {
    if sources.isEmpty, resumed == nil { throw .noRecipients }
    try refuseOverwriting()
    if !sources.haveVariables { _ = try message.payload() }
    if resumed == nil, message.apnsID != nil, !sources.isOneToken {
      throw .severalRecipients(option: "--apns-id")
    }
    let spools = try prepareSpools()
    do throws(ListError) {
      return try RecipientReader(
        sources, format: options.to.format.format,
        selection: options.to.selection(without: suppression.tokens()),
        rendering: message.rendering, spools: spools,
        chunkSize: options.running.atMostOnce ? 16 : PushChunk.capacity,
        report: BadLineReport(context, isQuiet: options.telling.quiet).add)
    } catch {
      throw .list(error)
    }
  }

  /// What copies the lists of a run that can be resumed.
  private func prepareSpools() throws(Failure) -> [Int: Spool] {
    if options.running.dryRun || resumed != nil { return [:] }
    if let resent {
      spools.hold(resent.list, isQuiet: options.telling.quiet, context)
      return [:]
    }
    return spools.prepare(
      for: sources, beside: try options.telling.historyPath(context),
      isQuiet: options.telling.quiet, context)
  }

  // MARK: Delivery

  /// Sends, and gives what a run leaves behind.
  ///
  /// - Parameters:
  ///   - isSecond: whether the results go behind those of the run before.
  ///   - tell: says what is sent, once the run is in the history.
  func deliver(
    _ message: Message, to recipients: consuming sending RecipientReader, at server: ServerChoice,
    as credentials: CredentialChoice, isSecond: Bool = false, tell: () -> Void = {}
  ) throws(Failure) -> (Run.Report, Delivery) {
    let control = RunControl(usesBreaker: options.running.breaker)
    if let common {
      common.stops.add(control)
    } else {
      context.signals.take { control.stop(.interrupted) }
    }
    let delivery = try Delivery(
      options.telling, continuesResults: continuesResults || isSecond,
      at: try place(server), credentials, tellsProgress: common?.tellsProgress ?? true, context)
    let plan = plan(message, delivery.place.target)
    let links = common?.links.pool(for: plan.target, credentials.push)
    let early = sources.isOneToken ? earlyLink(to: plan.target, credentials.push, links) : nil
    let identity =
      resumed?.ledger.record.identity ?? RunIdentity(given: message.apnsID, context.clock)
    let book = try book(of: message, identity, at: server, as: credentials)
    if options.telling.keepPayloads, message.rendering != nil { try book.keepPayloads() }
    tell()
    if options.telling.verbose {
      let signer = SignerText(credentials, now: context.clock.epochSeconds)
      context.errors.write(PlanText(plan: plan, server: server, signer: signer).text)
      context.errors.flush()
    }
    return (delivery.perform(plan, identity, recipients, book, early, links, control), delivery)
  }

  private func earlyLink(
    to target: DialTarget, _ credentials: PushCredentials, _ links: LinkPool?
  ) -> EarlyLink? {
    links.map { EarlyLink($0) } ?? EarlyLink(target, credentials)
  }

  /// Begins the run in the history.
  private func book(
    of message: Message, _ identity: RunIdentity, at server: ServerChoice,
    as credentials: CredentialChoice
  ) throws(Failure) -> RunBook {
    if let resumed { return RunBook(resumed, context) }
    guard let path = try options.telling.historyPath(context) else {
      return RunBook(nothing: context)
    }
    var settings = try RunSettings(
      options, sources: sources, suppressed: suppression.sources, server, credentials,
      isTemplate: message.rendering != nil)
    settings.resends = resent?.run
    var record = RunRecord(
      started: context.clock.epochMilliseconds(), environment: server.environment.name,
      version: fanfareVersion, identity: identity)
    record.kind = resent != nil ? .resend : scenario == nil ? .send : .scenario
    record.scenario = resent?.scenario ?? scenario?.title
    record.step = resent?.step ?? (scenario?.isSeveral ?? false ? step?.number : nil)
    record.server = server.environment.address?.description
    record.atMostOnce = options.running.atMostOnce
    record.settings = settings.json
    message.write(to: &record)
    defer { resent?.hold.release() }
    return try RunBook(
      record, resent?.list.lineage, at: path, claiming: sources.isOneToken ? 1 : 0, sources,
      suppression, spools, context)
  }

  private func plan(_ message: Message, _ target: DialTarget) -> DeliveryPlan {
    let cores = max(1, min(4, ProcessFacts.processorCount))
    var plan = DeliveryPlan(
      target: target, fields: message.fields, payload: message.constantPayload,
      apnsID: message.apnsID,
      connections: min(options.running.connections?.count ?? cores, sources.mostChunks),
      attemptTimeoutMilliseconds: options.running.timeout.milliseconds)
    plan.expiresAt = message.expiresAt
    plan.rate = options.running.rate?.rate
    plan.retryRules = options.running.retryRules(isOnePush: sources.isOneToken)
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
