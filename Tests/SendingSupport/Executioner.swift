import PushEmulator
import Synchronization
package import TestSupport

/// Sends a program a signal when a request of a given number arrives at the emulator: a moment of
/// the run, not of the clock.
package final class Executioner: Sendable {
  private struct State {
    var program: Program?
    var signal: Int32 = 0
    /// How many requests are still to come.
    var countdown = 0
    var hasStruck = false
  }

  private let state = Mutex(State())

  package init() {}

  /// Starts a program that gets a signal at its nth request. A request that is quicker than the
  /// start waits for it.
  package func start(
    _ signal: Int32, atRequest number: Int, _ start: () throws -> Program
  ) throws -> Program {
    try state.withLock { state in
      let program = try start()
      state = State(program: program, signal: signal, countdown: number)
      return program
    }
  }

  /// Whether the program that was started last got its signal.
  package var hasStruck: Bool { state.withLock { $0.hasStruck } }

  /// To be called at each request.
  package func noteRequest() {
    state.withLock { state in
      state.countdown -= 1
      guard state.countdown == 0, let program = state.program else { return }
      program.send(state.signal)
      state.hasStruck = true
    }
  }
}
