internal import Credentials
internal import Delivery
internal import HTTP2
internal import POSIX
internal import PushModel
internal import Synchronization

/// One run of the engine for a client.
final class Session: Sendable {
  let credentials: PushCredentials
  let control: RunControl
  /// Wakes the thread that reads pushes for the session.
  let wake: Wake
  /// The chunk that the reader took last. It may never reach the engine when the engine stops.
  let lastTaken = Mutex<PushChunk?>(nil)
  private let hasBegun = Atomic(false)

  /// Nil when no descriptors are left.
  init?(_ credentials: PushCredentials, usesBreaker: Bool) {
    guard let wake = Wake() else { return nil }
    (self.credentials, self.wake) = (credentials, wake)
    control = RunControl(usesBreaker: usesBreaker)
  }

  /// Returns itself to whoever has to start it, and nil to all others.
  func begin() -> Session? {
    hasBegun.exchange(true, ordering: .relaxed) ? nil : self
  }
}

/// The pushes that a session reads.
private struct SessionSource: PushSource {
  let dispatcher: Dispatcher
  let session: Session
  private(set) var counts = RecipientCounts()
  /// What waits: more connections come only for more than those there can carry.
  private(set) var extent = ListExtent()

  init(_ dispatcher: Dispatcher, _ session: Session) {
    (self.dispatcher, self.session) = (dispatcher, session)
  }

  mutating func next() -> PushChunk? {
    var hasLingered = false
    while true {
      switch dispatcher.take(for: session, hasLingered: hasLingered) {
      case .finished: return nil
      case .wait(let milliseconds):
        session.wake.wait(milliseconds: milliseconds)
        hasLingered = milliseconds != nil
      case .chunk(let chunk):
        counts.lines += chunk.count
        let read = Int64(counts.lines)
        extent = ListExtent(read: read, size: read + Int64(dispatcher.waiting))
        return chunk
      }
    }
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
    let run = Run(
      plan, credentials: session.credentials, control: session.control, clock: clock,
      identity: identity)
    _ = run.perform(SessionSource(self, session)) { batch, _ in deliver(batch, session) }
    let obstacle = session.control.cause.map(Obstacle.init) ?? .closed
    session.lastTaken.withLock { $0 }?.giveUp(identity, obstacle)
    ended(session)
  }

  /// Gives results to those who wait for them.
  private func deliver(_ batch: [PushResult], _ session: Session) {
    let obstacle = session.control.cause.map(Obstacle.init)
    var rest = batch[...]
    while let chunk = rest.first?.push.chunk {
      let end = rest.firstIndex { $0.push.chunk !== chunk } ?? rest.endIndex
      (chunk.sender as? any ChunkReceiver)?.take(rest[..<end], identity, obstacle)
      rest = rest[end...]
    }
    if batch.contains(where: { $0.outcome == .accepted }) {
      state.withLock { if $0.current === session { $0.barrier.open() } }
    }
  }

  /// Fails all pushes that wait for a session that has stopped, and the next ones for a while.
  private func stopped(_ session: Session, _ cause: StopCause) {
    let obstacle = Obstacle(cause)
    let chunks = state.withLock { state -> [PushChunk]? in
      guard state.current === session else { return nil }
      state.current = nil
      state.barrier.close(for: obstacle, now: clock.monotonic())
      return state.closeAll(identity)
    }
    session.wake.call()
    guard let chunks else { return }
    for chunk in chunks { chunk.giveUp(identity, obstacle) }
    tell(.stopped(obstacle))
  }

  private func ended(_ session: Session) {
    let closers = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      state.sessions.removeAll { $0 === session }
      if state.current === session { state.current = nil }
      guard state.isClosed, state.sessions.isEmpty else { return [] }
      defer { state.closers = [] }
      return state.closers
    }
    for closer in closers { closer.resume() }
  }
}

extension Dispatcher {
  /// Goes on with other credentials. Pushes that the engine has taken finish with the old ones.
  func update(_ credentials: PushCredentials) {
    let (old, newcomer, chunks) = state.withLock { state in
      let old = state.current
      state.credentials = credentials
      (state.current, state.reader) = (nil, nil)
      state.barrier.open()
      if state.parcels.isEmpty { return (old, Session?.none, [PushChunk]()) }
      if state.beginSession(options) { return (old, state.current?.begin(), []) }
      return (old, nil, state.closeAll(identity))
    }
    old?.wake.call()
    if let newcomer { start(newcomer) }
    for chunk in chunks { chunk.giveUp(identity, .system) }
  }

  /// Takes no more pushes. Those that were taken are still sent.
  func close() {
    let reader = state.withLock { state in
      state.isClosed = true
      return state.reader.take()
    }
    reader?.call()
  }

  /// Waits for the end of all sessions. Cancelling the task gives up what was not sent.
  func drain() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { closer in
        let isDone = state.withLock { state in
          if !state.sessions.isEmpty { state.closers.append(closer) }
          return state.sessions.isEmpty
        }
        if isDone { closer.resume() }
      }
    } onCancel: {
      let sessions = state.withLock { $0.sessions }
      for session in sessions { session.control.stop(.stopped(nil)) }
    }
  }
}
