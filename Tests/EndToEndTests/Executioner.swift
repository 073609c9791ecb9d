import Foundation
import PushEmulator
import Synchronization
import TestSupport

/// Sends a program a signal when a request of a given number arrives at the emulator: a moment of
/// the run, not of the clock.
final class Executioner: Sendable {
  private struct State {
    var program: Program?
    var signal: Int32 = 0
    /// How many requests are still to come.
    var countdown = 0
  }

  private let state = Mutex(State())
  private let started = DispatchSemaphore(value: 0)

  /// Starts a program that gets a signal at its nth request.
  func start(
    _ signal: Int32, atRequest number: Int, _ start: () throws -> Program
  ) rethrows -> Program {
    state.withLock { $0 = State(signal: signal, countdown: number) }
    let program = try start()
    state.withLock { $0.program = program }
    started.signal()
    return program
  }

  /// To be called at each request.
  ///
  /// - Returns: whether it was the one.
  func noteRequest() -> Bool {
    let isDue = state.withLock { state in
      state.countdown -= 1
      return state.countdown == 0
    }
    if isDue {
      // The first request may be quicker than the test.
      started.wait()
      state.withLock { $0.program?.send($0.signal) }
    }
    return isDue
  }
}
