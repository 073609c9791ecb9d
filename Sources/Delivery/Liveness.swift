/// Whether a connection on which nothing was heard for long can still be used. A value.
struct Liveness {
  /// What to do before the next push.
  enum Verdict: Equatable {
    /// Send it.
    case alive
    /// Send a PING, and wait for its answer.
    case ask
    /// The answer to the PING is still waited for.
    case wait
    /// There was none.
    case dead
  }

  /// How long a connection may be silent before it is asked, in nanoseconds.
  static let longestSilence: UInt64 = 60_000_000_000

  /// How long it may take to answer, in nanoseconds.
  static let patience: UInt64 = 5_000_000_000

  private var heardAt: UInt64
  private var asked: (at: UInt64, answeredBefore: Int)?

  init(now: UInt64) { heardAt = now }

  /// Whether a PING is out.
  var isAsking: Bool { asked != nil }

  /// Bytes came.
  mutating func heard(now: UInt64) { heardAt = now }

  /// - Parameter answeredPings: how many PINGs were answered in the connection's life.
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
