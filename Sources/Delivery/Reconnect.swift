/// When to try a connection again, and when to give up. A value.
struct Reconnect {
  /// How often in a row a connection may fail before the first answer of the run came.
  private static let limitBeforeAnswer = 3
  /// The same after an answer came.
  private static let limitAfterAnswer = 10
  private static let firstDelayMilliseconds = 200
  private static let longestDelayMilliseconds = 60_000

  private var failures = 0
  private var failuresWithoutAnswer = 0
  private var answersSeen = 0

  /// An answer came over this connection that says nothing against it.
  mutating func answered() {
    failures = 0
    failuresWithoutAnswer = 0
  }

  /// A connection could not be made, or ended without such an answer.
  ///
  /// As long as other connections of the run are answered, this one does not give up: a server may
  /// take fewer connections than it is offered.
  ///
  /// - Parameters:
  ///   - jitter: 0 to 1, drawn at random.
  ///   - answersOfRun: how many such answers came so far, over all connections.
  /// - Returns: how long to wait before the next try, in milliseconds; nil to give up.
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
