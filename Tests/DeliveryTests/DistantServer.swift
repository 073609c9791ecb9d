import PushModel

@testable import Delivery

/// A server at a distance, with as many connections as there should be: each has answers after three
/// round trips.
struct DistantServer {
  var scaling = ConnectionScaling(.auto)
  var roundTrip: UInt64 = 80_000_000
  /// Pushes per second over all connections.
  var capacity = Double.infinity
  var isFull = true
  /// How many pushes a connection may have open.
  var window: Int
  /// How many of its answers ask to slow down.
  var troubles = 0.0
  var work = ConnectionScaling.Work(pushes: 1_000_000, isBacklogFull: true)
  /// How many connections get answers at all.
  var answering = Int.max
  /// The part of the time for which a thread waits.
  var idle = 0.0
  /// The time of the quickest answers, in nanoseconds; nil tells the scaling of none.
  var quickest: UInt64?

  private(set) var now: UInt64 = 0
  /// Each number of connections that there was, in order.
  private(set) var targets: [Int] = []
  private var since: [UInt64] = []

  /// How many connections have answers.
  var carrying: Int { since.count { now >= $0 + 3 * roundTrip } }

  init(
    scaling: ConnectionScaling = ConnectionScaling(.auto), roundTrip: UInt64 = 80_000_000,
    capacity: Double = .infinity, isFull: Bool = true, troubles: Double = 0,
    work: ConnectionScaling.Work = .init(pushes: 1_000_000, isBacklogFull: true),
    answering: Int = .max, window: Int = 1000
  ) {
    self.window = window
    (self.scaling, self.roundTrip, self.capacity) = (scaling, roundTrip, capacity)
    (self.isFull, self.troubles, self.work, self.answering) = (isFull, troubles, work, answering)
  }

  mutating func pass(seconds: Double) {
    let end = now + UInt64(seconds * 1e9)
    while now < end { tick() }
  }

  /// Has nothing to send for so long.
  mutating func pause(seconds: Double) {
    isFull = false
    tick()
    now += UInt64(seconds * 1e9)
    isFull = true
  }

  /// Lets time pass until there should be so many, for two minutes at most.
  mutating func pass(until target: Int) {
    let end = now + 120_000_000_000
    while now < end, scaling.target != target { tick() }
  }

  /// A tenth of a round trip.
  private mutating func tick() {
    now += roundTrip / 10
    if targets.last != scaling.target { targets.append(scaling.target) }
    for index in since.indices where index >= scaling.target { scaling.retired(index) }
    since = since.prefix(scaling.target) + []
    while since.count < scaling.target { since.append(now) }
    let most = capacity * Double(roundTrip) / 10 / 1e9 / Double(since.count)
    for (index, since) in since.enumerated() {
      scaling.take(
        report(of: index, since, Int(min(Double(window) / 10, most))), from: index, now: now
      ) { work }
    }
    if targets.last != scaling.target { targets.append(scaling.target) }
  }

  private func report(of index: Int, _ since: UInt64, _ answers: Int) -> ConnectionScaling.Report {
    let idleTime = UInt64(idle * Double(roundTrip) / 10)
    guard index < answering, now >= since + 3 * roundTrip else {
      return .init(isFull: isFull, idleTime: idleTime)
    }
    return .init(
      answers: answers, troubles: Int((Double(answers) * troubles).rounded(.up)), window: window,
      isFull: isFull, idleTime: idleTime, quickest: quickest ?? .max)
  }
}
