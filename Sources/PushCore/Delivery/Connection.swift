internal import APNS
internal import HTTP2

/// What all connections of a run share.
struct ConnectionSetting: Sendable {
  let plan: DeliveryPlan
  let identity: RunIdentity
  let tokens: ProviderTokenSource
  let work: ChunkQueue<PushChunk>
  let results: ChunkQueue<[PushResult]>
  let control: RunControl
  let clock: RunClock
}

/// Sends pushes over one connection at a time, on a thread of its own, until no more come.
///
/// It carries out what the values around it decide: `Window`, `RetryPolicy`, `Reconnect`.
struct Connection: ~Copyable {
  let setting: ConnectionSetting
  var backlog = Backlog()
  var outbox: Outbox
  var reconnect = Reconnect()
  var needsNewToken: ProviderToken?
  private let wake: Wake
  private var inputEnded = false

  init(_ setting: ConnectionSetting, wake: Wake) {
    self.setting = setting
    self.wake = wake
    outbox = Outbox(queue: setting.results, wake: wake)
    setting.control.whenStopped { _ in wake.call() }
  }

  /// Sends until the recipients end or the run is stopped. Every push it took gets a result.
  mutating func run() {
    while awaitWork(), let link = connect() { serve(link) }
    recordTheRest()
    outbox.flush()
    setting.results.producerDone()
  }

  /// Waits until there is something to send; false when there never will be.
  private mutating func awaitWork() -> Bool {
    while backlog.isEmpty, !setting.control.isStopping {
      outbox.flush()
      guard let chunk = setting.work.take(waitingOn: wake) else { return false }
      backlog.add(chunk)
    }
    return !setting.control.isStopping
  }

  // MARK: Connecting

  /// Opens a link, trying again as `Reconnect` allows; nil when the run was stopped instead.
  private mutating func connect() -> OpenLink? {
    while !setting.control.isStopping {
      do {
        let token = try providerToken()
        let link = try Dialer.dial(setting.plan.target)
        return try OpenLink(link, plan: setting.plan, identity: setting.identity, token: token)
      } catch let error as DialError {
        pause(after: .connecting(error), mayTryAgain: error.isPassing)
      } catch let error as SigningKeyError {
        setting.control.stop(.signing(error))
      } catch {
        setting.control.stop(.connectionLost("\(error)"))
      }
    }
    return nil
  }

  private mutating func providerToken() throws(SigningKeyError) -> ProviderToken {
    defer { needsNewToken = nil }
    if let expired = needsNewToken { return try setting.tokens.token(after: expired) }
    return try setting.tokens.token()
  }

  private mutating func pause(after cause: StopCause, mayTryAgain: Bool) {
    let jitter = Double(setting.clock.random() >> 11) / Double(1 << 53)
    guard mayTryAgain, let delay = reconnect.failed(jitter: jitter) else {
      return setting.control.stop(cause)
    }
    let end = setting.clock.monotonic() + UInt64(delay) * 1_000_000
    while !setting.control.isStopping, case let now = setting.clock.monotonic(), now < end {
      wake.wait(milliseconds: Int((end - now + 999_999) / 1_000_000))
    }
  }

  // MARK: Sending

  /// Sends over a link until it is used up, lost or no longer needed.
  private mutating func serve(_ opened: consuming OpenLink) {
    var link = opened
    let ending = Result { try sendAll(over: &link) }
    link.session.abandon()
    handle(link.takeEnded(), of: &link)
    switch ending {
    case .success where link.hasAnswered || !link.isRetired: break
    case .success: lost("the server closed the connection", link)
    case .failure(let error): lost(describe(error), link)
    }
    stopIfUnwelcome(link.session.goAway)
  }

  private mutating func lost(_ evidence: String, _ link: borrowing OpenLink) {
    guard !setting.control.isStopping, !link.hasAnswered else { return }
    pause(after: .connectionLost(evidence), mayTryAgain: true)
  }

  private func describe(_ error: any Error) -> String {
    switch error {
    case let failure as Link.Failure:
      if case .broken(let text) = failure { text } else { "the server closed the connection" }
    case let error as SessionError: error.name
    default: "\(error)"
    }
  }

  private mutating func sendAll(over link: inout OpenLink) throws {
    while true {
      let now = setting.clock.monotonic()
      try fill(&link, now: now)
      let isFull = try link.exchangeBytes()
      let ended = link.takeEnded()
      handle(ended, of: &link)
      outbox.flushIfDue(now: now)
      if isDone(with: link) { return link.session.close() }
      if ended.isEmpty { try wait(on: &link, isFull: isFull, now: now) }
    }
  }

  /// Opens as many streams as the window has room for.
  private mutating func fill(_ link: inout OpenLink, now: UInt64) throws {
    if link.room > 0 { link.use(try setting.tokens.token()) }
    var sent = 0
    defer { setting.control.opened(sent) }
    while link.room > 0, let push = nextPush() {
      sent += 1
      try link.send(push, now: now)
    }
  }

  private mutating func nextPush() -> PendingPush? {
    if setting.control.isStopping { return nil }
    if let push = backlog.take() { return push }
    if inputEnded { return nil }
    switch setting.work.take(orWake: wake) {
    case .element(let chunk): backlog.add(chunk)
    case .empty: return nil
    case .finished: inputEnded = true
    }
    return backlog.take()
  }

  /// Whether the link has nothing left to do: nothing in flight, and nothing more may or will come.
  private func isDone(with link: borrowing OpenLink) -> Bool {
    guard link.session.openCount == 0 else { return false }
    let isUsedUp = link.isRetired || !link.session.acceptsRequests
    return isUsedUp || setting.control.isStopping || (inputEnded && backlog.isEmpty)
  }

  /// Waits for bytes, for recipients, or for the next look at the deadlines: four in each time-out,
  /// and at least four a second.
  private mutating func wait(on link: inout OpenLink, isFull: Bool, now: UInt64) throws {
    outbox.flush()
    let limit = UInt64(setting.plan.attemptTimeoutMilliseconds) * 1_000_000
    if link.isStalled(now: now, limit: limit) { throw Link.Failure.broken("no stream allowed") }
    let hasDeadline = link.session.openCount > 0 || link.room == 0
    let tick = min(250, setting.plan.attemptTimeoutMilliseconds / 4 + 1)
    link.wait(forRoom: isFull, wake: wake, milliseconds: hasDeadline ? tick : nil)
    if now > limit { link.cancelAttempts(startedBefore: now - limit) }
  }

  /// What was not sent when the run was stopped gets its result all the same.
  private mutating func recordTheRest() {
    repeat {
      while let push = backlog.take() {
        record(push, RetryPolicy.outcomeWhenStopped(wasInDoubt: push.isInDoubt))
      }
      outbox.flush()
      if let chunk = setting.work.take(waitingOn: wake) { backlog.add(chunk) }
    } while !backlog.isEmpty
  }
}

extension DialError {
  /// Whether the next try may fare better.
  var isPassing: Bool {
    switch layer {
    case .tcp, .timeout, .dns: true
    case .library, .roots, .proxy, .tls, .certificate, .alpn: false
    }
  }
}
