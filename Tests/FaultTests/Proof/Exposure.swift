import PushCore
import PushEmulator
import Synchronization

@testable import SendingSupport

/// How many pushes were in flight when faults put them in doubt: the most that may arrive twice.
final class Exposure: Sendable {
  private struct State {
    var control: RunControl?
    var count = 0
  }

  private let state = Mutex(State())

  var count: Int { state.withLock { $0.count } }

  /// From now on this run's pushes are in flight.
  func begin(_ control: RunControl) { state.withLock { $0.control = control } }

  /// So many more may arrive twice.
  func add(_ count: Int) { state.withLock { $0.count += count } }

  /// Counts what an answer puts in doubt.
  func note(_ answer: EmulatorAnswer) {
    switch answer {
    case .accept, .reject: break
    case .reset(let code): if code != ResetCode.refusedStream { add(1) }
    case .goAway(_, let next), .announce(_, let next), .processed(let next): note(next)
    case .delay(_, let next):
      add(1)
      note(next)
    case .drop, .freeze: add(inFlight)
    case .custom(let answer):
      switch answer.aftermath {
      case .drop, .freeze: add(inFlight)
      case .reset, nil: break
      }
    case .swallow: add(1)
    }
  }

  private var inFlight: Int { state.withLock { $0.control?.inFlight ?? 0 } }

  /// A script that is watched.
  func watching(
    _ script: @escaping @Sendable (Attempt) -> EmulatorAnswer?
  ) -> @Sendable (Attempt) -> EmulatorAnswer? {
    { [self] attempt in
      let answer = script(attempt)
      if let answer { note(answer) }
      return answer
    }
  }
}

/// Error codes of RFC 9113 section 7.
enum ResetCode {
  static let noError: UInt32 = 0
  static let internalError: UInt32 = 2
  static let refusedStream: UInt32 = 7
  static let cancel: UInt32 = 8
  static let enhanceYourCalm: UInt32 = 11
}
