public import APNS
public import Credentials
public import HTTP2
public import PushModel
internal import Synchronization

/// The reason a run ended before every push was sent.
public enum StopCause: Sendable, Hashable {
  /// The user interrupted it, with Ctrl-C for example.
  case interrupted
  /// No connection could be opened.
  case connecting(DialError)
  /// Connections were opened and lost again without an answer. The text, which comes from outside,
  /// says how the last one ended.
  case connectionLost(String)
  /// APNs closed the connection for a reason that a new one does not fix.
  case goodbye(Reason)
  /// Push after push was refused, the last with this answer; nearly all would have been.
  case breaker(Response)
  /// A run sent by several workers was stopped for all of them, with a message from the one that
  /// stopped it, which comes from outside; nil when a user asked for it.
  case stopped(String?)
  /// No provider token could be signed.
  case signing(SigningKeyError)
  /// The process has no file descriptors left for the run's own use.
  case outOfDescriptors
  /// The system has no threads left for the run's own use.
  case outOfThreads
  /// A list of recipients could not be read to its end.
  case list(ListError)
  /// The history could not be written.
  case history(HistoryError)
}

/// Lets any thread end a run: no new pushes are sent, and those in flight are waited for.
public final class RunControl: Sendable {
  private struct State {
    var cause: StopCause?
    var breaker: Breaker?
    var listeners: [@Sendable (StopCause) -> Void] = []
    var held: UInt64 = 0
    var heldListeners: [@Sendable () -> Void] = []
    /// By connection.
    var awaited: [Int: Awaited] = [:]
  }

  private let state: Mutex<State>
  private let judge: (@Sendable ([Breaker.Answer]) -> Void)?
  private let stopping = Atomic(false)
  private let open = Atomic(0)
  private let sound = Atomic(0)
  private let held = Atomic<UInt64>(0)

  /// Creates the control of a run that has not been stopped.
  ///
  /// - Parameter usesBreaker: whether too many refusals stop the run, see `Breaker`.
  public init(usesBreaker: Bool = true) {
    state = Mutex(State(breaker: usesBreaker ? Breaker() : nil))
    judge = nil
  }

  /// Creates the control of a run that no breaker stops: another judges the answers, in order.
  package init(judge: @escaping @Sendable ([Breaker.Answer]) -> Void) {
    state = Mutex(State())
    self.judge = judge
  }

  /// Stops the run; the first cause counts.
  ///
  /// After `.interrupted` the remaining recipients are not read, whatever stopped the run before.
  /// After any other cause they are, so that each gets a result.
  public func stop(_ cause: StopCause) {
    let listeners = state.withLock { state -> [@Sendable (StopCause) -> Void] in
      let isNews = state.cause == nil || cause == .interrupted
      state.cause = state.cause ?? cause
      stopping.store(true, ordering: .releasing)
      return isNews ? state.listeners : []
    }
    for listener in listeners { listener(cause) }
  }

  /// The run is to end.
  public var isStopping: Bool { stopping.load(ordering: .acquiring) }

  /// The reason the run is to end; nil while it goes on.
  public var cause: StopCause? { state.withLock { $0.cause } }

  /// The number of pushes in flight.
  public var inFlight: Int { open.load(ordering: .relaxed) }

  func opened(_ change: Int) { open.add(change, ordering: .relaxed) }

  /// The number of answers that do not count against the connection they came on.
  var soundAnswers: Int { sound.load(ordering: .relaxed) }

  /// The end of a pause that an answer asked for, in nanoseconds of the monotonic clock; nil when
  /// pushes may be sent.
  public func heldUntil(now: UInt64) -> UInt64? {
    let end = held.load(ordering: .relaxed)
    return end > now ? end : nil
  }

  /// Pauses sending until then. The latest end counts.
  func hold(until end: UInt64, now: UInt64) {
    let listeners = state.withLock { state -> [@Sendable () -> Void] in
      let before = held.max(end, ordering: .relaxed).oldValue
      guard end > max(before, now) else { return [] }
      state.held += end - max(before, now)
      return state.heldListeners
    }
    for listener in listeners { listener() }
  }

  /// The total time that answers have paused the run so far, in nanoseconds.
  func heldTime(now: UInt64) -> UInt64 {
    let all = state.withLock { $0.held }
    return all - min(all, heldUntil(now: now).map { $0 - now } ?? 0)
  }

  /// No breaker of its own stops the run: another judges the answers, by their chunks.
  var isJudged: Bool { judge != nil }

  /// What the run waits for; nil when it waits for no certain time.
  package func awaited(now: UInt64) -> Awaited? {
    state.withLock { Array($0.awaited.values) }.next(now: now)
  }

  /// Notes what a connection waits for.
  func awaits(_ what: Awaited?, on connection: Int) {
    state.withLock { $0.awaited[connection] = what }
  }

  /// Calls the listener when an answer asks for a pause, or for a longer one.
  package func whenHeld(_ listener: @escaping @Sendable () -> Void) {
    state.withLock { $0.heldListeners.append(listener) }
  }

  /// Calls the listener when the run is stopped, at once if it already is, and again when it is
  /// then interrupted.
  package func whenStopped(_ listener: @escaping @Sendable (StopCause) -> Void) {
    let cause = state.withLock { state in
      state.listeners.append(listener)
      return state.cause
    }
    if let cause { listener(cause) }
  }

  /// The breaker's counts, to share with the other workers of the run; nil without a breaker.
  package var breakerCounters: Breaker.Counters? { state.withLock { $0.breaker?.counters } }

  /// Counts a connection's answers and passes them to the breaker in order.
  func answered(_ answers: [Breaker.Answer]) {
    let count = answers.reduce(0) { $0 + ($1.response.needsNewConnection ? 0 : $1.count) }
    sound.add(count, ordering: .relaxed)
    let last = state.withLock { state in
      answers.first { state.breaker?.answered($0) ?? false }
    }
    judge?(answers)
    if let last { stop(.breaker(last.response)) }
  }
}
