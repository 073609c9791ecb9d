internal import Delivery
internal import HTTP2
internal import Synchronization

/// Runs that one signal ends together, and the waits between them.
final class StopGroup: Sendable {
  private struct State {
    var isStopped = false
    var controls: [RunControl] = []
    var sleepers: [Wake] = []
  }

  private let state = Mutex(State())

  /// Whether everything is to end.
  var isStopped: Bool { state.withLock { $0.isStopped } }

  /// Ends all runs, those that come later too, and all waits.
  func stop() {
    let (controls, sleepers) = state.withLock { state in
      state.isStopped = true
      return (state.controls, state.sleepers)
    }
    for control in controls { control.stop(.interrupted) }
    for sleeper in sleepers { sleeper.call() }
  }

  /// Lets the group end a run.
  func add(_ control: RunControl) {
    let isStopped = state.withLock { state in
      state.controls.append(control)
      return state.isStopped
    }
    if isStopped { control.stop(.interrupted) }
  }

  /// Waits so many milliseconds by a clock, or until the group is stopped.
  func pause(milliseconds: Int, _ clock: RunClock) {
    guard milliseconds > 0, let wake = Wake() else { return }
    let end = clock.monotonic() + UInt64(milliseconds) * 1_000_000
    state.withLock { $0.sleepers.append(wake) }
    while !isStopped, case let now = clock.monotonic(), now < end {
      clock.wait(wake, Int((end - now + 999_999) / 1_000_000))
    }
    state.withLock { state in state.sleepers.removeAll { $0 === wake } }
  }
}
