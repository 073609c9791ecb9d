import PushEmulator
import SendingSupport
import Synchronization
import TestSupport

/// A distant server that resets connections, at moments that a seed decides.
final class DistantDay: Sendable {
  private struct State {
    var lost: Set<Int> = []
    /// The connections that a device token was sent to over, in order.
    var ways: [Int: [Int]] = [:]
  }

  let distance: Distance
  /// How many streams a connection may have open.
  let streams: Int
  private let seed: UInt64
  private let pushes: Int
  /// One attempt in so many loses its connection.
  private let rarity: UInt64
  /// How long an answer takes, the distance aside.
  private let delay: Int
  private let state = Mutex(State())

  init(seed: UInt64, pushes: Int) {
    var random = SeededRandom(seed: seed)
    self.seed = seed
    self.pushes = pushes
    distance = Distance(
      roundTripMilliseconds: Int.random(in: 20...80, using: &random),
      bitsPerSecond: Int.random(in: 0..<3, using: &random) == 0 ? 20_000_000 : nil,
      stalls: Int.random(in: 0..<3, using: &random) == 0
        ? Distance.Stalls(everyMilliseconds: 900, milliseconds: 300) : nil)
    streams = [100, 250, 1000].randomElement(using: &random) ?? 100
    rarity = max(1, UInt64(pushes) / UInt64.random(in: 2...12, using: &random))
    delay = [0, 10, 30].randomElement(using: &random) ?? 0
  }

  /// What becomes of an attempt.
  func answer(_ attempt: Attempt) -> EmulatorAnswer? {
    let isFatal = isFatal(attempt)
    let connection = attempt.push.connection
    state.withLock { state in
      state.ways[attempt.token, default: []].append(connection)
      if isFatal { state.lost.insert(connection) }
    }
    if isFatal {
      return attempt.token % 2 == 0 ? .drop(.rst) : .processed(then: .drop(.rst))
    }
    return delay == 0 ? nil : .delay(milliseconds: delay, then: .accept)
  }

  /// One reset is certain. None comes before `auto` could open further connections.
  private func isFatal(_ attempt: Attempt) -> Bool {
    if attempt.push.number <= pushes / 3 { return false }
    let mark = UInt64(attempt.token) << 8 | UInt64(min(attempt.attempt, 255))
    var random = SeededRandom(seed: seed ^ mark &* 0x9E37_79B9)
    return attempt.push.number == pushes / 2 || random.next() % rarity == 0
  }

  /// How many connections were reset.
  var losses: Int { state.withLock { $0.lost.count } }

  /// How many pushes can have been in flight on these.
  var exposure: Int { losses * streams }

  /// The device tokens that were sent to again although the connection before was not reset.
  var sentAgainWithoutLoss: Set<String> {
    let state = state.withLock { $0 }
    let tokens = state.ways.filter { !state.lost.isSuperset(of: $1.dropLast()) }.keys
    return Set(tokens.map(tokenText))
  }
}
