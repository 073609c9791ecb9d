internal import APNS

/// Stops a run that fails for a reason which every push shares, or almost every push. A value.
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

  private var hasAccepted = false
  private var inARow = 0
  private var badTokens = Share(limit: 180, of: 200)
  private var outages = Share(limit: 950, of: 1000)

  /// Looks at an answer.
  ///
  /// - Returns: whether it is the one that should stop the run.
  mutating func answered(_ answer: Answer) -> Bool {
    let response = answer.response
    // When a provider token expires or a server leaves, this happens to all pushes in flight.
    if response.asksForAnotherConnection, !answer.isLast { return false }
    if response.isAccepted { hasAccepted = true }
    inARow = response.wouldMeetEveryPush ? inARow + 1 : 0
    badTokens.add(response.blamesDeviceToken)
    outages.add(response.isOfAnOutage)
    return inARow >= (hasAccepted ? Self.laterLimit : Self.firstLimit)
      || badTokens.isTooHigh || outages.isTooHigh
  }
}

/// How many of the last answers were of one kind.
private struct Share {
  private let limit: Int
  private var recent: [Bool]
  private var next = 0
  private var count = 0
  private var seen = 0

  /// - Parameter memory: how many answers count; with fewer than that, no share is too high.
  init(limit: Int, of memory: Int) {
    recent = [Bool](repeating: false, count: memory)
    self.limit = limit
  }

  var isTooHigh: Bool { count >= limit && seen >= recent.count }

  mutating func add(_ isOfTheKind: Bool) {
    if recent[next] { count -= 1 }
    if isOfTheKind { count += 1 }
    recent[next] = isOfTheKind
    next = (next + 1) % recent.count
    seen += 1
  }
}

extension Response {
  fileprivate var asksForAnotherConnection: Bool {
    retry == .newProviderToken || retry == .newConnection
  }

  fileprivate var blamesDeviceToken: Bool {
    reason == .badDeviceToken || reason == .deviceTokenNotForTopic
  }

  /// Whether it is a refusal that blames neither the device token nor what every push shares. Dead
  /// device tokens do not count: a whole list may consist of them.
  fileprivate var isOfAnOutage: Bool {
    switch retry {
    case .keepToken, .slowToken, .later, .newConnection: true
    case .never: status == .tooLarge
    case nil, .afterFix, .credentials, .newProviderToken: false
    }
  }
}
