import PushModel
import Testing

@testable import Delivery

@Suite("How many connections there are")
struct ConnectionScalingTests {
  @Test("The number doubles while each connection carries as much as the first")
  func doubles() {
    var line = Line()
    line.pass(seconds: 5)
    #expect(line.targets == [1, 2, 4, 8, 16])
    #expect(line.scaling.limit == .most)
  }

  @Test("All sixteen are there after forty round trips", arguments: [20, 80, 200])
  func soon(milliseconds: Int) {
    var line = Line(roundTrip: UInt64(milliseconds) * 1_000_000)
    line.pass(seconds: 0.04 * Double(milliseconds))
    #expect(line.scaling.target == 16)
  }

  @Test("A step that brings less than a tenth is taken back, and tried again after a minute")
  func noGain() {
    var line = Line(capacity: 30_000)
    line.pass(seconds: 50)
    #expect(line.targets == [1, 2, 4, 8, 4])
    #expect(line.scaling.limit == .noGain)
    line.capacity = .infinity
    line.pass(seconds: 30)
    #expect(line.targets == [1, 2, 4, 8, 4, 8, 16])
  }

  @Test("Nothing is added for what two round trips carry anyhow", arguments: [1000, 1999])
  func littleWork(pushes: Int) {
    var line = Line(work: .init(pushes: pushes, isBacklogFull: true))
    line.pass(seconds: 5)
    #expect(line.targets == [1])
    #expect(line.scaling.limit == .enough)
  }

  @Test("Of a pipe only a full backlog is known", arguments: [(true, 16), (false, 1)])
  func pipe(isBacklogFull: Bool, target: Int) {
    var line = Line(work: .init(pushes: nil, isBacklogFull: isBacklogFull))
    line.pass(seconds: 5)
    #expect(line.scaling.target == target)
  }

  @Test("Nothing is added while the windows have room, as --rate keeps them")
  func room() {
    var line = Line(isFull: false)
    line.pass(seconds: 5)
    #expect(line.targets == [1])
    line.isFull = true
    line.pass(seconds: 5)
    #expect(line.scaling.target == 16)
  }

  @Test("Nothing is added while more than one answer in a hundred asks to slow down")
  func slowedDown() {
    var line = Line(troubles: 0.02)
    line.pass(seconds: 5)
    #expect(line.targets == [1])
    #expect(line.scaling.limit == .server)
    line.troubles = 0.005
    line.pass(seconds: 62)
    #expect(line.scaling.target == 16)
  }

  @Test(
    "A lost connection takes back the step that is being tried, and ends the growth for a minute")
  func lost() {
    var line = Line()
    line.pass(until: 4)
    line.scaling.lost(now: line.now)
    line.pass(seconds: 50)
    #expect(line.targets == [1, 2, 4, 2])
    #expect(line.scaling.limit == .server)
    line.pass(seconds: 12)
    #expect(line.scaling.target > 2)
  }

  @Test("ENHANCE_YOUR_CALM halves the number, and never ends the last connection")
  func tooEager() {
    var line = Line()
    line.pass(seconds: 5)
    for half in [8, 4, 2, 1, 1] {
      line.scaling.lost(now: line.now, isTooEager: true)
      #expect(line.scaling.target == half)
    }
  }

  @Test("Connections that do not prove good within half a minute are given up")
  func silent() {
    var line = Line(answering: 1)
    line.pass(seconds: 32)
    #expect(line.targets == [1, 2, 1])
    #expect(line.scaling.limit == .server)
  }

  @Test("Without descriptors or threads for a step there are as many as before")
  func system() {
    var line = Line()
    line.pass(until: 4)
    line.scaling.failedToStart(2, .system, now: line.now)
    #expect(line.scaling.target == 2)
    #expect(line.scaling.limit == .system)
  }

  @Test("One that cannot be replaced is not tried again and again")
  func replacement() {
    var line = Line()
    line.pass(seconds: 5)
    line.scaling.failedToStart(5, .system, now: line.now)
    #expect(line.scaling.target == 5)
    #expect(line.scaling.limit == .system)
  }

  @Test("A connection that was retired has to prove good again")
  func retired() {
    var line = Line(capacity: 30_000)
    line.pass(until: 8)
    line.pass(until: 4)
    for index in 4..<8 { line.scaling.retired(index) }
    line.answering = 4
    line.pass(seconds: 100)
    #expect(line.targets == [1, 2, 4, 8, 4, 8, 4])
    #expect(line.scaling.limit == .server)
  }

  @Test("A number that was given stays")
  func fixed() {
    var line = Line(scaling: ConnectionScaling(.fixed(3)))
    line.pass(seconds: 5)
    line.scaling.lost(now: line.now, isTooEager: true)
    #expect(line.targets == [3])
    #expect(line.scaling.limit == .given)
  }
}

/// A server at a distance, with as many connections as there should be: each has answers after three
/// round trips.
private struct Line {
  var scaling = ConnectionScaling(.auto)
  var roundTrip: UInt64 = 80_000_000
  /// Pushes per second over all connections.
  var capacity = Double.infinity
  var isFull = true
  /// How many of its answers ask to slow down.
  var troubles = 0.0
  var work = ConnectionScaling.Work(pushes: 1_000_000, isBacklogFull: true)
  /// How many connections get answers at all.
  var answering = Int.max

  private(set) var now: UInt64 = 0
  /// Each number of connections that there was, in order.
  private(set) var targets: [Int] = []
  private var since: [UInt64] = []

  init(
    scaling: ConnectionScaling = ConnectionScaling(.auto), roundTrip: UInt64 = 80_000_000,
    capacity: Double = .infinity, isFull: Bool = true, troubles: Double = 0,
    work: ConnectionScaling.Work = .init(pushes: 1_000_000, isBacklogFull: true),
    answering: Int = .max
  ) {
    (self.scaling, self.roundTrip, self.capacity) = (scaling, roundTrip, capacity)
    (self.isFull, self.troubles, self.work, self.answering) = (isFull, troubles, work, answering)
  }

  mutating func pass(seconds: Double) {
    let end = now + UInt64(seconds * 1e9)
    while now < end { tick() }
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
    since = since.prefix(scaling.target) + []
    while since.count < scaling.target { since.append(now) }
    let most = capacity * Double(roundTrip) / 10 / 1e9 / Double(since.count)
    for (index, since) in since.enumerated() {
      scaling.take(report(of: index, since, Int(min(100, most))), from: index, now: now) { work }
    }
    if targets.last != scaling.target { targets.append(scaling.target) }
  }

  private func report(of index: Int, _ since: UInt64, _ answers: Int) -> ConnectionScaling.Report {
    guard index < answering, now >= since + 3 * roundTrip else { return .init(isFull: isFull) }
    return .init(
      answers: answers, troubles: Int((Double(answers) * troubles).rounded(.up)), window: 1000,
      isFull: isFull)
  }
}
