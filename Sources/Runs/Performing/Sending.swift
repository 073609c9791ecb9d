internal import APNS
internal import Credentials
internal import Delivery
internal import HTTP2
internal import POSIX
package import PushModel
package import Recipients
package import Reporting
package import Settings

/// Sends a message to the recipients of a run: the common part of sending, running a step, resuming
/// and resending.
package struct Sending {
  let plan: SendPlan
  package let run: any RunSource
  package let resources: RunResources
  /// The scenario whose script the emulator plays; nil for none.
  package var scenario: Scenario?
  package let context: Context

  init(
    _ plan: SendPlan, run: any RunSource, resources: RunResources, scenario: Scenario? = nil,
    context: Context
  ) {
    (self.plan, self.run, self.resources) = (plan, run, resources)
    (self.scenario, self.context) = (scenario, context)
  }

  /// Sends a message in a command's only run, which SIGINT and SIGTERM end, and reports the result.
  func finish(
    _ message: Message, to recipients: consuming sending some PushSource & ~Copyable,
    at servers: [ServerChoice], as credentials: OpenedCredentials, tell: () -> Void = {}
  ) throws(Failure) -> Report {
    resources.cancellation.listen(context)
    let run = try send(message, to: recipients, at: servers, as: credentials, tell: tell)
    return report(try closeSent(run))
  }

  /// Sends a message to all recipients: to one server, or to each environment until one knows the
  /// device token.
  ///
  /// - Parameter tell: announces the run, once it is in the history.
  package func send(
    _ message: Message, to recipients: consuming sending some PushSource & ~Copyable,
    at servers: [ServerChoice], as credentials: OpenedCredentials, tell: () -> Void = {}
  ) throws(Failure) -> FinishedRun {
    if servers.count == 1 {
      return try deliver(message, to: recipients, at: servers[0], as: credentials, tell: tell)
    }
    let first = try deliver(
      message, to: recipients, at: servers[0], as: credentials, EnvironmentSearch())
    guard let search = first.summary.search, search.goesOn, context.signals.received == nil else {
      return first
    }
    let closed = try closeSent(first)
    if let last = search.attempts.last {
      context.teller.note("\(last.words); asking the next environment")
    }
    context.teller.warn(closed.notices)
    if let loss = closed.loss { throw loss }
    return try deliver(
      message, to: try self.recipients(message), at: servers[1], as: credentials, search)
  }

  // MARK: Recipients

  /// The recipients and their payloads.
  ///
  /// - Throws: `Failure` when there are none, or possibly several with an option for a single one.
  package func recipients(_ message: Message) throws(Failure) -> sending RecipientReader {
    try run.refuseRecipients(message)
    return try run.reader(message.rendering, plan.lists, context)
  }

  // MARK: Delivery

  /// Sends to one server.
  ///
  /// - Parameter search: the environments tried before; nil when the server is certain.
  private func deliver(
    _ message: Message, to recipients: consuming sending some PushSource & ~Copyable,
    at server: ServerChoice,
    as credentials: OpenedCredentials, _ search: EnvironmentSearch? = nil, tell: () -> Void = {}
  ) throws(Failure) -> FinishedRun {
    let control = RunControl(usesBreaker: plan.delivery.usesBreaker)
    resources.cancellation.add(
      control, timeoutMilliseconds: plan.delivery.timeoutMilliseconds)
    run.watch(control)
    let endpoint = try resources.endpoint(of: server, for: scenario, context)
    let outputs = try RunOutputs(
      plan.outputs, of: run.step, showsProgress: resources.showsProgress, context)
    let start = RunStart(
      message: message, identity: run.identity(given: message.apnsID, context.clock),
      plan: plan, server: server, credentials: credentials, context: context)
    let requests = requests(message, endpoint.target)
    let delivery = delivery(requests, credentials.push, control, start.identity)
    let recorded = try begin(start, outputs)
    resources.cancellation.begun(control, resumeHint(recorded))
    tell()
    context.teller.detail(
      requests.rows(server, signedBy: credentials.rows(now: context.clock.epochSeconds)))
    let report = perform(delivery, recipients, recorded.ledger, outputs, control)
    return FinishedRun(
      summary: summary(of: report, start, search, outputs, recorded), recorded: recorded,
      outputs: outputs, control: control)
  }

  /// The delivery, over connections left by other runs where possible. For a single push the
  /// connection is opened in advance.
  private func delivery(
    _ plan: DeliveryPlan, _ credentials: PushCredentials, _ control: RunControl,
    _ identity: RunIdentity
  ) -> Run {
    let links = resources.links?.pool(for: plan.target, credentials)
    let early =
      run.sources.isOnePush
      ? links.map { PredialedLink($0) } ?? PredialedLink(plan.target, credentials) : nil
    return Run(
      plan, credentials: credentials, control: control, clock: context.clock, identity: identity,
      early: early, links: links)
  }

  private func begin(
    _ start: RunStart, _ outputs: RunOutputs
  ) throws(Failure) -> RecordedRun {
    let recorded = try run.begin(start)
    if plan.history?.keepsPayloads ?? false, start.message.rendering != nil {
      try recorded.keepPayloads()
    }
    try resources.begin(outputs, continuing: run.committed, appending: run.appendsResults)
    if let committed = run.committed { try outputs.begin(passOf: committed, recorded) }
    return recorded
  }

  /// Sends to all recipients, and writes the results as they arrive.
  private func perform(
    _ delivery: consuming Run, _ recipients: consuming sending some PushSource & ~Copyable,
    _ ledger: RunLedger?, _ outputs: RunOutputs, _ control: RunControl
  ) -> Run.Report {
    let identity = delivery.identity
    // Commit first: a results file is final, but after a kill uncommitted pushes are sent again.
    let report = delivery.perform(
      recipients, ledger: ledger, commitsRest: outputs.hasFiles
    ) { batch, summary in
      outputs.write(
        batch, summary, identity, inFlight: control.inFlight,
        pause: control.pauseSeconds(now: context.clock.monotonic()))
    }
    outputs.end()
    return report
  }

  private func requests(_ message: Message, _ target: DialTarget) -> DeliveryPlan {
    let choices = plan.delivery
    var plan = DeliveryPlan(
      target: target, fields: message.fields, payload: message.constantPayload,
      apnsID: message.apnsID, connections: choices.connections.atMost(run.sources.mostChunks),
      attemptTimeoutMilliseconds: choices.timeoutMilliseconds)
    (plan.path, plan.idHeader) = (message.path, message.idHeader)
    plan.expiresAt = message.expiresAt
    plan.rate = choices.rate
    plan.retryRules = choices.retryRules(
      isOnePush: run.sources.isOnePush, isOfQueue: run.shared != nil)
    return run.shared.map { $0.applied(to: plan) } ?? plan
  }
}

extension RunControl {
  /// The seconds for which sending is paused; nil when it is not.
  fileprivate func pauseSeconds(now: UInt64) -> Int? {
    heldUntil(now: now).map { Int(($0 - now + 999_999_999) / 1_000_000_000) }
  }
}

extension ConnectionCount {
  /// Caps the number at what can be busy; `auto` finds that out while it sends.
  fileprivate func atMost(_ chunks: Int) -> Self {
    switch self {
    case .auto: .auto
    case .fixed(let count): .fixed(min(count, chunks))
    }
  }
}

extension [RecipientSource] {
  /// The maximum number of chunks; more connections would be idle. Unlimited without sources,
  /// because the recipients then come from elsewhere.
  fileprivate var mostChunks: Int {
    if isEmpty || haveVariables { return .max }
    let tokens = map { if case .tokens(let tokens, _) = $0 { tokens.count } else { 1 } }
    return tokens.reduce(0) { $0 + ($1 + PushChunk.capacity - 1) / PushChunk.capacity }
  }
}
