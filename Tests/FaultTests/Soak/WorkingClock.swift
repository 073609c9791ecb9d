import HTTP2
import Synchronization

/// A clock that slows down while a server is at work: an attempt is given up because nobody answers it,
/// and not because the machine has too much to do. How many are given up for that nobody could foretell.
final class WorkingClock: Sendable {
  private struct State {
    var last: UInt64
    var workedAt: UInt64
    var time: UInt64
  }

  /// How long after a request the server counts as at work, in nanoseconds.
  private static let rest: UInt64 = 500_000_000
  /// How much slower time passes meanwhile.
  private static let slowness: UInt64 = 10

  private let base: RunClock
  private let state: Mutex<State>

  init(_ base: RunClock) {
    let now = base.monotonic()
    self.base = base
    state = Mutex(State(last: now, workedAt: now, time: now))
  }

  var clock: RunClock {
    var clock = base
    clock.monotonic = { [self] in state.withLock { advance(&$0) } }
    return clock
  }

  /// The server has got a request.
  func noteWork() {
    state.withLock { state in
      _ = advance(&state)
      state.workedAt = state.last
    }
  }

  private func advance(_ state: inout State) -> UInt64 {
    let now = max(base.monotonic(), state.last)
    let busy = min(now, max(state.last, state.workedAt + Self.rest)) - state.last
    state.time += (now - state.last - busy) + busy / Self.slowness
    state.last = now
    return state.time
  }
}
