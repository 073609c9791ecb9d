internal import APNS
internal import Credentials
internal import HTTP2
internal import PushModel

/// One open connection of a run: the link with the session on it, and what is in flight.
struct OpenLink: ~Copyable {
  /// An attempt in flight, or room for the next.
  private struct Attempt {
    let exchange: Exchange
    /// Nil where there is room.
    var push: PendingPush?
    var startedAt: UInt64
  }

  /// An attempt that has ended.
  struct EndedAttempt: ~Copyable {
    let exchange: Exchange
    let push: PendingPush
    let startedAt: UInt64
  }

  private var http: HTTPLink
  private let plan: DeliveryPlan
  private let identity: RunIdentity
  private var head: RequestHead
  private var retiredBy: Response?
  /// Whether an attempt waited too long and was given up.
  private var hasGivenUp = false
  private var waitingSince: UInt64?
  private var nextCheck: UInt64 = 0
  private var attempts: [Attempt] = []
  private var free: [Int] = []
  private var ended: [Int] = []
  private var endedHandled = 0

  /// - Parameter http: a new link, or one that served another run.
  init(
    _ http: consuming HTTPLink, plan: DeliveryPlan, identity: RunIdentity, streamLimit: Int
  ) {
    head = plan.requestHead(http.token)
    self.http = http
    self.plan = plan
    self.identity = identity
    self.http.window.beginRun(limit: streamLimit)
  }

  var session: ClientSession { http.session }

  var window: Window { http.window }

  /// Whether an answer came, in this run or an earlier one, that says nothing against this link.
  var hasServed: Bool { http.hasServed }

  /// The provider token in use; nil when a certificate is.
  var providerToken: ProviderToken? { http.token }

  /// Since when it is in use, in nanoseconds of the monotonic clock: pushes before that had another.
  private(set) var tokenSince: UInt64 = 0

  /// How many pushes may be sent now.
  var room: Int { isUsedUp ? 0 : window.room(open: session.openCount) }

  /// Whether no more pushes may go out over this link.
  var isUsedUp: Bool { retiredBy != nil || !session.acceptsRequests }

  /// The answer after which no more pushes may go out over this link; nil when there was none.
  var lastWord: Response? { retiredBy }

  /// What the server's GOAWAY said; nil when there was none.
  var farewell: String? {
    session.goAway.map {
      ErrorBody.reason(in: $0.debugData)?.rawValue ?? "GOAWAY with code \($0.errorCode)"
    }
  }

  mutating func use(_ token: ProviderToken?, now: UInt64) {
    guard token != http.token else { return }
    http.token = token
    tokenSince = now
    head = plan.requestHead(token)
  }

  /// An answer came over this link.
  mutating func answered(_ response: Response) {
    http.window.answered(response)
    if response.needsNewConnection { retiredBy = response } else { http.hasServed = true }
  }

  /// Opens a stream for a push.
  mutating func send(_ push: PendingPush, now: UInt64) throws(SessionError) {
    let slot = freeSlot(for: push, now: now)
    let exchange = attempts[slot].exchange
    let id = identity.apnsID(of: push.push)
    let isReady = prepare(exchange, for: push.push, id)
    precondition(isReady, "an exchange has room for the longest device token")
    try session.submit(exchange)
  }

  private func prepare(_ exchange: Exchange, for push: Push, _ id: APNSID) -> Bool {
    func writeID(_ room: UnsafeMutableBufferPointer<UInt8>) -> Int {
      id.write(to: room)
      return APNSID.textLength
    }
    return push.chunk.withToken(at: push.index) { token in
      let isReady = push.chunk.withPayload(at: push.index) { payload in
        exchange.prepare(head, pathEnd: token, copyingBody: payload, varying: writeID)
      }
      return isReady
        ?? exchange.prepare(head, pathEnd: token, body: plan.payload?.bytes ?? [], varying: writeID)
    }
  }

  private mutating func freeSlot(for push: PendingPush, now: UInt64) -> Int {
    var push = push
    if push.trials.isInDoubt { push.trials.wasResentInDoubt = true }
    if let slot = free.popLast() {
      attempts[slot].push = push
      attempts[slot].startedAt = now
      return slot
    }
    let exchange = Exchange()
    exchange.tag = attempts.count
    attempts.append(Attempt(exchange: exchange, push: push, startedAt: now))
    return exchange.tag
  }

  /// Moves bytes in both directions until neither has any more, or many were read.
  ///
  /// - Returns: whether the link is full and has to be waited for.
  mutating func exchangeBytes(now: UInt64) throws -> Bool { try http.exchangeBytes(now: now) }

  /// Reads what the server said in the meantime.
  mutating func catchUp() throws { try http.catchUp() }

  func wait(forRoom: Bool, wake: Wake, milliseconds: Int?) {
    http.wait(forRoom: forRoom, wake: wake, milliseconds: milliseconds)
  }

  /// Looks for attempts that have ended, which `nextEnded` hands over one by one.
  ///
  /// - Returns: how many there are.
  mutating func gatherEnded() -> Int {
    session.takeEnded { ended.append($0.tag) }
    return ended.count
  }

  /// Hands over the next attempt that has ended, in the order they did, and frees its slot.
  mutating func nextEnded() -> EndedAttempt? {
    guard endedHandled < ended.count, let push = attempts[ended[endedHandled]].push.take() else {
      ended.removeAll(keepingCapacity: true)
      endedHandled = 0
      return nil
    }
    let slot = ended[endedHandled]
    endedHandled += 1
    free.append(slot)
    let exchange = attempts[slot].exchange
    if case .inDoubt = exchange.end {} else { waitingSince = nil }
    return EndedAttempt(exchange: exchange, push: push, startedAt: attempts[slot].startedAt)
  }

  /// Whether the next run may have the link.
  var isWorthKeeping: Bool { retiredBy == nil && !hasGivenUp && http.isWorthKeeping }

  /// What stays of it when the run does not need it any more.
  consuming func release() -> HTTPLink { http }

  /// Says goodbye to a server that may no longer listen.
  func sayGoodbye() { http.sayGoodbye() }
}

// Time-outs.
extension OpenLink {
  /// Whether there is something to give up on when it takes too long.
  var hasDeadline: Bool { session.openCount > 0 || room == 0 || http.isAsking }

  /// Whether the server is known to be there. After a long silence it is asked with a PING first:
  /// a push on a connection that a firewall has forgotten would be in doubt.
  ///
  /// - Throws: `ChannelFailure` when it did not answer the PING.
  mutating func isAwake(now: UInt64) throws(ChannelFailure) -> Bool { try http.isAwake(now: now) }

  /// Gives up on attempts that have waited too long.
  ///
  /// - Throws: `ChannelFailure` when for as long the whole link was of no use: nothing was answered,
  ///   or no push allowed.
  mutating func checkDeadlines(now: UInt64) throws(ChannelFailure) {
    let limit = UInt64(plan.attemptTimeoutMilliseconds) * 1_000_000
    guard session.openCount > 0 || room == 0 else {
      waitingSince = nil
      return
    }
    let since = waitingSince ?? now
    waitingSince = since
    if now - since > limit { throw .broken("no answer in time") }
    guard now >= nextCheck else { return }
    nextCheck = now + limit / 8
    for attempt in attempts
    where attempt.push != nil && attempt.exchange.end == nil && now > attempt.startedAt + limit {
      session.cancel(attempt.exchange)
      hasGivenUp = true
    }
  }
}
