internal import Delivery
package import HTTP2
internal import Synchronization

/// Cancels all runs of a command and the pauses between them.
package final class Cancellation: Sendable {
  private struct State {
    var isCancelled = false
    /// A worker has many runs, one after the other.
    var controls: [WeakControl] = []
    var sleepers: [Wake] = []
  }

  private struct WeakControl {
    weak var control: RunControl?
  }

  private let state = Mutex(State())

  package init() {}

  package var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Stops all runs, including those added later, and ends all pauses.
  package func cancel() {
    let (controls, sleepers) = state.withLock { state in
      state.isCancelled = true
      return (state.controls, state.sleepers)
    }
    for control in controls { control.control?.stop(.interrupted) }
    for sleeper in sleepers { sleeper.call() }
  }

  func add(_ control: RunControl) {
    let isCancelled = state.withLock { state in
      state.controls.removeAll { $0.control == nil }
      state.controls.append(WeakControl(control: control))
      return state.isCancelled
    }
    if isCancelled { control.stop(.interrupted) }
  }

  /// Waits for a time, or until cancelled.
  package func pause(milliseconds: Int, _ clock: RunClock) {
    guard milliseconds > 0, let wake = Wake() else { return }
    let end = clock.monotonic() + UInt64(milliseconds) * 1_000_000
    state.withLock { $0.sleepers.append(wake) }
    while !isCancelled, case let now = clock.monotonic(), now < end {
      clock.wait(wake, Int((end - now + 999_999) / 1_000_000))
    }
    state.withLock { state in state.sleepers.removeAll { $0 === wake } }
  }
}
