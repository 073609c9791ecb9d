internal import HTTP2
internal import Synchronization

/// Holds the reader back until the pushes it wants to pass on are claimed in the ledger.
final class ClaimGate: Sendable {
  private struct State {
    var wanted: UInt64 = 0
    var claimed: UInt64 = 0
    var isOpen = false
    var waiting: Wake?
  }

  private let state = Mutex(State())
  private let ledger: Wake

  /// - Parameter ledger: wakes the thread that makes the claims.
  init(ledger: Wake) { self.ledger = ledger }

  /// The highest push number that the reader has asked for.
  var wanted: UInt64 { state.withLock { $0.wanted } }

  /// Returns once pushes up to this number are claimed, or the gate is open.
  func pass(upTo sequence: UInt64, waitingOn wake: Wake) {
    var asked = false
    while !isClaimed(sequence, wake) {
      if !asked { ledger.call() }
      asked = true
      wake.wait(milliseconds: nil)
    }
  }

  private func isClaimed(_ sequence: UInt64, _ wake: Wake) -> Bool {
    state.withLock { state in
      if state.isOpen { return true }
      state.wanted = max(state.wanted, sequence)
      if state.claimed >= sequence { return true }
      state.waiting = wake
      return false
    }
  }

  /// Records that pushes up to this number are claimed.
  func claimed(upTo sequence: UInt64) { change { $0.claimed = max($0.claimed, sequence) } }

  /// Stops holding the reader back, because nothing more will be sent.
  func open() { change { $0.isOpen = true } }

  private func change(_ change: (inout sending State) -> Void) {
    let waiting = state.withLock { state -> Wake? in
      let (claimed, isOpen) = (state.claimed, state.isOpen)
      change(&state)
      guard state.claimed != claimed || state.isOpen != isOpen else { return nil }
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.call()
  }
}
