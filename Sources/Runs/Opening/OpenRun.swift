internal import Delivery
internal import HTTP2
internal import POSIX
internal import PlainText
internal import PushModel
internal import Recipients
internal import Reporting
internal import Settings

/// A run whose server, files and place in the history are open: nothing keeps it from being
/// performed.
package struct OpenRun {
  let plan: RunPlan
  let server: ServerChoice
  let credentials: OpenedCredentials
  package let outputs: RunOutputs
  let recorded: RecordedRun
  /// Kept until the run is closed, so that a signal still finds it.
  let control: RunControl
  let identity: RunIdentity
  let requests: DeliveryPlan
  /// The connections that runs of the command share; nil if each closes its own.
  let links: LinkPool?
  /// For a single push, a connection that is being opened already.
  let early: PredialedLink?
  /// Keeps an emulator in this process running.
  private let endpoint: Endpoint

  /// Opens a run, and begins it in the history.
  ///
  /// - Throws: `Failure` when anything cannot be opened; nothing was sent.
  init(
    _ plan: RunPlan, at server: ServerChoice, as credentials: OpenedCredentials,
    in resources: RunResources
  ) throws(Failure) {
    (self.plan, self.server, self.credentials) = (plan, server, credentials)
    let context = plan.context
    if case .memory(let bytes)? = MemoryLimits.raised() { throw .tooLittleMemory(bytes) }
    try credentials.sign()
    control = RunControl(usesBreaker: plan.delivery.usesBreaker)
    resources.cancellation.add(
      control, timeoutMilliseconds: plan.delivery.timeoutMilliseconds)
    if case .queued(let work) = plan.origin { work.watch(control) }
    endpoint = try resources.endpoint(of: server, for: plan.scenario, context)
    outputs = try RunOutputs(
      plan.outputs, of: plan.origin.step, showsProgress: resources.showsProgress,
      isLogged: plan.origin.shared == nil, context)
    identity = plan.origin.identity(given: plan.message.apnsID, context.clock)
    requests = plan.requests(to: endpoint.target)
    links = resources.links?.pool(for: requests.target, credentials.push)
    early =
      plan.recipients.sources.isOnePush
      ? links.map { PredialedLink($0) } ?? PredialedLink(requests.target, credentials.push) : nil
    recorded = try RecordedRun(of: plan, at: server, as: credentials, identity)
    try begin(in: resources)
    resources.cancellation.begun(control, recorded.resumeHint(of: plan))
    plan.tellBegun()
    context.teller.detail(
      requests.rows(server, signedBy: credentials.rows(now: context.clock.epochSeconds)))
  }

  /// Prepares the files of results, now that the run is in the history.
  private func begin(in resources: RunResources) throws(Failure) {
    if plan.history?.keepsPayloads ?? false, plan.message.rendering != nil {
      try recorded.keepPayloads()
    }
    let committed = plan.origin.committed
    try resources.begin(
      outputs, continuing: committed, appending: plan.origin.appendsResults)
    if let committed { try outputs.begin(passOf: committed, recorded) }
  }
}

extension Failure {
  /// Threads could not be started, or the process would crash.
  fileprivate static func tooLittleMemory(_ bytes: UInt64) -> Failure {
    Failure(
      "The memory of this process is limited to \(grouped(Int(clamping: bytes >> 20))) MiB.",
      fix: "Raise the limit: ulimit -v \(MemoryLimits.memory / 1024)")
  }
}

extension RunPlan {
  /// The requests as they are delivered.
  func requests(to target: DialTarget) -> DeliveryPlan {
    var requests = DeliveryPlan(
      target: target, fields: message.fields, payload: message.constantPayload,
      apnsID: message.apnsID,
      connections: delivery.connections.atMost(recipients.sources.mostChunks),
      attemptTimeoutMilliseconds: delivery.timeoutMilliseconds)
    (requests.path, requests.idHeader) = (message.path, message.idHeader)
    requests.expiresAt = message.expiresAt
    requests.rate = delivery.rate
    let shared = origin.shared
    requests.retryRules = delivery.retryRules(
      isOnePush: recipients.sources.isOnePush, isOfQueue: shared != nil)
    return shared.map { $0.applied(to: requests) } ?? requests
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
