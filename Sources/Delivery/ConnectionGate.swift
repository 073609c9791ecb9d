internal import HTTP2
internal import Synchronization

/// Lets one connection of a run go ahead, at the start and after each pause that an answer asked
/// for. The others follow once it has an answer, so a failure common to all happens only once. If
/// it runs out of work before that, another goes ahead.
final class ConnectionGate: Sendable {
  private struct State {
    var isOver = false
    /// The connection that goes ahead; nil when the next one to ask will.
    var leader: Int? = 0
    var waiting: [Wake] = []
  }

  private let state = Mutex(State())

  /// Decides whether a connection may open a link now; otherwise calls the wake when to ask again.
  func admits(_ index: Int, orWake wake: Wake) -> Bool {
    state.withLock { state in
      let leader = state.leader ?? index
      state.leader = leader
      if state.isOver || leader == index { return true }
      state.waiting.append(wake)
      return false
    }
  }

  /// Starts over after a pause: the first connection to ask goes ahead.
  func begin() { change { ($0.isOver, $0.leader) = (false, nil) } }

  /// Notes that a connection had an answer. If it went ahead, the others follow.
  func end(by index: Int) { change { if $0.leader == index { $0.isOver = true } } }

  /// Notes that a connection has nothing to send now. If it went ahead, another one does.
  func leave(_ index: Int) { change { if $0.leader == index { $0.leader = nil } } }

  private func change(_ change: (inout sending State) -> Void) {
    let waiting = state.withLock { state -> [Wake] in
      let before = (state.isOver, state.leader)
      change(&state)
      if before == (state.isOver, state.leader) { return [] }
      defer { state.waiting.removeAll() }
      return state.waiting
    }
    for wake in waiting { wake.call() }
  }
}
