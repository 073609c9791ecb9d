internal import APNS
internal import Credentials
internal import HTTP2
internal import PushModel

/// An open connection of a run: the link, its session and the attempts in flight.
struct ActiveLink: ~Copyable {
  /// A slot for an attempt, in flight or free.
  private struct Attempt {
    /// Nil when the slot is free.
    var push: PendingPush?
    var startedAt: UInt64 = 0
    /// It was cancelled because no answer came in time.
    var isGivenUp = false
  }

  /// An attempt that has ended.
  struct EndedAttempt: ~Copyable {
    let exchange: Exchange
    let push: PendingPush
    let startedAt: UInt64
    let isGivenUp: Bool

    /// It was accepted at the first attempt, and its answer says no more than that.
    var isPlainlyAccepted: Bool {
      exchange.end == .answered && exchange.status == Status.accepted.rawValue
        && push.trials.isFirst && !exchange.hasHeader("apns-unique-id")
    }
  }

  /// A push for which no stream could be opened.
  struct Unsent: Error {
    let push: PendingPush
    let cause: SessionError
  }

  private var http: HTTP2Link
  private let plan: DeliveryPlan
  private let identity: RunIdentity
  private let message: PushMessage
  private var head: RequestHead
  /// The notification that `head` belongs to.
  private var headMessage: PushMessage
  private var retiredBy: Response?
  /// Some attempt timed out.
  private var hasGivenUp = false
  private var silence: Silence
  private var nextCheck: UInt64 = 0
  private var attempts: [Attempt] = []
  /// The exchange of each slot.
  private var exchanges: [Exchange] = []
  private var free: [Int] = []
  private var ended: [Int] = []
  private var endedHandled = 0

  /// - Parameter http: a new link, or one that served another run.
  init(
    _ http: consuming HTTP2Link, plan: DeliveryPlan, identity: RunIdentity, streamLimit: Int
  ) {
    message = plan.message
    headMessage = message
    head = plan.requestHead(of: message, http.token)
    self.http = http
    self.plan = plan
    self.identity = identity
    silence = Silence(timeout: plan.attemptTimeoutNanoseconds)
    self.http.window.beginRun(limit: streamLimit)
  }

  var session: ClientSession { http.session }

  var window: Window { http.window }

  /// An answer came, in this run or an earlier one, that does not count against this link.
  var hasServed: Bool { http.hasServed }

  /// The provider token in use; nil with a certificate.
  var providerToken: ProviderToken? { http.token }

  /// The time it came into use, in nanoseconds of the monotonic clock: earlier pushes had another.
  private(set) var tokenSince: UInt64 = 0

  /// The number of pushes that may be sent now.
  var room: Int { isUsedUp ? 0 : window.room(open: session.openCount) }

  /// No more pushes may go out over this link.
  var isUsedUp: Bool { retiredBy != nil || isSilent || !session.acceptsRequests }

  /// Nothing was answered for a whole time-out, while pushes waited.
  var isSilent: Bool { silence.isGivenUp }

  /// The answer that retired this link; nil when there was none.
  var lastWord: Response? { retiredBy }

  /// The content of the server's GOAWAY; nil when there was none.
  var farewell: String? {
    session.goAway.map {
      ErrorBody.reason(in: $0.debugData)?.rawValue ?? "GOAWAY with code \($0.errorCode)"
    }
  }

  mutating func use(_ token: ProviderToken?, now: UInt64) {
    guard token != http.token else { return }
    http.token = token
    plan.observer?(.tokenReplaced)
    tokenSince = now
    head = plan.requestHead(of: headMessage, token)
  }

  /// Takes an answer into account.
  mutating func answered(_ response: Response) {
    http.window.answered(response)
    if response.needsNewConnection { retiredBy = response } else { http.hasServed = true }
  }

  /// Takes an answer into account that only says that a push was accepted.
  mutating func accepted() {
    http.window.accepted()
    http.hasServed = true
  }

  /// Opens a stream for a push.
  mutating func send(_ push: consuming PendingPush, now: UInt64) throws(Unsent) {
    let slot = freeSlot()
    useHead(for: push.push.chunk)
    let id = headMessage.apnsID ?? identity.apnsID(of: push.push)
    let exchange = exchanges[slot]
    let isReady = prepare(exchange, for: push.push, id)
    precondition(isReady, "an exchange has room for the longest device token")
    do {
      try session.submit(exchange)
    } catch {
      free.append(slot)
      throw Unsent(push: push, cause: error)
    }
    silence.sent(wasSilent: push.trials.wasSilent, now: now)
    if push.trials.isInDoubt { push.trials.wasResentInDoubt = true }
    attempts[slot] = Attempt(push: push, startedAt: now)
  }

  private mutating func useHead(for chunk: PushChunk) {
    let message = chunk.message ?? message
    if message === headMessage { return }
    (head, headMessage) = (plan.requestHead(of: message, http.token), message)
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
      return isReady ?? exchange.prepare(head, pathEnd: token, varying: writeID)
    }
  }

  private mutating func freeSlot() -> Int {
    if let slot = free.popLast() { return slot }
    let exchange = Exchange()
    exchange.tag = attempts.count
    attempts.append(Attempt())
    exchanges.append(exchange)
    return exchange.tag
  }

  /// Sends and receives until neither direction has any more, or the limit on reads is reached.
  ///
  /// - Returns: whether the link is full, so that the caller has to wait for room.
  mutating func exchangeBytes(now: UInt64) throws -> Bool { try http.exchangeBytes(now: now) }

  /// Reads what the server has sent in the meantime.
  mutating func catchUp() throws { try http.catchUp() }

  func wait(forRoom: Bool, wake: Wake, milliseconds: Int?) {
    http.wait(forRoom: forRoom, wake: wake, milliseconds: milliseconds)
  }

  /// Collects the attempts that have ended, for `nextEnded` to return one by one.
  ///
  /// - Returns: the number of these attempts.
  mutating func gatherEnded() -> Int {
    session.takeEnded { ended.append($0.tag) }
    return ended.count
  }

  /// Returns the next ended attempt, in the order they ended, and frees its slot.
  mutating func nextEnded() -> EndedAttempt? {
    guard endedHandled < ended.count, let push = attempts[ended[endedHandled]].push.take() else {
      ended.removeAll(keepingCapacity: true)
      endedHandled = 0
      return nil
    }
    let slot = ended[endedHandled]
    endedHandled += 1
    free.append(slot)
    let exchange = exchanges[slot]
    if case .inDoubt = exchange.end {
      silence.ended(wasSilent: push.trials.wasSilent, isAnswered: false)
    } else {
      silence.ended(wasSilent: push.trials.wasSilent, isAnswered: true)
    }
    return EndedAttempt(
      exchange: exchange, push: push, startedAt: attempts[slot].startedAt,
      isGivenUp: attempts[slot].isGivenUp)
  }

  /// The next run may use the link.
  var isWorthKeeping: Bool { retiredBy == nil && !hasGivenUp && http.isWorthKeeping }

  /// Gives up the link, for the next run.
  consuming func release() -> HTTP2Link { http }

  /// Sends GOAWAY to a server that may no longer listen.
  func sayGoodbye() { http.sayGoodbye() }
}

// Timeouts.
extension ActiveLink {
  /// Something may time out.
  var hasDeadline: Bool { session.openCount > 0 || room == 0 || http.isAsking }

  /// Checks that the server is there. After a long silence this takes a PING first: a push on a
  /// connection that a firewall has dropped would be in doubt.
  ///
  /// - Throws: `ChannelFailure` when the server did not answer the PING.
  mutating func isAwake(now: UInt64) throws(ChannelFailure) -> Bool { try http.isAwake(now: now) }

  /// Cancels attempts that have waited too long.
  ///
  /// - Throws: `ChannelFailure` when the link was of no use for the whole timeout: nothing was
  ///   answered, not even a PING, or no push allowed.
  mutating func checkDeadlines(now: UInt64) throws(ChannelFailure) {
    let isShut = session.openCount == 0 && room == 0
    switch silence.judge(isShut: isShut, now: now) {
    case .wait: break
    case .ask: http.ask(now: now)
    case .giveUp:
      if isShut || http.isDeaf(now: now) { throw .broken(Self.silentText) }
    }
    guard now >= nextCheck else { return }
    nextCheck = now + plan.attemptTimeoutNanoseconds / 8
    cancelLate(now: now)
  }

  private mutating func cancelLate(now: UInt64) {
    let limit = plan.attemptTimeoutNanoseconds
    for slot in attempts.indices where attempts[slot].push != nil {
      let exchange = exchanges[slot]
      guard exchange.end == nil, now > attempts[slot].startedAt + limit else { continue }
      session.cancel(exchange)
      attempts[slot].isGivenUp = true
      hasGivenUp = true
    }
  }

  /// A description of how a silent link ended.
  static let silentText = "no answer in time"

  /// Checks whether another push has to find out if the server answers, since those on this link,
  /// which has yet to prove good, have none; lets one more out where the server has room for it.
  mutating func isProbeDue(now: UInt64) -> Bool {
    guard !window.isProven, session.openCount > 0, silence.isProbeDue(now: now) else {
      return false
    }
    http.window.addProbe()
    return true
  }
}
