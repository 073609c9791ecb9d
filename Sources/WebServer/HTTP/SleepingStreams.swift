internal import CMicroHTTPD
internal import HTTP2
internal import POSIX
internal import Synchronization

/// Work on a response that waits while its connection is suspended. In that time only
/// `SleepingStreams` uses it.
protocol Sleeper: AnyObject {
  /// The client has gone, so the rest is not needed.
  var isAbandoned: Bool { get set }
}

/// The responses that have nothing to send yet. A thread wakes those that follow changes when
/// something changes, each at the time it asked for, and any whose client has gone. The same thread
/// ends connections whose heads do not come.
final class SleepingStreams: Sendable {
  private struct State {
    var sleepers: [ObjectIdentifier: Sleep] = [:]
    var isEnding = false
  }

  /// The connection is suspended; until it is resumed, nothing else touches it.
  private struct Sleep: @unchecked Sendable {
    let sleeper: any Sleeper
    let connection: OpaquePointer
    let socket: Int32
    let until: Int64
    let followsChanges: Bool
  }

  private let state = Mutex(State())
  private let hasChanged = Atomic(false)
  private let changes = Atomic(0)
  private let wake: Wake
  private let ended: Wake
  private let heads: HeadWatch
  private let subscribe: @Sendable (@escaping @Sendable () -> Void) -> Void

  /// - Parameters:
  ///   - wake: for this object's exclusive use.
  ///   - ended: for this object's exclusive use.
  ///   - heads: calls `wake` when it has a deadline.
  ///   - subscribe: calls its argument once, at the next change.
  init(
    wake: Wake, ended: Wake, heads: HeadWatch,
    subscribe: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
  ) { (self.wake, self.ended, self.heads, self.subscribe) = (wake, ended, heads, subscribe) }

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

  /// Suspends a stream's connection until a time or a change. Call this only where libmicrohttpd
  /// allows it.
  ///
  /// - Parameter count: the `changeCount` at the time the stream looked.
  /// - Returns: false if the stream has to look again, or to end.
  func suspend(
    _ stream: any Sleeper, _ connection: OpaquePointer, until: Int64,
    unlessChangedSince count: Int
  ) -> Bool {
    suspend(stream, connection, until: until, followsChanges: true) { changeCount == count }
  }

  /// Suspends a connection until `resume`. Call this only where libmicrohttpd allows it.
  ///
  /// - Returns: false if the response has to end.
  func suspend(_ sleeper: any Sleeper, _ connection: OpaquePointer) -> Bool {
    suspend(sleeper, connection, until: .max, followsChanges: false) { true }
  }

  private func suspend(
    _ sleeper: any Sleeper, _ connection: OpaquePointer, until: Int64, followsChanges: Bool,
    if isNeeded: () -> Bool
  ) -> Bool {
    let sleep = Sleep(
      sleeper: sleeper, connection: connection, socket: fanfare_http_socket(connection),
      until: until, followsChanges: followsChanges)
    let isSleeping = state.withLock { state in
      guard !state.isEnding, isNeeded() else { return false }
      MHD_suspend_connection(connection)
      state.sleepers[ObjectIdentifier(sleep.sleeper)] = sleep
      return true
    }
    if isSleeping { wake.call() }
    return isSleeping
  }

  /// Wakes one, if it still sleeps.
  func resume(_ sleeper: any Sleeper) {
    state.withLock { state in
      let sleep = state.sleepers.removeValue(forKey: ObjectIdentifier(sleeper))
      if let sleep { MHD_resume_connection(sleep.connection) }
    }
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
    let gone = waitForSomething()
    heads.endOverdue()
    let isChanged = hasChanged.exchange(false, ordering: .acquiringAndReleasing)
    if isChanged { follow() }
    let now = uptime()
    return state.withLock { state in
      for (id, sleep) in state.sleepers {
        let isGone = gone.contains { $0 === sleep.sleeper }
        guard isGone || state.isEnding || sleep.until <= now || isChanged && sleep.followsChanges
        else { continue }
        if isGone { sleep.sleeper.isAbandoned = true }
        state.sleepers[id] = nil
        MHD_resume_connection(sleep.connection)
      }
      return !state.isEnding
    }
  }

  /// Waits for a call, a time, or the end of a client. libmicrohttpd does not look at suspended
  /// connections.
  ///
  /// - Returns: the sleepers whose clients have gone.
  private func waitForSomething() -> [any Sleeper] {
    let sleeps = state.withLock { Array($0.sleepers.values) }
    let deadline = (sleeps.map(\.until) + [heads.deadline].compactMap(\.self)).min()
    let pause = deadline.map { Int32(clamping: max(0, $0 - uptime())) } ?? -1
    let sockets = sleeps.map {
      pollfd(fd: $0.socket, events: fanfare_http_hang_up(), revents: 0)
    }
    var polled = [pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0)] + sockets
    poll(&polled, nfds_t(polled.count), pause)
    if polled[0].revents != 0 { wake.clear() }
    return zip(sleeps, polled.dropFirst()).filter { $1.revents != 0 }.map { $0.0.sleeper }
  }
}

/// The time since an arbitrary start, in milliseconds.
package func uptime() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
}
