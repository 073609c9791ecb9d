internal import POSIX
internal import Synchronization

/// Handles SIGINT and SIGTERM, and SIGHUP on request, on a thread of its own. The first signal asks
/// for an orderly end, the second ends the process at once.
package final class Signals: Sendable {
  private struct State {
    var received: Int32?
    var isTaken = false
    var stop: @Sendable () -> Void = {}
    var last: @Sendable () -> Void = {}
  }

  private let state = Mutex(State())

  package init() {}

  /// The exit code of the signal that was received; nil when there was none.
  package var received: ExitCode? {
    switch state.withLock({ $0.received }) {
    case SIGINT: .interrupted
    case SIGTERM: .terminated
    case SIGHUP: .hungUp
    default: nil
    }
  }

  /// Calls `stop` on the first signal, or at once if it has already arrived. A later call replaces
  /// `stop`. A second signal ends the process, but not before `stop` has returned.
  ///
  /// Call it before other threads start, because they inherit the signal mask.
  ///
  /// - Parameters:
  ///   - hangUp: whether SIGHUP counts too, unless it is ignored. Only the first call decides that.
  ///   - last: what to say before the second signal ends the process, which waits half a second
  ///     for it at most.
  package func take(
    hangUp: Bool = false, last: @escaping @Sendable () -> Void = {},
    _ stop: @escaping @Sendable () -> Void
  ) {
    let (isFirst, isLate) = state.withLock { state in
      defer { state.isTaken = true }
      (state.stop, state.last) = (stop, last)
      return (!state.isTaken, state.received != nil)
    }
    if isFirst { listen(hangUp: hangUp) }
    if isLate { stop() }
  }

  /// Ends the process on the first signal, after `cleanUp`, as long as nothing has been sent. A
  /// later `take` replaces it.
  package func end(after cleanUp: @escaping @Sendable () -> Void) {
    take { [self] in
      cleanUp()
      _exit((received ?? .interrupted).rawValue)
    }
  }

  private func listen(hangUp: Bool) {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in [SIGINT, SIGTERM] { sigaddset(&set, signal) }
    if hangUp, !Self.ignoresHangUp { sigaddset(&set, SIGHUP) }
    pthread_sigmask(SIG_BLOCK, &set, nil)
    let isListening = Thread.start { [self, set] in
      let (first, start) = (Self.next(of: set), ContinuousClock.now)
      receive(first)
      end(128 + Self.second(of: set, after: first, at: start))
    }
    // Without the thread, a signal ends the process at once, as it does by default.
    if !isListening { pthread_sigmask(SIG_UNBLOCK, &set, nil) }
  }

  private func receive(_ signal: Int32) {
    let stop = state.withLock { state in
      state.received = signal
      return state.stop
    }
    stop()
    Thread.start {
      usleep(5_000_000)
      Output.hurry()
    }
  }

  /// Ends the process, even if its output is not read.
  private func end(_ code: Int32) -> Never {
    Thread.start {
      usleep(500_000)
      _exit(code)
    }
    state.withLock { $0.last }()
    _exit(code)
  }

  /// The process was started with nohup; `sigwait` would accept the signal all the same.
  private static var ignoresHangUp: Bool {
    let action = signal(SIGHUP, SIG_DFL)
    signal(SIGHUP, action)
    return unsafeBitCast(action, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Waits for a second signal. SIGTERM repeated within a second counts as one, because `timeout`
  /// sends it to the process and then to its group.
  private static func second(
    of signals: sigset_t, after first: Int32, at start: ContinuousClock.Instant
  ) -> Int32 {
    while true {
      let signal = next(of: signals)
      let isSame = signal == SIGTERM && first == SIGTERM
      if !isSame || ContinuousClock.now - start > .seconds(1) { return signal }
    }
  }

  private static func next(of signals: sigset_t) -> Int32 {
    var set = signals
    var signal: Int32 = 0
    while sigwait(&set, &signal) != 0 {}
    return signal
  }
}
