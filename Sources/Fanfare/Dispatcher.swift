internal import APNS
internal import Credentials
internal import Delivery
internal import HTTP2
internal import POSIX
internal import PushModel
internal import Synchronization

/// Hands the pushes of all tasks to the engine, a chunk at a time.
///
/// Tasks add pushes and never wait. The reader thread of a session, which is one run of the engine,
/// takes whatever is there: alone a push goes at once, and under load pushes travel together. A
/// session begins with a push and lasts until the engine stops it, the credentials change or the
/// client is closed. After the engine has stopped one, pushes fail for a while, at once.
final class Dispatcher: Sendable {
  struct State {
    var parcels: [Parcel] = []
    var nextSequence: UInt64 = 1
    var credentials: PushCredentials
    /// The session that takes pushes; nil when the next push begins one.
    var current: Session?
    /// All sessions that have not ended, the current one included.
    var sessions: [Session] = []
    /// Wakes the reader that waits for pushes.
    var reader: Wake?
    /// The reader waits only for the first parcel to fill.
    var isLingering = false
    var barrier = Barrier()
    var isClosed = false
    var closers: [CheckedContinuation<Void, Never>] = []
  }

  /// The parcels, counted from the last, that may take another push.
  private static let reach = 8

  let identity: RunIdentity
  let plan: DeliveryPlan
  let options: PushClient.Options
  let clock: RunClock
  let tell: @Sendable (PushClient.Event) -> Void
  let state: Mutex<State>

  init(
    _ credentials: PushCredentials, _ target: DialTarget, _ options: PushClient.Options,
    clock: RunClock = .system, events: @escaping @Sendable (PushClient.Event) -> Void
  ) {
    state = Mutex(State(credentials: credentials))
    identity = RunIdentity(given: nil, clock)
    plan = options.plan(target, events)
    (self.options, self.clock, tell) = (options, clock, events)
  }

  /// Adds a single push; its ticket ends in any case.
  func add(_ push: SinglePush) {
    let obstacle = add { parcels in
      let last = parcels.indices.suffix(Self.reach).last { parcels[$0].takes(push) }
      if let last { parcels[last].add(push) } else { parcels.append(Parcel(push)) }
      return nil
    }
    if let obstacle { push.ticket.end { _ in SendResult(push.ticket.token, id: nil, obstacle) } }
  }

  /// Adds a push of a list.
  ///
  /// - Returns: the reason it was not taken; nil when it was.
  func add(_ token: DeviceToken, at position: Int, to list: RecipientList) -> Obstacle? {
    add { parcels in
      if list.isCancelled { return .cancelled }
      let last = parcels.indices.suffix(Self.reach).last { parcels[$0].takes(list) }
      if last == nil { parcels.append(Parcel(list)) }
      parcels[last ?? parcels.count - 1].add(token, at: position)
      return nil
    }
  }

  private func add(_ change: (inout [Parcel]) -> Obstacle?) -> Obstacle? {
    let (obstacle, reader, newcomer) = state.withLock { state -> (Obstacle?, Wake?, Session?) in
      if state.isClosed { return (.closed, nil, nil) }
      if let obstacle = state.barrier.obstacle(clock.monotonic) { return (obstacle, nil, nil) }
      if state.current == nil, !state.beginSession(options) { return (.system, nil, nil) }
      let obstacle = change(&state.parcels)
      return (obstacle, state.readerToWake(), state.current?.begin())
    }
    reader?.call()
    if let newcomer { start(newcomer) }
    return obstacle
  }

  /// Gives up the pushes of a list that no session has taken.
  func withdraw(_ list: RecipientList) {
    let chunks = state.withLock { state in
      let parcels = state.parcels.filter { $0.belongs(to: list) }
      state.parcels.removeAll { $0.belongs(to: list) }
      var chunks: [PushChunk] = []
      for parcel in parcels { chunks.append(state.close(parcel, identity)) }
      return chunks
    }
    for chunk in chunks { chunk.giveUp(identity, .cancelled) }
  }

  /// The number of pushes that no session has taken.
  var waiting: Int { state.withLock { $0.parcels.reduce(0) { $0 + $1.count } } }

  /// The result of asking for a chunk.
  enum Taken {
    case chunk(PushChunk)
    /// Ask again when the wake is called, or after these milliseconds.
    case wait(Int?)
    case finished
  }

  /// Takes the oldest chunk for a session.
  ///
  /// A list's parcel that is not full yet gets a millisecond to fill, so that a fast list does not
  /// travel in chunks of one.
  ///
  /// - Parameter hasLingered: that time is over.
  func take(for session: Session, hasLingered: Bool) -> Taken {
    state.withLock { state in
      guard state.current === session else { return .finished }
      if state.parcels.isEmpty && state.isClosed { return .finished }
      let isFilling = !hasLingered && state.parcels.count == 1 && !state.parcels[0].isReady
      state.isLingering = isFilling && !state.isClosed
      if state.parcels.isEmpty || state.isLingering {
        state.reader = session.wake
        return .wait(state.isLingering ? 1 : nil)
      }
      let chunk = state.close(state.parcels.removeFirst(), identity)
      session.lastTaken.withLock { $0 = chunk }
      return .chunk(chunk)
    }
  }
}

extension Dispatcher.State {
  /// The reader, if there is something for it to take.
  mutating func readerToWake() -> Wake? {
    guard let first = parcels.first, !isLingering || first.isReady || parcels.count > 1 else {
      return nil
    }
    return reader.take()
  }

  /// Makes a chunk of a parcel.
  mutating func close(_ parcel: Parcel, _ identity: RunIdentity) -> PushChunk {
    let chunk = parcel.chunk(at: nextSequence, identity)
    nextSequence += UInt64(chunk.count)
    (chunk.sender as? ListPart)?.begin(chunk)
    return chunk
  }

  /// Makes chunks of all parcels.
  mutating func closeAll(_ identity: RunIdentity) -> [PushChunk] {
    var chunks: [PushChunk] = []
    for parcel in parcels { chunks.append(close(parcel, identity)) }
    parcels = []
    return chunks
  }

  /// - Returns: false when no descriptors are left.
  mutating func beginSession(_ options: PushClient.Options) -> Bool {
    guard let session = Session(credentials, usesBreaker: options.usesBreaker) else { return false }
    current = session
    sessions.append(session)
    return true
  }
}

/// Lets no push through for a while after the engine has stopped, longer each time in a row: a
/// server that refuses everything is not to be asked again and again. A value.
struct Barrier {
  private static let longest: UInt64 = 60

  private var failures = 0
  private var cause: Obstacle?
  private var end: UInt64 = 0

  /// The reason not to send now.
  func obstacle(_ now: () -> UInt64) -> Obstacle? {
    guard let cause, now() < end else { return nil }
    return cause
  }

  mutating func close(for cause: Obstacle, now: UInt64) {
    let seconds = min(1 << UInt64(min(failures, 10)), Self.longest)
    (failures, self.cause, end) = (failures + 1, cause, now + seconds * 1_000_000_000)
  }

  /// Forgets all failures.
  mutating func open() { self = Barrier() }
}
