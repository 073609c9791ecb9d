import Delivery
import PushEmulator
import SendingSupport
import Synchronization

/// How many pushes were in flight when faults put them in doubt: the most that may arrive twice.
final class Exposure: Sendable {
  private struct State {
    var control: RunControl?
    var timeoutMilliseconds = 30_000
    var count = 0
    var answers = 0
  }

  private let state = Mutex(State())

  var count: Int { state.withLock { $0.count } }

  /// How many answers a script decided on, and did not leave to the emulator.
  var answers: Int { state.withLock { $0.answers } }

  /// From now on this run's pushes are in flight, each attempt for so long at most.
  func begin(_ control: RunControl, timeoutMilliseconds: Int) {
    state.withLock { state in
      state.control = control
      state.timeoutMilliseconds = timeoutMilliseconds
    }
  }

  /// So many more may arrive twice.
  func add(_ count: Int) { state.withLock { $0.count += count } }

  /// Counts what an answer puts in doubt.
  func note(_ answer: EmulatorAnswer) {
    switch answer {
    case .accept, .reject: break
    case .reset(let code): if code != ResetCode.refusedStream { add(1) }
    case .goAway(_, let next), .announce(_, let next), .processed(let next): note(next)
    case .delay(let milliseconds, let next):
      if outlastsTimeout(milliseconds) { add(1) } else { note(next) }
    case .freeze(let milliseconds, let next):
      if outlastsTimeout(milliseconds) { add(inFlight) } else { note(next) }
    case .drop: add(inFlight)
    case .custom(let answer): note(answer.aftermath)
    case .swallow: add(1)
    }
  }

  private func note(_ aftermath: CustomAnswer.Aftermath?) {
    switch aftermath {
    case .drop: add(inFlight)
    case .freeze(let milliseconds): if outlastsTimeout(milliseconds) { add(inFlight) }
    case .reset, nil: break
    }
  }

  /// Whether the client gives up before so much time has passed; nil is for ever.
  private func outlastsTimeout(_ milliseconds: Int?) -> Bool {
    guard let milliseconds else { return true }
    return milliseconds > state.withLock { $0.timeoutMilliseconds }
  }

  private var inFlight: Int { state.withLock { $0.control?.inFlight ?? 0 } }

  /// A script that is watched.
  func watching(
    _ script: @escaping @Sendable (Attempt) -> EmulatorAnswer?
  ) -> @Sendable (Attempt) -> EmulatorAnswer? {
    { [self] attempt in
      let answer = script(attempt)
      if let answer {
        state.withLock { $0.answers += 1 }
        note(answer)
      }
      return answer
    }
  }
}
