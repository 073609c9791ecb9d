internal import Credentials
internal import Delivery
internal import HTTP2
internal import POSIX
internal import PushModel
internal import Synchronization

/// One run of the engine for a client.
final class Session: Sendable {
  private struct Chunks {
    /// The chunk that the reader took last. It may never reach the engine when the engine stops.
    var last: PushChunk?
    /// The single pushes that the engine has, by the first number of their chunk.
    var singles: [UInt64: TicketChunk] = [:]
  }

  let credentials: PushCredentials
  let control: RunControl
  /// Wakes the thread that reads pushes for the session.
  let wake: Wake
  private let chunks = Mutex(Chunks())
  private let hasBegun = Atomic(false)

  /// Nil when no descriptors are left.
  init?(_ credentials: PushCredentials, _ control: RunControl) {
    guard let wake = Wake() else { return nil }
    (self.credentials, self.control, self.wake) = (credentials, control, wake)
  }

  /// Returns itself to whoever has to start it, and nil to all others.
  func begin() -> Session? {
    if hasBegun.load(ordering: .relaxed) { return nil }
    return hasBegun.exchange(true, ordering: .relaxed) ? nil : self
  }

  /// Notes a chunk for the engine.
  func took(_ chunk: PushChunk) {
    chunks.withLock { chunks in
      chunks.last = chunk
      if let tickets = chunk.sender as? TicketChunk {
        chunks.singles[chunk.firstSequence] = tickets
      }
    }
  }

  /// Ends the single pushes that wait while nothing may be sent.
  func pause() {
    for chunk in chunks.withLock({ Array($0.singles.values) }) { chunk.giveUp(.paused) }
  }

  /// Gives results to those who wait for them.
  func deliver(_ batch: PushResults, _ identity: RunIdentity) {
    let obstacle = control.cause.map(Obstacle.init)
    for part in batch.parts {
      if let chunk = part.chunk, let list = chunk.sender as? ListPart {
        list.take(batch.accepted[part.places], of: chunk, identity)
      } else {
        deliver(batch.results(of: part), identity, obstacle)
      }
    }
  }

  private func deliver(_ results: [PushResult], _ identity: RunIdentity, _ obstacle: Obstacle?) {
    var rest = results[...]
    while let chunk = rest.first?.push.chunk {
      let end = rest.firstIndex { $0.push.chunk !== chunk } ?? rest.endIndex
      deliver(rest[..<end], of: chunk, identity, obstacle)
      rest = rest[end...]
    }
  }

  private func deliver(
    _ results: ArraySlice<PushResult>, of chunk: PushChunk, _ identity: RunIdentity,
    _ obstacle: Obstacle?
  ) {
    if let part = chunk.sender as? ListPart {
      part.take(results, identity, obstacle)
    } else if let tickets = chunk.sender as? TicketChunk,
      tickets.take(results, identity, obstacle)
    {
      _ = chunks.withLock { $0.singles.removeValue(forKey: chunk.firstSequence) }
    }
  }

  /// Ends the pushes of a chunk that never reached the engine.
  func giveUpLast(_ identity: RunIdentity) {
    guard let chunk = chunks.withLock({ $0.last.take() }) else { return }
    let results = chunk.pushes.map { PushResult(notSent: $0) }
    let obstacle = control.cause.map(Obstacle.init) ?? .closed
    deliver(results[...], of: chunk, identity, obstacle)
  }
}

extension PushResult {
  /// Creates the result of a push that the engine never had.
  fileprivate init(notSent push: Push) {
    self.init(
      push: push, outcome: .notAttempted, response: nil, attempts: 0, wasResentInDoubt: false,
      latencyMicroseconds: nil, answeredAt: nil)
  }
}

/// The pushes that a session reads.
private struct SessionSource: PushSource {
  let dispatcher: Dispatcher
  let session: Session
  private(set) var counts = RecipientCounts()
  /// What waits: more connections come only for more than those there can carry.
  private(set) var extent = ListExtent()
  /// The time since which there was nothing to send; nil while there is.
  private var idleSince: UInt64?

  init(_ dispatcher: Dispatcher, _ session: Session) {
    (self.dispatcher, self.session) = (dispatcher, session)
  }

  mutating func next() -> PushChunk? {
    var hasLingered = false
    while true {
      switch dispatcher.take(for: session, hasLingered: hasLingered, hasIdled: hasIdled) {
      case .finished: return nil
      case .linger:
        session.wake.wait(milliseconds: 1)
        hasLingered = true
      case .wait:
        idleSince = idleSince ?? dispatcher.clock.monotonic()
        session.wake.wait(milliseconds: dispatcher.options.idleTimeout.milliseconds)
        hasLingered = false
      case .chunk(let chunk):
        idleSince = nil
        counts.lines += chunk.count
        let read = Int64(counts.lines)
        extent = ListExtent(read: read, size: read + Int64(dispatcher.waiting))
        return chunk
      }
    }
  }

  private var hasIdled: Bool {
    guard let idleSince else { return false }
    let limit = UInt64(dispatcher.options.idleTimeout.milliseconds) * 1_000_000
    return dispatcher.clock.monotonic() - idleSince >= limit
  }
}

extension Dispatcher {
  /// Starts the thread of a session.
  func start(_ session: Session) {
    if Thread.start({ self.perform(session) }) { return }
    stopped(session, .outOfThreads)
    ended(session)
  }

  private func perform(_ session: Session) {
    session.control.whenStopped { [weak self, weak session] cause in
      if let self, let session { stopped(session, cause) }
    }
    session.control.whenHeld { [weak self, weak session] in
      if let self, let session { paused(session) }
    }
    let run = Run(
      plan, credentials: session.credentials, control: session.control, clock: clock,
      identity: identity)
    _ = run.perform(SessionSource(self, session)) { batch, _ in
      session.deliver(batch, identity)
      if !batch.accepted.isEmpty || batch.others.contains(where: { $0.outcome == .accepted }) {
        state.withLock { if $0.current === session { $0.barrier.open() } }
      }
    }
    session.giveUpLast(identity)
    ended(session)
  }

  /// Fails all pushes that wait for a session that has stopped, and the next ones for a while.
  private func stopped(_ session: Session, _ cause: StopCause) {
    let ended = state.withLock { state -> (Obstacle, @Sendable (Obstacle) -> Void)? in
      guard state.current === session else { return nil }
      state.current = nil
      // Refusals end connections too; then they are the reason, and not the connections.
      let refusal = state.breakers.values.lazy.compactMap { [clock] in $0.obstacle(clock.monotonic)
      }.first
      let obstacle = refusal ?? Obstacle(cause)
      state.barrier.close(for: obstacle, now: clock.monotonic())
      return (obstacle, state.giveUpAll())
    }
    session.wake.call()
    guard let (obstacle, giveUp) = ended else { return }
    giveUp(obstacle)
    if obstacle.kind != .closed { events?.add(.stopped(obstacle, topic: nil)) }
  }

  /// Fails the single pushes that wait, since a server asked for a pause. Lists wait for its end.
  private func paused(_ session: Session) {
    let giveUp = state.withLock { state in
      state.current === session ? state.giveUpSingles() : nil
    }
    giveUp?(.paused)
    session.pause()
  }

  private func ended(_ session: Session) {
    let closers = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      state.sessions.removeAll { $0 === session }
      if state.current === session { state.current = nil }
      return state.takeClosers()
    }
    for closer in closers { closer.resume() }
  }

  /// Begins a session whose answers are judged by topic and by list.
  func beginSession(_ state: inout State) -> Bool {
    state.beginSession(options.breaker) { [weak self] in self?.judge($0) }
  }

  /// Hands answers to the breakers, those of a chunk at once.
  private func judge(_ answers: [Breaker.Answer]) {
    var rest = answers[...]
    while let chunk = rest.first?.chunk {
      let end = rest.firstIndex { $0.chunk !== chunk } ?? rest.endIndex
      defer { rest = rest[end...] }
      guard let sender: any Judged = chunk.sender as? ListPart ?? chunk.sender as? TicketChunk,
        let obstacle = sender.judge(rest[..<end], clock.monotonic)
      else { continue }
      events?.add(.stopped(obstacle, topic: chunk.message?.topic))
    }
  }
}

extension Dispatcher {
  /// Goes on with other credentials. Pushes that the engine has taken finish with the old ones.
  func update(_ credentials: PushClient.Credentials) {
    let (old, newcomer, giveUp) = state.withLock { state in
      if state.credentials.isSame(as: credentials) {
        return (Session?.none, Session?.none, (@Sendable (Obstacle) -> Void)?.none)
      }
      let old = state.current
      state.credentials = credentials
      (state.current, state.reader) = (nil, nil)
      state.barrier.open()
      (state.breakers, state.last) = ([:], nil)
      if state.parcels.isEmpty && state.lists.isEmpty { return (old, nil, nil) }
      if beginSession(&state) { return (old, state.current?.begin(), nil) }
      return (old, nil, state.giveUpAll())
    }
    old?.wake.call()
    if let newcomer { start(newcomer) }
    giveUp?(.system)
  }
}
