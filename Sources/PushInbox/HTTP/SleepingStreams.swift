internal import CMicroHTTPD
internal import HTTP2
internal import POSIX
internal import Synchronization

/// The streams that have nothing to send. A thread wakes all of them when something changes, and
/// each at the time it asked for.
final class SleepingStreams: Sendable {
  private struct State {
    var sleepers: [ObjectIdentifier: Sleeper] = [:]
    var isEnding = false
  }

  /// The connection is suspended; until `resume`, nothing else touches it.
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
  ///   - wake: for this object's exclusive use.
  ///   - ended: for this object's exclusive use.
  ///   - subscribe: calls its argument once, at the next change.
  init(
    wake: Wake, ended: Wake,
    subscribe: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
  ) { (self.wake, self.ended, self.subscribe) = (wake, ended, subscribe) }

  /// Starts the thread; false if the system cannot create one.
  func start() -> Bool {
    follow()
    return Thread.start(stackSize: 256 * 1024) { [self] in
      while run() {}
      ended.call()
    }
  }

  /// The number of times so far that streams had to look again.
  var changeCount: Int { changes.load(ordering: .acquiring) }

  /// Subscribes to the next change. Changes missed in between are found when streams look again.
  private func follow() {
    subscribe { [weak self] in
      guard let self else { return }
      hasChanged.store(true, ordering: .releasing)
      wake.call()
    }
    changes.add(1, ordering: .acquiringAndReleasing)
  }

  /// Suspends a stream's connection. Call this only where libmicrohttpd allows it.
  ///
  /// - Parameter count: the `changeCount` at the time the stream looked.
  /// - Returns: false if the stream has to look again, or to end.
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

  /// Streams have to end now.
  var isEnding: Bool { state.withLock(\.isEnding) }

  /// Wakes all streams for good, and returns when the thread has ended.
  func end() {
    let isFirst = state.withLock { state in
      defer { state.isEnding = true }
      return !state.isEnding
    }
    guard isFirst else { return }
    wake.call()
    ended.wait(milliseconds: nil)
  }

  /// Runs one round; false after the last.
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

  /// The milliseconds until a stream has to be woken; nil if none is waiting for a time.
  private var pause: Int? {
    state.withLock { $0.sleepers.values.map(\.until).min() }.map { Int(max(0, $0 - uptime())) }
  }
}

/// The time since an arbitrary start, in milliseconds.
func uptime() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
}
