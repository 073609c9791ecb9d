/// Decides whether a connection can still be used after a long silence. A value.
struct Liveness {
  /// The action to take before the next push.
  enum Verdict: Equatable {
    /// Send the push.
    case alive
    /// Send a PING and wait for its answer.
    case ask
    /// Keep waiting for the answer to the PING.
    case wait
    /// Give up: no answer came.
    case dead
  }

  /// The longest silence before a PING is sent, in nanoseconds.
  static let longestSilence: UInt64 = 60_000_000_000

  /// The longest wait for its answer, in nanoseconds.
  static let patience: UInt64 = 5_000_000_000

  private var heardAt: UInt64
  private var asked: (at: UInt64, answeredBefore: Int)?

  init(now: UInt64) { heardAt = now }

  /// A PING is unanswered.
  var isAsking: Bool { asked != nil }

  /// Notes that bytes arrived.
  mutating func heard(now: UInt64) { heardAt = now }

  /// - Parameter answeredPings: the number of PINGs answered in the connection's life.
  mutating func judge(answeredPings: Int, now: UInt64) -> Verdict {
    if let asked {
      if answeredPings > asked.answeredBefore {
        self.asked = nil
        return .alive
      }
      return now - asked.at > Self.patience ? .dead : .wait
    }
    guard now - min(heardAt, now) > Self.longestSilence else { return .alive }
    asked = (now, answeredPings)
    return .ask
  }
}
