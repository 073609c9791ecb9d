/// When to try a connection again, and when to give up. A value.
struct Reconnect {
  /// How often in a row a connection may fail before the first answer of the run came.
  private static let limitBeforeAnswer = 3
  /// The same after an answer came.
  private static let limitAfterAnswer = 10
  private static let firstDelayMilliseconds = 200
  private static let longestDelayMilliseconds = 60_000

  private var failures = 0
  private var hasAnswered = false

  /// An answer came over the connection: it is good.
  mutating func answered() {
    failures = 0
    hasAnswered = true
  }

  /// A connection could not be made, or ended without an answer.
  ///
  /// - Parameter jitter: 0 to 1, drawn at random.
  /// - Returns: how long to wait before the next try, in milliseconds; nil to give up.
  mutating func failed(jitter: Double) -> Int? {
    failures += 1
    guard failures < (hasAnswered ? Self.limitAfterAnswer : Self.limitBeforeAnswer) else {
      return nil
    }
    let doubled = Self.firstDelayMilliseconds << min(failures - 1, 20)
    let delay = Double(min(doubled, Self.longestDelayMilliseconds))
    return Int(delay * (0.5 + jitter / 2))
  }
}
