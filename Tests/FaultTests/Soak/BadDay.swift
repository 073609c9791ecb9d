import APNS
import PushEmulator
import SendingSupport
import TestSupport

/// A schedule of faults that a seed decides: the same faults for the same requests, whatever the
/// threads do.
struct BadDay: Sendable {
  /// What hits a whole connection, at every so many requests.
  private static let disasters: [EmulatorAnswer] =
    Drop.allCases.map { .drop($0) } + [
      .processed(then: .drop(.rst)),
      .goAway(.init(lastStream: .half), then: .accept),
      .goAway(.init(lastStream: .current, reason: .shutdown), then: .accept),
      .goAway(.init(lastStream: .exactly(0), noticeMilliseconds: 5), then: .accept),
      .goAway(.init(lastStream: .current, staysOpen: true), then: .accept),
      .announce(.init(maxConcurrentStreams: 1), then: .accept),
      .announce(.init(maxConcurrentStreams: 100), then: .accept),
      .announce(.init(maxConcurrentStreams: 1000), then: .accept),
      .announce(.init(initialWindowSize: 20), then: .accept),
      .announce(.init(initialWindowSize: 65_535), then: .accept),
      .freeze(milliseconds: 30, then: .accept),
    ]

  /// What hits one push.
  private static let mishaps: [EmulatorAnswer] = [
    .reset(code: ResetCode.refusedStream), .reset(code: ResetCode.internalError),
    .processed(then: .reset(code: ResetCode.cancel)), .processed(then: .swallow), .swallow,
    .delay(milliseconds: 5, then: .accept), .delay(milliseconds: 2500, then: .accept),
    .reject(.tooManyRequests), .reject(.serviceUnavailable), .reject(.internalServerError),
    .reject(.shutdown), .reject(.idleTimeout),
    .custom(.init(interim: [103], trailers: [], aftermath: .reset(code: ResetCode.noError))),
    .custom(.init(apnsID: .missing)), .custom(.init(status: .init(rawValue: 520))),
  ]

  let seed: UInt64
  /// How many requests lie between two disasters: more than are in flight, so that no push meets
  /// more of them than it is sent again.
  private let gap: Int
  /// One push in so many has a mishap.
  private let rarity: UInt64
  /// How many connections the run has.
  let connections: Int
  /// At which request the provider token expires; nil when it does not.
  let expiry: Int?

  init(seed: UInt64, pushes: Int) {
    var random = SeededRandom(seed: seed)
    self.seed = seed
    gap = Int.random(in: 1200...6000, using: &random)
    rarity = UInt64.random(in: 100...1000, using: &random)
    connections = Int.random(in: 1...3, using: &random)
    expiry = Bool.random(using: &random) ? Int.random(in: 100...pushes, using: &random) : nil
  }

  /// What becomes of an attempt. Nobody is hit more than three times.
  func answer(_ attempt: Attempt) -> EmulatorAnswer? {
    var random = SeededRandom(seed: seed &* 0x1_0001 &+ UInt64(attempt.push.number))
    if attempt.push.number % gap == 0 { return Self.disasters.randomElement(using: &random) }
    if isDead(attempt.token) { return .reject(.unregistered, timestamp: 1_700_000_000_000) }
    let mark = UInt64(attempt.token) << 8 | UInt64(min(attempt.attempt, 255))
    random = SeededRandom(seed: seed ^ mark &* 0x9E37_79B9)
    guard attempt.attempt <= 3, random.next() % rarity == 0 else { return nil }
    return Self.mishaps.randomElement(using: &random)
  }

  /// Whether a device token gets a 410, each time.
  private func isDead(_ token: Int) -> Bool {
    var random = SeededRandom(seed: ~seed ^ UInt64(token))
    return random.next() % 500 == 0
  }
}
