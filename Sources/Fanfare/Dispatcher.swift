internal import Delivery
internal import HTTP2
internal import POSIX
internal import PushModel
internal import Synchronization

/// Hands the pushes of all tasks to the engine, a chunk at a time.
///
/// Tasks add pushes and never wait. The reader thread of a session, which is one run of the engine,
/// takes whatever is there: alone a push goes at once, and under load pushes travel together. Single
/// pushes and lists take turns, so that neither has to wait for all of the other. A session begins
/// with a push and lasts until the engine stops it, the credentials change, or the client is closed or
/// idle for long. After the engine has stopped one, pushes fail for a while, at once.
final class Dispatcher: Sendable {
  struct State {
    /// The single pushes that no session has taken, and their number.
    var parcels = Queue<Parcel>()
    var singles = 0
    /// The lists with pushes that no session has taken.
    var lists = Queue<RecipientList>()
    /// A list waits for single pushes, if there are any.
    var isTurnOfSingles = true
    /// All lists whose results are being taken.
    var openLists: [RecipientList] = []
    /// The last single notification, as requests carry it, and the breaker of its topic.
    var last: (notification: PushNotification, message: PushMessage, breaker: CircuitBreaker?)?
    var nextSequence: UInt64 = 1
    var credentials: PushClient.Credentials
    let hasTopicBreakers: Bool
    /// The breakers of the topics that these credentials have sent to.
    var breakers: [String: CircuitBreaker] = [:]
    /// The session that takes pushes; nil when the next push begins one.
    var current: Session?
    /// All sessions that have not ended, the current one included.
    var sessions: [Session] = []
    /// Wakes the reader that waits for pushes.
    var reader: Wake?
    /// The reader waits only for the first chunk of a list to fill.
    var isLingering = false
    var barrier = Barrier()
    var isClosed = false
    /// The requests about channels that are under way.
    var channelCalls: [ChannelCall] = []
    /// The tasks that wait for the client to be closed, and for the end of all sessions.
    var closing: [CheckedContinuation<Void, Never>] = []
    var closers: [CheckedContinuation<Void, Never>] = []

    var isDone: Bool { sessions.isEmpty && channelCalls.isEmpty }

    /// The tasks that wait for the end, if it has come.
    mutating func takeClosers() -> [CheckedContinuation<Void, Never>] {
      guard isClosed, isDone else { return [] }
      defer { closers = [] }
      return closers
    }
  }

  let identity: RunIdentity
  let plan: DeliveryPlan
  let options: PushClient.Options
  let clock: RunClock
  let events: EventQueue?
  let state: Mutex<State>
  /// The number of pushes that somebody waits for.
  private let awaited = Atomic(0)

  init(
    _ credentials: PushClient.Credentials, _ target: DialTarget, _ options: PushClient.Options,
    clock: RunClock, events: (@Sendable (PushClient.Event) -> Void)?
  ) {
    state = Mutex(
      State(credentials: credentials, hasTopicBreakers: options.breaker == .perTopic))
    identity = RunIdentity(given: nil, clock)
    self.events = events.map(EventQueue.init)
    plan = options.plan(target, self.events)
    (self.options, self.clock) = (options, clock)
  }

  /// Notes pushes that somebody begins to wait for.
  func began(_ count: Int) { awaited.add(count, ordering: .relaxed) }

  /// Notes pushes that nobody waits for any more. A closed client stops after the last of them.
  func settled(_ count: Int) {
    let left = awaited.subtract(count, ordering: .sequentiallyConsistent).newValue
    if left == 0, state.withLock({ $0.isClosed }) { stopAll() }
  }

  /// Has the engine give up what it has not sent.
  private func stopAll() {
    for session in state.withLock({ $0.sessions }) { session.control.stop(.stopped(nil)) }
  }

  /// Waits no longer for what was taken.
  private func giveUp() {
    stopAll()
    for call in state.withLock({ $0.channelCalls }) { call.withdraw(.closed) }
  }

  /// Takes no more pushes. Those that somebody waits for are still sent.
  func close() {
    let (reader, lists, closing) = state.withLock { state in
      defer { (state.isClosed, state.closing) = (true, []) }
      return (state.reader.take(), state.openLists, state.closing)
    }
    reader?.call()
    for waiter in closing { waiter.resume() }
    for list in lists { list.end(.failure(Obstacle.closed)) }
    if awaited.load(ordering: .sequentiallyConsistent) == 0 { stopAll() }
  }

  /// Waits until the client is closed. Cancelling the task closes it.
  func closing() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        let isClosed = state.withLock { state in
          if !state.isClosed { state.closing.append(waiter) }
          return state.isClosed
        }
        if isClosed { waiter.resume() }
      }
    } onCancel: {
      close()
    }
  }

  /// Waits for the end of all sessions and requests about channels. Cancelling the task gives up
  /// what was not sent.
  func drain() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { closer in
        let isDone = state.withLock { state in
          if !state.isDone { state.closers.append(closer) }
          return state.isDone
        }
        if isDone { closer.resume() }
      }
    } onCancel: {
      giveUp()
    }
  }

  /// Adds a single push; its ticket ends in any case.
  func add(_ notification: PushNotification, _ ticket: Ticket) {
    let obstacle = add { state in
      let (message, breaker) = state.outgoing(notification)
      if let obstacle = breaker?.obstacle(clock.monotonic) { return obstacle }
      if state.current?.control.heldUntil(now: clock.monotonic()) != nil { return .paused }
      state.add(SinglePush(ticket, notification, message))
      return nil
    }
    if let obstacle { ticket.giveUp(obstacle) }
  }

  /// Notes that a list has pushes to take, or a full chunk.
  ///
  /// - Returns: the reason they are not taken; nil when they are.
  func add(_ list: RecipientList) -> Obstacle? {
    add { state in
      if list.isCancelled { return .cancelled }
      for breaker in [state.breaker(list.topic), list.breaker].compactMap(\.self) {
        if let obstacle = breaker.obstacle(clock.monotonic) { return obstacle }
      }
      if !state.lists.contains(where: { $0 === list }) { state.lists.append(list) }
      return nil
    }
  }

  private func add(_ change: (inout State) -> Obstacle?) -> Obstacle? {
    let (obstacle, reader, newcomer) = state.withLock { state -> (Obstacle?, Wake?, Session?) in
      if state.isClosed { return (.closed, nil, nil) }
      if let obstacle = state.barrier.obstacle(clock.monotonic) { return (obstacle, nil, nil) }
      if state.current == nil, !beginSession(&state) { return (.system, nil, nil) }
      let obstacle = change(&state)
      return (obstacle, state.readerToWake(), state.current?.begin())
    }
    reader?.call()
    if let newcomer { start(newcomer) }
    return obstacle
  }

  /// Notes a list whose results are taken from now on.
  func begin(_ list: RecipientList) {
    let isClosed = state.withLock { state in
      state.openLists.append(list)
      return state.isClosed
    }
    if isClosed { list.end(.failure(Obstacle.closed)) }
  }

  /// Forgets a list: none of its pushes are taken any more.
  func forget(_ list: RecipientList) {
    state.withLock { state in
      state.lists.removeAll { $0 === list }
      state.openLists.removeAll { $0 === list }
    }
  }

  /// The number of pushes that no session has taken, or a little more.
  var waiting: Int {
    state.withLock { state in state.lists.reduce(state.singles) { $0 + $1.waiting } }
  }

  /// The result of asking for a chunk.
  enum Taken {
    case chunk(PushChunk)
    /// Ask again when the wake is called, or after a millisecond.
    case linger
    /// Ask again when the wake is called, or after the time of an idle client.
    case wait
    case finished
  }

  /// Takes the oldest chunk for a session.
  ///
  /// A list's chunk that is not full yet gets a millisecond to fill, so that a fast list does not
  /// travel in chunks of one.
  ///
  /// - Parameters:
  ///   - hasLingered: that time is over.
  ///   - hasIdled: the client has had nothing to send for long. The session ends, unless somebody
  ///     waits for a push that it has.
  func take(for session: Session, hasLingered: Bool, hasIdled: Bool) -> Taken {
    state.withLock { state in
      guard state.current === session else { return .finished }
      state.isLingering = !hasLingered && !state.isClosed && state.isFilling
      if !state.isLingering {
        if let chunk = state.next(identity, clock) {
          session.took(chunk)
          return .chunk(chunk)
        }
        if state.isClosed { return .finished }
        if hasIdled, awaited.load(ordering: .sequentiallyConsistent) == 0 {
          state.current = nil
          return .finished
        }
      }
      state.reader = session.wake
      return state.isLingering ? .linger : .wait
    }
  }
}
