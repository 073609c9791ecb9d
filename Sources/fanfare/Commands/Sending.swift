internal import APNS
internal import CommandLineKit
internal import Foundation
internal import HTTP2
internal import PushCore
internal import PushEmulator

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
  let context: Context

  /// Whether `--results` go behind what an earlier scenario of the command wrote.
  var continuesResults = false

  /// Who is not sent to. Several scenarios of a command share it.
  let suppression: Suppression

  /// - Throws: `Failure` when nothing was sent, or when results were lost.
  func run() throws(Failure) -> ExitCode {
    try refuseTwoInputs()
    let server = try ServerChoice(options.server, scenario: scenario, context)
    let message = try message(for: server, isTold: true)
    let recipients = try recipients(message)
    if options.running.dryRun { return try dryRun(message, server, recipients) }
    let credentials = try credentials(for: server)
    if !options.telling.quiet { CredentialWarning.tell(credentials.warnings, context) }
    return try deliver(message, to: recipients, at: server, as: credentials)
  }

  /// Looks for everything that would keep `run` from sending, and sends nothing.
  func rehearse() throws(Failure) {
    let server = try ServerChoice(options.server, scenario: scenario, context)
    let message = try message(for: server, isTold: false)
    _ = try recipients(message)
    if !options.running.dryRun { _ = try credentials(for: server) }
  }

  private func isSigned(for server: ServerChoice) throws(Failure) -> Bool {
    if server.environment != .emulator { return true }
    return try CredentialChoice.isNamed(options.credentials, scenario: scenario, context)
  }

  private func credentials(for server: ServerChoice) throws(Failure) -> CredentialChoice {
    guard try isSigned(for: server) else { return try CredentialChoice.throwAway(context) }
    return try CredentialChoice.resolve(options.credentials, scenario: scenario, context)
  }

  // MARK: What and to whom

  private func refuseTwoInputs() throws(Failure) {
    let reading = options.readingStandardInput
    if reading.count > 1 { throw .usage(.conflict("\(reading[0]) -", "\(reading[1]) -")) }
  }

  private func message(for server: ServerChoice, isTold: Bool) throws(Failure) -> Message {
    var assembly = DraftAssembly(options.what, options.headers, scenario: scenario, context)
    let draft = try assembly.draft()
    // A throw-away key stands for any way of signing in: the emulator takes all push types.
    let rules = RuleContext(
      now: context.clock.epochSeconds,
      authentication: try isSigned(for: server) ? .token : nil)
    let message = try Message(
      draft, variables: try assembly.variables(), in: rules, force: options.running.force)
    if isTold { tell(assembly.inferredType, message.warnings) }
    return message
  }

  private func tell(_ inferredType: PushType?, _ warnings: [Problem]) {
    guard !options.telling.quiet else { return }
    if let inferredType {
      context.errors.write("push type: \(inferredType.rawValue), inferred from the payload\n")
    }
    context.errors.write(ProblemText(hasColor: context.errors.hasColor).text(of: warnings))
    context.errors.flush()
  }

  private var sources: [RecipientSource] {
    options.to.sources.isEmpty ? scenario?.recipients ?? [] : options.to.sources
  }

  private func recipients(_ message: Message) throws(Failure) -> sending RecipientReader {
    if sources.isEmpty { throw .noRecipients }
    if !sources.haveVariables { _ = try message.payload() }
    if message.apnsID != nil, !sources.isOneToken { throw .severalRecipients(option: "--apns-id") }
    do throws(ListError) {
      return try RecipientReader(
        sources, format: options.to.format.format,
        selection: options.to.selection(without: suppression.tokens()),
        rendering: message.rendering,
        report: BadLineReport(context, isQuiet: options.telling.quiet).add)
    } catch {
      throw .list(error)
    }
  }

  private func dryRun(
    _ message: Message, _ server: ServerChoice, _ recipients: consuming sending RecipientReader
  ) throws(Failure) -> ExitCode {
    let printer = RequestText(
      environment: server.environment, fields: message.fields, payload: message.constantPayload,
      showsTokens: options.telling.showTokens)
    let identity = RunIdentity(given: message.apnsID, context.clock)
    let skipped = SkippedRowReport(context, isQuiet: options.telling.quiet)
    while let chunk = try recipients.nextChunk() {
      for push in chunk.pushes where !skipped.tells(of: push) { print(push, identity, printer) }
    }
    if recipients.counts.lines == 0 { throw .noRecipients }
    return recipients.counts.badLines + skipped.count > 0 ? .failure : .success
  }

  private func print(_ push: Push, _ identity: RunIdentity, _ printer: RequestText) {
    let id = identity.apnsID(of: push)
    if options.telling.json {
      context.output.write(printer.json(push, apnsID: id))
    } else {
      context.output.write(printer.text(push, apnsID: id))
    }
  }

  // MARK: Delivery

  private func deliver(
    _ message: Message, to recipients: consuming sending RecipientReader, at server: ServerChoice,
    as credentials: CredentialChoice
  ) throws(Failure) -> ExitCode {
    let control = RunControl(usesBreaker: options.running.breaker)
    context.signals.take { control.stop(.interrupted) }
    let delivery = try Delivery(
      options.telling, continuesResults: continuesResults, server, credentials, context)
    let plan = plan(message, delivery.place.target)
    let identity = RunIdentity(given: message.apnsID, context.clock)
    let book = try book(of: message, identity, at: server)
    if options.telling.verbose {
      context.errors.write(PlanText(plan, credentials).text)
      context.errors.flush()
    }
    let report = delivery.perform(plan, identity, recipients, book, control)
    try tell(report, of: delivery, book, RequestFacts(message, server.environment, report))
    return context.signals.received ?? report.exitCode
  }

  /// Begins the run in the history.
  private func book(
    of message: Message, _ identity: RunIdentity, at server: ServerChoice
  ) throws(Failure) -> RunBook {
    guard let path = try options.telling.historyPath(context) else {
      return RunBook(nothing: context)
    }
    let settings = try RunSettings(
      options, sources: sources, server, isTemplate: message.rendering != nil)
    var record = RunRecord(
      started: context.clock.epochMilliseconds(), environment: server.environment.name,
      version: fanfareVersion, identity: identity)
    record.kind = scenario == nil ? .send : .scenario
    record.scenario = scenario.map { $0.name ?? $0.file }
    record.server = server.environment.address?.description
    record.atMostOnce = options.running.atMostOnce
    record.settings = settings.json
    message.write(to: &record)
    return try RunBook(record, at: path, claiming: sources.isOneToken ? 1 : 0, context)
  }

  private func plan(_ message: Message, _ target: DialTarget) -> DeliveryPlan {
    let cores = max(1, min(4, ProcessInfo.processInfo.activeProcessorCount))
    let chunks =
      options.to.tokens.isEmpty && scenario == nil
      ? (options.to.to.count + PushChunk.capacity - 1) / PushChunk.capacity : Int.max
    var plan = DeliveryPlan(
      target: target, fields: message.fields, payload: message.constantPayload,
      apnsID: message.apnsID,
      connections: min(options.running.connections?.count ?? cores, chunks),
      attemptTimeoutMilliseconds: options.running.timeout.milliseconds)
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

  /// Whether this is exactly one device token.
  var isOneToken: Bool {
    if count == 1, case .tokens(let tokens, _)? = first { tokens.count == 1 } else { false }
  }
}

extension RecipientReader {
  /// The next chunk, with this program's own error.
  fileprivate mutating func nextChunk() throws(Failure) -> PushChunk? {
    do throws(ListError) {
      return try next()
    } catch {
      throw .list(error)
    }
  }
}
