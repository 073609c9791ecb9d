/// Decides when to retry a connection and when to give up. A value.
struct Reconnect {
  /// The most consecutive failures of a connection before the run's first answer.
  private static let limitBeforeAnswer = 3
  /// The same limit after an answer came.
  private static let limitAfterAnswer = 10
  private static let firstDelayMilliseconds = 200
  private static let longestDelayMilliseconds = 60_000

  private var failures = 0
  private var failuresWithoutAnswer = 0
  private var answersSeen = 0

  /// Notes an answer over this connection that does not count against it.
  mutating func answered() {
    failures = 0
    failuresWithoutAnswer = 0
  }

  /// Notes that a connection could not be opened, or ended without such an answer.
  ///
  /// This connection does not give up while others of the run are answered: a server may accept
  /// fewer connections than it is offered.
  ///
  /// - Parameters:
  ///   - jitter: 0 to 1, drawn at random.
  ///   - answersOfRun: the number of such answers so far, over all connections.
  /// - Returns: the wait before the next try, in milliseconds; nil to give up.
  mutating func failed(jitter: Double, answersOfRun: Int) -> Int? {
    if answersOfRun != answersSeen { failuresWithoutAnswer = 0 }
    answersSeen = answersOfRun
    failures += 1
    failuresWithoutAnswer += 1
    let limit = answersOfRun > 0 ? Self.limitAfterAnswer : Self.limitBeforeAnswer
    return failuresWithoutAnswer < limit ? delay(jitter) : nil
  }

  private func delay(_ jitter: Double) -> Int {
    let doubled = Self.firstDelayMilliseconds << min(failures - 1, 20)
    let delay = Double(min(doubled, Self.longestDelayMilliseconds))
    return Int(delay * (0.5 + jitter / 2))
  }
}
