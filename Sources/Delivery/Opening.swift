internal import HTTP2
internal import Synchronization

/// Lets the first connection of a run go ahead. The others follow once an answer has shown that
/// server and credentials are good, or when the first one is gone: so what every connection would
/// meet is met once.
final class Opening: Sendable {
  private struct State {
    var isOver = false
    var waiting: [Wake] = []
  }

  private let state = Mutex(State())

  /// Lets the others follow.
  func end() {
    let waiting = state.withLock { state in
      state.isOver = true
      defer { state.waiting.removeAll() }
      return state.waiting
    }
    for wake in waiting { wake.call() }
  }

  /// Whether the others may follow; the wake is called when they may.
  func isOver(orWake wake: Wake) -> Bool {
    state.withLock { state in
      if !state.isOver { state.waiting.append(wake) }
      return state.isOver
    }
  }
}
