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
}

/// Sends one notification to its recipients and tells what became of it.
struct Sending {
  let options: SendingOptions
  let scenario: Scenario?
  let context: Context

  /// - Throws: `Failure` when nothing was sent.
  func run() throws(Failure) -> ExitCode {
    try refuseTwoInputs()
    let server = try ServerChoice(options.server, scenario: scenario, context)
    let isSigned = try CredentialChoice.isNamed(options.credentials, scenario: scenario, context)
    let message = try message(isSigned: isSigned || server.environment != .emulator)
    let recipients = try recipients(message)
    if options.running.dryRun { return dryRun(message, server, recipients) }
    let credentials =
      isSigned || server.environment != .emulator
      ? try CredentialChoice.resolve(options.credentials, scenario: scenario, context)
      : try CredentialChoice.throwAway(context)
    return try deliver(message, to: recipients, at: server, as: credentials)
  }

  // MARK: What and to whom

  private func refuseTwoInputs() throws(Failure) {
    let inputs =
      [("--payload", options.what.payload), ("--key", options.credentials.key)]
      + options.to.tokens.map { ("--tokens", $0) }
    let reading = inputs.filter { $0.1 == "-" }.map(\.0)
    if reading.count > 1 { throw .usage(.conflict("\(reading[0]) -", "\(reading[1]) -")) }
  }

  private func message(isSigned: Bool) throws(Failure) -> Message {
    var assembly = DraftAssembly(options.what, options.headers, scenario: scenario, context)
    let draft = try assembly.draft()
    // A throw-away key stands for any way of signing in: the emulator takes all push types.
    let rules = RuleContext(
      now: context.clock.epochSeconds, authentication: isSigned ? .token : nil)
    let message = try Message(draft, in: rules, force: options.running.force)
    tell(assembly.inferredType, message.warnings)
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

  private func recipients(_ message: Message) throws(Failure) -> sending RecipientReader {
    let sources = options.to.sources.isEmpty ? scenario?.recipients ?? [] : options.to.sources
    if sources.isEmpty { throw .noRecipients }
    if message.apnsID != nil, !sources.isOneToken { throw .severalRecipients(option: "--apns-id") }
    do throws(ListError) {
      return try RecipientReader(
        sources, duplicates: options.to.duplicates.rule,
        report: BadLineReport(context, isQuiet: options.telling.quiet).add)
    } catch {
      throw .list(error)
    }
  }

  private func dryRun(
    _ message: Message, _ server: ServerChoice, _ recipients: consuming sending RecipientReader
  ) -> ExitCode {
    let printer = RequestText(
      environment: server.environment, fields: message.fields, payload: message.payload,
      showsTokens: options.telling.showTokens)
    let identity = RunIdentity(given: message.apnsID, context.clock)
    while let chunk = try? recipients.next() {
      for index in 0..<chunk.count {
        let push = chunk.push(at: index)
        let id = identity.apnsID(of: push)
        if options.telling.json {
          context.output.write(printer.json(push, apnsID: id))
        } else {
          context.output.write(printer.text(push, apnsID: id))
        }
      }
    }
    return recipients.counts.badLines > 0 ? .failure : .success
  }

  // MARK: Delivery

  private func deliver(
    _ message: Message, to recipients: consuming sending RecipientReader, at server: ServerChoice,
    as credentials: CredentialChoice
  ) throws(Failure) -> ExitCode {
    let control = RunControl(usesBreaker: options.running.breaker)
    context.signals.take { control.stop(.interrupted) }
    let delivery = try Delivery(options.telling, server, credentials, context)
    let plan = plan(message, delivery.place.target)
    if options.telling.verbose { context.errors.write(PlanText(plan, credentials).text) }
    let report = delivery.perform(plan, recipients, control)
    try tell(report, of: delivery, RequestFacts(message, server.environment, report))
    return context.signals.received ?? report.exitCode
  }

  private func plan(_ message: Message, _ target: DialTarget) -> DeliveryPlan {
    let cores = max(1, min(4, ProcessInfo.processInfo.activeProcessorCount))
    let chunks =
      options.to.tokens.isEmpty && scenario == nil
      ? (options.to.to.count + PushChunk.capacity - 1) / PushChunk.capacity : Int.max
    return DeliveryPlan(
      target: target, fields: message.fields, payload: message.payload, apnsID: message.apnsID,
      connections: min(options.running.connections?.count ?? cores, chunks),
      attemptTimeoutMilliseconds: options.running.timeout.milliseconds)
  }
}

extension [RecipientSource] {
  /// Whether this is exactly one device token.
  var isOneToken: Bool {
    if count == 1, case .tokens(let tokens)? = first { tokens.count == 1 } else { false }
  }
}
