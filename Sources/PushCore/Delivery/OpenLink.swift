internal import APNS
internal import HTTP2

/// One open connection: the link, the session on it, and what is in flight.
struct OpenLink: ~Copyable {
  /// An attempt in flight.
  struct Attempt {
    let exchange: Exchange
    var push: PendingPush
    var startedAt: UInt64
  }

  let session: ClientSession
  var window = Window()
  /// Set when no more pushes may go out over this link.
  var isRetired = false
  private(set) var hasAnswered = false

  private let link: Link
  private let plan: DeliveryPlan
  private let identity: RunIdentity
  private var token: ProviderToken
  private var head: RequestHead
  private var stalledSince: UInt64?
  private var attempts: [Attempt?] = []
  private var free: [Int] = []
  private let incoming = UnsafeMutableRawBufferPointer.allocate(byteCount: 32_768, alignment: 8)

  init(
    _ link: consuming Link, plan: DeliveryPlan, identity: RunIdentity, token: ProviderToken
  ) throws(SessionError) {
    session = try ClientSession()
    self.link = link
    self.plan = plan
    self.identity = identity
    self.token = token
    head = plan.requestHead(token)
  }

  deinit { incoming.deallocate() }

  /// The provider token in use.
  var providerToken: ProviderToken { token }

  /// How many pushes may be sent now.
  var room: Int {
    isRetired || !session.acceptsRequests ? 0 : window.room(open: session.openCount)
  }

  mutating func use(_ token: ProviderToken) {
    guard token != self.token else { return }
    self.token = token
    head = plan.requestHead(token)
  }

  /// Whether the peer has left no room for a single push for longer than a time in nanoseconds.
  mutating func isStalled(now: UInt64, limit: UInt64) -> Bool {
    guard session.openCount == 0, room == 0 else {
      stalledSince = nil
      return false
    }
    let since = stalledSince ?? now
    stalledSince = since
    return now - since > limit
  }

  /// Opens a stream for a push.
  mutating func send(_ push: PendingPush, now: UInt64) throws(SessionError) {
    let slot = freeSlot(for: push, now: now)
    guard let exchange = attempts[slot]?.exchange else { return }
    if push.isInDoubt { attempts[slot]?.push.wasResentInDoubt = true }
    let id = identity.apnsID(of: push.push)
    let isReady = push.push.chunk.withToken(at: push.push.index) { token in
      exchange.prepare(head, pathEnd: token, body: plan.payload.bytes) { room in
        id.write(to: room)
        return APNSID.textLength
      }
    }
    precondition(isReady, "an exchange has room for the longest device token")
    try session.submit(exchange)
  }

  private mutating func freeSlot(for push: PendingPush, now: UInt64) -> Int {
    if let slot = free.popLast() {
      attempts[slot]?.push = push
      attempts[slot]?.startedAt = now
      return slot
    }
    let exchange = Exchange()
    exchange.tag = attempts.count
    attempts.append(Attempt(exchange: exchange, push: push, startedAt: now))
    return exchange.tag
  }

  /// Moves bytes in both directions until neither has any more.
  ///
  /// - Returns: whether the link is full and has to be waited for.
  mutating func exchangeBytes() throws -> Bool {
    let isSent = try session.send(over: link)
    while case let count = try link.receive(into: incoming), count > 0 {
      try session.receive(UnsafeRawBufferPointer(rebasing: incoming[..<count]))
    }
    window.settings(session.peerConcurrency)
    return try !isSent || !session.send(over: link)
  }

  func wait(forRoom: Bool, wake: Wake, milliseconds: Int?) {
    let ready = link.wait(forRoom: forRoom, wake: wake, milliseconds: milliseconds)
    if ready.contains(.woken) { wake.clear() }
  }

  /// Hands over the attempts that have ended and frees their slots.
  mutating func takeEnded() -> [Attempt] {
    var ended: [Attempt] = []
    session.takeEnded { exchange in
      if let attempt = attempts[exchange.tag] { ended.append(attempt) }
    }
    for attempt in ended {
      if attempt.exchange.end == .answered { hasAnswered = true }
      free.append(attempt.exchange.tag)
    }
    return ended
  }

  /// Gives up on attempts that began before a moment.
  func cancelAttempts(startedBefore limit: UInt64) {
    for case let attempt? in attempts
    where attempt.exchange.end == nil && attempt.startedAt < limit {
      session.cancel(attempt.exchange)
    }
  }
}
