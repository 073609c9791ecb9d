/// Judges a connection by what it leaves unanswered. A value of events and times, in nanoseconds.
///
/// A push without an answer says little about its connection: it may be the only one. That nothing
/// else was answered meanwhile says more, unless it is a push that was silent elsewhere before.
struct Silence {
  /// What to do about the connection.
  enum Verdict: Equatable {
    /// Nothing.
    case wait
    /// Ask with a PING whether the server is there.
    case ask
    /// Nothing was answered for a whole time-out, while pushes waited: it takes no new ones.
    case giveUp
  }

  /// The longest wait for the answer to the first push before others are tried as well.
  private static let longestShare: UInt64 = 2_000_000_000

  private let timeout: UInt64
  /// The number of pushes in flight that were never silent before.
  private var waiting = 0
  /// The time since when such pushes have waited without any answer.
  private var since: UInt64?
  private var hasAsked = false
  private var nextProbe: UInt64?
  /// It takes no new pushes.
  private(set) var isGivenUp = false

  /// - Parameter timeout: the time to wait for an answer, in nanoseconds.
  init(timeout: UInt64) { self.timeout = timeout }

  /// A push was sent.
  ///
  /// - Parameter wasSilent: it got no answer in time before.
  mutating func sent(wasSilent: Bool, now: UInt64) {
    if !wasSilent { waiting += 1 }
    if nextProbe == nil { nextProbe = now + share }
  }

  /// A push ended, with or without an answer.
  mutating func ended(wasSilent: Bool, isAnswered: Bool) {
    if !wasSilent { waiting -= 1 }
    if isAnswered { (since, hasAsked, nextProbe) = (nil, false, nil) }
  }

  /// Judges the connection now.
  ///
  /// - Parameter isShut: nothing is in flight, because the server allows nothing.
  mutating func judge(isShut: Bool, now: UInt64) -> Verdict {
    guard waiting > 0 || isShut else {
      (since, hasAsked) = (nil, false)
      return .wait
    }
    let start = since ?? now
    since = start
    if now - start > timeout { isGivenUp = true }
    if now - start > timeout / 2, !hasAsked {
      hasAsked = true
      return .ask
    }
    return isGivenUp ? .giveUp : .wait
  }

  /// Checks whether another push has to find out if the server answers: once for each share of the
  /// time-out without an answer.
  mutating func isProbeDue(now: UInt64) -> Bool {
    guard let due = nextProbe, now >= due else { return false }
    nextProbe = now + share
    return true
  }

  private var share: UInt64 { min(timeout / 4, Self.longestShare) }
}
