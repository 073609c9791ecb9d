internal import CMicroHTTPD
internal import HTTP2
internal import POSIX
internal import Synchronization

/// The streams that have nothing to send. A thread wakes them when something has changed, and each
/// at the time it named.
final class SleepingStreams: Sendable {
  private struct State {
    var sleepers: [ObjectIdentifier: Sleeper] = [:]
    var isEnding = false
  }

  /// The connection is suspended, and nothing but `resume` touches it until then.
  private struct Sleeper: @unchecked Sendable {
    let connection: OpaquePointer
    let until: Int64
  }

  private let state = Mutex(State())
  private let hasChanged = Atomic(false)
  private let changes = Atomic(0)
  private let wake: Wake
  private let ended: Wake
  private let subscribe: @Sendable (@escaping @Sendable () -> Void) -> Void

  /// - Parameters:
  ///   - wake: for this object alone.
  ///   - ended: for this object alone.
  ///   - subscribe: calls what it gets once, when something changes after that.
  init(
    wake: Wake, ended: Wake,
    subscribe: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
  ) { (self.wake, self.ended, self.subscribe) = (wake, ended, subscribe) }

  /// Starts the thread; false when the system has none left.
  func start() -> Bool {
    follow()
    return Thread.start(stackSize: 256 * 1024) { [self] in
      while run() {}
      ended.call()
    }
  }

  /// How often streams had to look again so far.
  var changeCount: Int { changes.load(ordering: .acquiring) }

  /// Waits for the next change. What came while nothing waited is found by looking again.
  private func follow() {
    subscribe { [weak self] in
      guard let self else { return }
      hasChanged.store(true, ordering: .releasing)
      wake.call()
    }
    changes.add(1, ordering: .acquiringAndReleasing)
  }

  /// Suspends a stream's connection. To be called where libmicrohttpd allows that.
  ///
  /// - Parameter count: the `changeCount` when the stream looked.
  /// - Returns: false when the stream has to look again, or to end.
  func suspend(
    _ stream: ObjectIdentifier, _ connection: OpaquePointer, until: Int64,
    unlessChangedSince count: Int
  ) -> Bool {
    let isSleeping = state.withLock { state in
      guard !state.isEnding, changeCount == count else { return false }
      MHD_suspend_connection(connection)
      state.sleepers[stream] = Sleeper(connection: connection, until: until)
      return true
    }
    if isSleeping { wake.call() }
    return isSleeping
  }

  /// Whether streams have to end now.
  var isEnding: Bool { state.withLock(\.isEnding) }

  /// Wakes all, so that none sleeps again, and returns when the thread has ended.
  func end() {
    let isFirst = state.withLock { state in
      defer { state.isEnding = true }
      return !state.isEnding
    }
    guard isFirst else { return }
    wake.call()
    ended.wait(milliseconds: nil)
  }

  /// One round; false after the last.
  private func run() -> Bool {
    wake.wait(milliseconds: pause)
    let isChanged = hasChanged.exchange(false, ordering: .acquiringAndReleasing)
    if isChanged { follow() }
    let now = uptime()
    return state.withLock { state in
      for (stream, sleeper) in state.sleepers
      where isChanged || state.isEnding || sleeper.until <= now {
        state.sleepers[stream] = nil
        MHD_resume_connection(sleeper.connection)
      }
      return !state.isEnding
    }
  }

  /// How long none has to be woken; nil for any time.
  private var pause: Int? {
    state.withLock { $0.sleepers.values.map(\.until).min() }.map { Int(max(0, $0 - uptime())) }
  }
}

/// The time since some start, in milliseconds.
func uptime() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
}
