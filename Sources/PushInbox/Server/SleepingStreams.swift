internal import CMicroHTTPD
internal import HTTP2
internal import POSIX
internal import Synchronization

/// The streams that have nothing to send. A thread wakes them when something has changed, and each at
/// the time it named.
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

  /// - Parameters:
  ///   - wake: for this object alone.
  ///   - ended: for this object alone.
  init(wake: Wake, ended: Wake) { (self.wake, self.ended) = (wake, ended) }

  /// Starts the thread; false when the system has none left.
  func start() -> Bool {
    Thread.start(stackSize: 256 * 1024) { [self] in
      while run() {}
      ended.call()
    }
  }

  /// How often something has changed so far.
  var changeCount: Int { changes.load(ordering: .acquiring) }

  /// Wakes every stream. Many calls are one while the thread is busy.
  func changed() {
    changes.add(1, ordering: .acquiringAndReleasing)
    if !hasChanged.exchange(true, ordering: .acquiringAndReleasing) { wake.call() }
  }

  /// Suspends a stream's connection. To be called where libmicrohttpd allows that.
  ///
  /// - Parameter count: the changes when the stream looked.
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
