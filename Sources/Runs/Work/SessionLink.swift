internal import APNS
internal import Delivery
internal import HTTP2
internal import PushModel
internal import Reporting
internal import SQLQueue
internal import Settings
internal import Synchronization

/// The link between sending a run and the database session: other workers can stop the run, share
/// its rate and connections, and count its responses.
final class SessionLink: Sendable {
  /// The interval between leases of rate slots, in milliseconds.
  private static let slotInterval = 25

  /// Nil if this worker has a number of connections of its own.
  let limit: ConnectionLimit?
  let slots: RateSlots?

  private struct State {
    var control: RunControl?
    var heartbeat: Heartbeat?
    var hasEnded = false
    /// The time at which the turn ended; nil while it lasts.
    var gaveWay: UInt64?
  }

  private let session: WorkerSession
  private let clock: RunClock
  private let wake: Wake
  private let usesBreaker: Bool
  private let turn: WorkerTurn?
  /// The number of connections for all workers together.
  private let sharedConnections: Int
  private let state = Mutex(State())

  /// - Throws: `Failure` when the system has no descriptors left.
  init(
    _ session: WorkerSession, _ turn: WorkerTurn?, _ settings: Settings, _ context: Context
  ) throws(Failure) {
    guard let wake = Wake() else { throw .outOfDescriptors }
    (self.session, self.turn, self.wake, clock) = (session, turn, wake, context.clock)
    usesBreaker = !settings.breaker.isOff
    let shared = settings.sharedConnections
    sharedConnections = shared ?? ConnectionCount.mostAutomatic
    limit = shared.map { ConnectionLimit($0) }
    slots = settings.rate.map { RateSlots($0.value.rate) }
  }

  /// Nothing more should be taken from the queue.
  var isStopping: Bool {
    state.withLock { $0.hasEnded || $0.gaveWay != nil || $0.control?.isStopping ?? false }
  }

  /// The turn ended because another run waits.
  var hasGivenWay: Bool { state.withLock { $0.gaveWay != nil } }

  func take(_ control: RunControl) { state.withLock { $0.control = control } }

  /// Starts to listen to the other workers.
  func start() throws(Failure) {
    let duties = Heartbeat.Duties(
      answers: { [self] in control?.breakerCounters?.bytes ?? [] }, take: { [self] in take($0) },
      wait: { [self] in wait($0) }, wake: { [wake] in wake.call() })
    guard let heartbeat = Heartbeat.start(session, duties) else { throw .outOfThreads }
    state.withLock { $0.heartbeat = heartbeat }
  }

  /// Tells the other workers how it ended, and stops listening to them.
  func end() {
    let heartbeat = state.withLock { state in
      state.hasEnded = true
      return state.heartbeat
    }
    heartbeat?.stop()
    tellBreaker()
    state.withLock { $0 = State(hasEnded: true) }
  }

  private var control: RunControl? { state.withLock { $0.control } }

  private func take(_ beat: Beat) {
    // Those that wait for something to send need no connection.
    limit?.set(sharedConnections / (1 + beat.otherSenders))
    guard let control else { return }
    if beat.isStopped { return control.stop(.stopped(beat.stopCause)) }
    giveWay(beat, control)
    tellBreaker()
    let all = beat.answers.compactMap { Breaker.Counters($0) }
    if usesBreaker, all.count > 1, Breaker.Counters.trips(all) {
      let cause = "push after push was refused, counting all workers"
      _ = try? session.stopRun(cause: cause)
      control.stop(.stopped(cause))
    }
  }

  /// Takes no more once the turn is over. What was taken still goes out; but pushes that only wait,
  /// for the rate or for APNs to be asked again, are handed back.
  private func giveWay(_ beat: Beat, _ control: RunControl) {
    let now = clock.monotonic()
    guard turn?.isOver(beat, now: now) ?? false else { return }
    let since = state.withLock { state in
      let since = state.gaveWay ?? now
      state.gaveWay = since
      return since
    }
    if now - since >= WorkerTurn.length { control.stop(.stopped(nil)) }
  }

  /// Stops the other workers when this one's breaker has tripped.
  private func tellBreaker() {
    guard case .breaker(let response) = control?.cause else { return }
    let met = response.reason?.rawValue ?? "HTTP \(response.status)"
    _ = try? session.stopRun(cause: "push after push was answered with \(met)")
  }

  // MARK: Rate

  /// Waits, and meanwhile leases slots of the shared rate as they are used.
  private func wait(_ milliseconds: Int) {
    guard let slots else { return clock.wait(wake, milliseconds) }
    let end = clock.monotonic() + UInt64(milliseconds) * 1_000_000
    while case let now = clock.monotonic(), now < end, !state.withLock({ $0.hasEnded }) {
      let rest = Int((end - now + 999_999) / 1_000_000)
      if !leaseSlot(slots, now: now) { clock.wait(wake, min(Self.slotInterval, rest)) }
    }
  }

  /// - Returns: true when a slot was leased; there may be more.
  private func leaseSlot(_ slots: RateSlots, now: UInt64) -> Bool {
    guard let length = slots.wanted(now: now, workers: session.liveWorkers),
      let slot = try? session.leaseSlot(milliseconds: length)
    else { return false }
    slots.add(start: slot.start, length: slot.length)
    return true
  }
}

extension Settings {
  /// The number of connections for all workers of a run; nil if this worker has its own.
  var sharedConnections: Int? {
    guard let connections, case .fixed(let count) = connections.value else {
      return ConnectionCount.mostAutomatic
    }
    return connections.origin == .storedRun ? count : nil
  }
}
