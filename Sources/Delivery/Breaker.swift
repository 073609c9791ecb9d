internal import APNS

/// Stops a run that fails for a reason which every push shares, or almost every push. A value.
package struct Breaker {
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
  private var badTokens = Share(of: Limits.badTokens.memory)
  private var outages = Share(of: Limits.outages.memory)

  /// What it knows, without the answers.
  package var counters: Counters {
    Counters(
      hasAccepted: hasAccepted, inARow: inARow, badTokens: badTokens.counter,
      outages: outages.counter)
  }

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
    return counters.trips
  }
}

extension Breaker {
  /// What breakers know, of one worker or of several: a few bytes that workers can tell each other.
  package struct Counters: Sendable, Hashable {
    /// How many of the last answers were of one kind.
    struct Share: Hashable {
      var count = 0
      /// How many answers these are.
      var seen = 0

      static func + (one: Share, other: Share) -> Share {
        Share(count: one.count + other.count, seen: one.seen + other.seen)
      }
    }

    var hasAccepted = false
    var inARow = 0
    var badTokens = Share()
    var outages = Share()

    /// Whether they stop a run together: the limits of one breaker, for the answers of all.
    package static func trips(_ all: [Counters]) -> Bool {
      all.reduce(Counters()) { sum, one in
        Counters(
          hasAccepted: sum.hasAccepted || one.hasAccepted, inARow: sum.inARow + one.inARow,
          badTokens: sum.badTokens + one.badTokens, outages: sum.outages + one.outages)
      }.trips
    }

    fileprivate var trips: Bool {
      inARow >= (hasAccepted ? Breaker.laterLimit : Breaker.firstLimit)
        || Limits.badTokens.areExceeded(by: badTokens) || Limits.outages.areExceeded(by: outages)
    }
  }

  /// When a share is too high: `count` of `memory` answers. With fewer answers none is.
  private struct Limits {
    static let badTokens = Limits(count: 180, memory: 200)
    static let outages = Limits(count: 950, memory: 1000)

    let count: Int
    let memory: Int

    func areExceeded(by share: Counters.Share) -> Bool {
      share.seen >= memory && share.count * memory >= count * share.seen
    }
  }

  /// How many of the last answers were of one kind.
  private struct Share {
    private var recent: [Bool]
    private var next = 0
    private(set) var counter = Counters.Share()

    /// - Parameter memory: how many answers count.
    init(of memory: Int) { recent = [Bool](repeating: false, count: memory) }

    mutating func add(_ isOfTheKind: Bool) {
      if recent[next] { counter.count -= 1 }
      if isOfTheKind { counter.count += 1 }
      recent[next] = isOfTheKind
      next = (next + 1) % recent.count
      counter.seen = min(counter.seen + 1, recent.count)
    }
  }
}

extension Breaker.Counters {
  /// As they are stored: a byte for whether anything was accepted, then five numbers of two bytes each,
  /// the higher byte first.
  package var bytes: [UInt8] {
    [hasAccepted ? 1 : 0]
      + [inARow, badTokens.count, badTokens.seen, outages.count, outages.seen].flatMap { number in
        let number = UInt16(clamping: number)
        return [UInt8(number >> 8), UInt8(truncatingIfNeeded: number)]
      }
  }

  /// Reads them back; nil for anything that no breaker wrote.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == 11, bytes[0] <= 1 else { return nil }
    func number(_ index: Int) -> Int { Int(bytes[2 * index + 1]) << 8 | Int(bytes[2 * index + 2]) }
    hasAccepted = bytes[0] == 1
    inARow = number(0)
    badTokens = Share(count: number(1), seen: number(2))
    outages = Share(count: number(3), seen: number(4))
    guard Breaker.mayKnow(badTokens, outages) else { return nil }
  }
}

extension Breaker {
  fileprivate static func mayKnow(_ badTokens: Counters.Share, _ outages: Counters.Share) -> Bool {
    badTokens.count <= badTokens.seen && badTokens.seen <= Limits.badTokens.memory
      && outages.count <= outages.seen && outages.seen <= Limits.outages.memory
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
