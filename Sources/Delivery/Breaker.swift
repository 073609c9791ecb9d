package import APNS
package import PushModel

/// Stops a run when all or nearly all of its pushes fail for the same reason. A value.
package struct Breaker {
  /// An answer, and whether it is the last one for its push.
  package struct Answer {
    package var response: Response
    package var isLast = true
    /// The number of pushes that got it one after the other.
    package var count = 1
    /// The chunk of the push, for a run whose answers another judges; nil for any other.
    package var chunk: PushChunk?
  }

  /// The number of consecutive shared failures that stop a run before anything was accepted, or when
  /// the credentials are refused.
  private static let firstLimit = 3
  /// The same limit for other failures once something was accepted.
  private static let laterLimit = 20

  /// A push was accepted, and the credentials have not been refused since: what they could do
  /// before a key was revoked says nothing about now.
  private var hasAccepted = false
  private var inARow = 0
  private var badTokens = Share(of: Limits.badTokens.memory)
  private var outages = Share(of: Limits.outages.memory)

  /// Creates a breaker that has seen no answer.
  package init() {}

  /// The counts so far, without the answers.
  package var counters: Counters {
    Counters(
      hasAccepted: hasAccepted, inARow: inARow, badTokens: badTokens.counter,
      outages: outages.counter)
  }

  /// Takes an answer into account.
  ///
  /// - Returns: whether this answer should stop the run.
  package mutating func answered(_ answer: Answer) -> Bool {
    let response = answer.response
    // An expired provider token or a closing server affects every push in flight.
    if response.asksForAnotherConnection, !answer.isLast { return false }
    if response.isAccepted { hasAccepted = true }
    if response.refusesCredentials { hasAccepted = false }
    let isShared = response.wouldMeetEveryPush
    let (isOfToken, isOfOutage) = (response.blamesDeviceToken, response.isOfAnOutage)
    for _ in 0..<answer.count {
      inARow = isShared ? inARow + 1 : 0
      badTokens.add(isOfToken)
      outages.add(isOfOutage)
      if counters.trips { return true }
    }
    return false
  }
}

extension [Breaker.Answer] {
  /// Adds the acceptance of a push. Those that follow one another are one answer.
  ///
  /// - Parameter chunk: the chunk of the push, for a run whose answers another judges.
  mutating func addAccepted(of chunk: PushChunk?) {
    if let place = indices.last, self[place].response.isAccepted, self[place].chunk === chunk {
      self[place].count += 1
    } else {
      append(Breaker.Answer(response: Response(status: .accepted), chunk: chunk))
    }
  }
}

extension Breaker {
  /// The counts of one or more breakers, small enough for workers to share.
  package struct Counters: Sendable, Hashable {
    /// The number of recent answers of one kind.
    struct Share: Hashable {
      var count = 0
      /// The number of recent answers of any kind.
      var seen = 0

      static func + (one: Share, other: Share) -> Share {
        Share(count: one.count + other.count, seen: one.seen + other.seen)
      }
    }

    var hasAccepted = false
    var inARow = 0
    var badTokens = Share()
    var outages = Share()

    /// Checks the combined counts of several breakers against the limits of one.
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

  /// A limit on a share: `count` of `memory` answers. It applies only once `memory` answers came.
  private struct Limits {
    static let badTokens = Limits(count: 180, memory: 200)
    static let outages = Limits(count: 950, memory: 1000)

    let count: Int
    let memory: Int

    func areExceeded(by share: Counters.Share) -> Bool {
      share.seen >= memory && share.count * memory >= count * share.seen
    }
  }

  /// Tracks how many of the most recent answers were of one kind.
  private struct Share {
    private var recent: [Bool]
    private var next = 0
    private(set) var counter = Counters.Share()

    /// - Parameter memory: the number of answers to remember.
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
  /// The stored form: one byte for whether anything was accepted, then five big-endian two-byte
  /// numbers.
  package var bytes: [UInt8] {
    [hasAccepted ? 1 : 0]
      + [inARow, badTokens.count, badTokens.seen, outages.count, outages.seen].flatMap { number in
        let number = UInt16(clamping: number)
        return [UInt8(number >> 8), UInt8(truncatingIfNeeded: number)]
      }
  }

  /// Reads the stored form; nil for bytes that no breaker wrote.
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

  /// The answer is about the device token: another one says nothing of it.
  package var blamesDeviceToken: Bool {
    reason == .badDeviceToken || reason == .deviceTokenNotForTopic
  }

  /// A refusal caused neither by the device token nor by something all pushes share. Dead device
  /// tokens do not count: a whole list may consist of them.
  fileprivate var isOfAnOutage: Bool {
    switch retry {
    case .keepToken, .slowToken, .later, .newConnection: true
    case .never: status == .tooLarge
    case nil, .afterFix, .credentials, .newProviderToken: false
    }
  }
}
