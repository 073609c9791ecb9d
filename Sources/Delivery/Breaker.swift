internal import APNS

/// Stops a run that fails for a reason which every push shares. A value.
struct Breaker {
  /// An answer, and whether it is the last word on its push.
  struct Answer {
    var response: Response
    var isLast = true
  }

  /// How many answers in a row with a shared reason stop a run in which nothing was accepted yet.
  private static let firstLimit = 3
  /// The same for a run in which something was accepted.
  private static let laterLimit = 20
  /// How many answers the share of bad device tokens is taken of.
  private static let memory = 200
  /// So many of them are too many.
  private static let waveLimit = 180

  private var hasAccepted = false
  private var inARow = 0
  private var recent = [Bool](repeating: false, count: memory)
  private var next = 0
  private var wave = 0
  private var seen = 0

  /// Looks at an answer.
  ///
  /// - Returns: whether it is the one that should stop the run.
  mutating func answered(_ answer: Answer) -> Bool {
    let response = answer.response
    // The many pushes in flight when a provider token expires are no sign of trouble.
    if response.retry == .newProviderToken, !answer.isLast { return false }
    let blamesToken =
      response.reason == .badDeviceToken || response.reason == .deviceTokenNotForTopic
    remember(blamesToken)
    if response.isAccepted { hasAccepted = true }
    inARow = response.wouldMeetEveryPush ? inARow + 1 : 0
    return inARow >= (hasAccepted ? Self.laterLimit : Self.firstLimit)
      || (seen >= Self.memory && wave >= Self.waveLimit)
  }

  private mutating func remember(_ blamesToken: Bool) {
    if recent[next] { wave -= 1 }
    if blamesToken { wave += 1 }
    recent[next] = blamesToken
    next = (next + 1) % Self.memory
    seen += 1
  }
}
