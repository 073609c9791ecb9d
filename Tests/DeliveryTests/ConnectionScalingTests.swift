import PushModel
import Synchronization
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

  @Test(
    "All sixteen are there after ten round trips where threads do little", arguments: [80, 200])
  func soon(milliseconds: Int) {
    var line = Line(roundTrip: UInt64(milliseconds) * 1_000_000)
    line.idle = 0.88
    line.pass(seconds: 0.01 * Double(milliseconds))
    #expect(line.targets == [1, 16] && line.carrying == 16)
  }

  @Test(
    "The number grows by as much as the threads have time for",
    arguments: [(0.5, [1, 4, 16]), (0.6, [1, 5, 16]), (0.25, [1, 2, 5, 13, 16])])
  func idle(share: Double, targets: [Int]) {
    var line = Line()
    line.idle = share
    line.pass(seconds: 5)
    #expect(line.targets == targets)
  }

  @Test(
    "What is left fills every connection of a step", arguments: [(1999, 1), (2000, 2), (5600, 5)])
  func workForStep(pushes: Int, target: Int) {
    var line = Line(work: .init(pushes: pushes, isBacklogFull: true))
    line.idle = 0.9
    line.pass(seconds: 1)
    #expect(line.scaling.target == target)
  }

  @Test("Of a step that gains a little, no more than carries its gain is kept")
  func littleGain() {
    var line = Line(capacity: 30_000)
    line.idle = 0.9
    line.pass(seconds: 1.5)
    #expect(line.targets == [1, 16, 3])
    #expect(line.scaling.limit == .noGain)
    line.pass(seconds: 20)
    #expect(line.targets.prefix(7) == [1, 16, 3, 6, 3, 6, 3])
  }

  @Test("A pipe that pauses again and again delays no decision", arguments: [0.02, 0.05, 0.09])
  func pauses(seconds: Double) {
    var line = Line(capacity: 12_500)
    line.pass(until: 2)
    for _ in 0..<30 where line.scaling.target == 2 {
      line.pass(seconds: 0.1)
      line.pause(seconds: seconds)
    }
    #expect(line.targets == [1, 2, 1])
  }

  @Test("SETTINGS that change all the time delay no decision", arguments: [11_000, .infinity])
  func manySettings(capacity: Double) {
    var line = Line(capacity: capacity, window: 500)
    for round in 0..<40 {
      line.window = round.isMultiple(of: 2) ? 400 : 500
      line.pass(seconds: 0.03)
    }
    #expect(line.targets.prefix(4) == (capacity.isFinite ? [1, 2, 4, 2] : [1, 2, 4, 8]))
  }

  @Test("A step that brings less than a tenth is taken back, and tried again more and more rarely")
  func noGain() {
    var line = Line(capacity: 30_000)
    line.pass(seconds: 50)
    // After 1, 2, 4, 8 and 16 seconds.
    #expect(line.targets == [1, 2, 4] + Array(repeating: [8, 4], count: 6).joined())
    #expect(line.scaling.limit == .noGain)
    line.capacity = .infinity
    line.pass(seconds: 30)
    #expect(line.scaling.target == 16)
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
    line.answering = 4
    line.pass(seconds: 60)
    #expect(line.targets == [1, 2, 4, 8, 4, 8, 4])
    #expect(line.scaling.limit == .server)
  }

  @Test(
    "A pause decides nothing about a step that is being tried",
    arguments: [0, 0.1, 0.2, 0.25, 0.3, 0.35, 0.4])
  func pause(seconds: Double) {
    var line = Line()
    line.pass(until: 4)
    line.pass(seconds: seconds)
    line.pause(seconds: 60)
    line.pass(seconds: 5)
    #expect(line.targets == [1, 2, 4, 8, 16])
  }

  @Test("A pause in front of a step makes it look no better")
  func pauseBefore() {
    var line = Line(capacity: 12_500)
    line.pass(seconds: 0.4)
    line.pause(seconds: 10)
    line.pass(seconds: 5)
    #expect(line.targets.prefix(3) == [1, 2, 1])
  }

  @Test(
    "More streams on each connection are no merit of a new one",
    arguments: [(12_500.0, [1, 2, 1]), (.infinity, [1, 2, 4, 8, 16])])
  func settings(capacity: Double, targets: [Int]) {
    var line = Line(window: 100)
    line.pass(until: 2)
    line.pass(seconds: 0.28)
    (line.window, line.capacity) = (1000, capacity)
    line.pass(seconds: 10)
    #expect(Array(line.targets.prefix(targets.count)) == targets)
  }

  @Test("A run that ends before the number is found does not say that it was enough")
  func ended() {
    var line = Line()
    line.pass(seconds: 0.3)
    #expect(line.scaling.target == 1 && line.scaling.limit == .ended)
    line.pass(until: 4)
    #expect(line.scaling.limit == .ended)
    var short = Line(work: .init(pushes: 1999, isBacklogFull: true))
    short.pass(seconds: 0.3)
    #expect(short.scaling.limit == .enough)
  }

  @Test("There are never more than are allowed", arguments: [1, 3, 16])
  func limited(most: Int) {
    var line = Line()
    line.scaling.most = most
    line.pass(seconds: 5)
    #expect(line.targets == [1, 2, 4, 8, 16].filter { $0 < most } + [most])
    #expect(line.scaling.limit == .most)
  }

  @Test("When fewer are allowed, some are taken back; when more are, they come again")
  func limitChanges() {
    var line = Line()
    line.pass(seconds: 5)
    line.scaling.most = 5
    line.pass(seconds: 5)
    #expect(line.targets == [1, 2, 4, 8, 16, 5] && line.scaling.limit == .most)
    line.scaling.most = 16
    line.pass(seconds: 5)
    #expect(line.targets.suffix(3) == [5, 10, 16])
  }

  @Test("A step that is being tried is given up when it becomes too large")
  func limitDuringStep() {
    var line = Line(capacity: 12_500)
    line.pass(until: 2)
    line.scaling.most = 1
    line.pass(seconds: 5)
    #expect(line.targets == [1, 2, 1] && line.scaling.limit == .most)
  }

  @Test("Connections above a limit take no more recipients, before any of them reports")
  func limitAtOnce() {
    let limit = ConnectionLimit(16)
    let scaler = ConnectionScaler(.auto, limit: limit) { Line().work }
    var (now, count) = (UInt64(0), 1)
    let report = ConnectionScaling.Report(answers: 100, window: 1000, isFull: true)
    while count < 4, now < 60_000_000_000 {
      now += 8_000_000
      for index in 0..<count { count += scaler.take(report, from: index, now: now).count }
    }
    #expect(scaler.wants(3))
    limit.set(2)
    #expect(scaler.wants(1) && !scaler.wants(2))
    #expect(scaler.take(report, from: 0, now: now).isEmpty)
    limit.set(0)
    #expect(limit.value == 1 && scaler.wants(0) && !scaler.wants(1))
  }

  @Test("Reports may overtake each other on their way from the threads")
  func overtaking() {
    var scaling = ConnectionScaling(.auto)
    let second: UInt64 = 1_000_000_000
    func report(_ index: Int, _ answers: Int, now: UInt64) {
      let report = ConnectionScaling.Report(answers: answers, window: 100, isFull: true)
      scaling.take(report, from: index, now: now) { Line().work }
    }
    for (now, answers) in [(0, 0), (1, 100), (2, 100)] {
      report(0, answers, now: UInt64(now) * second)
    }
    #expect(scaling.target == 2)
    // The trial begins with the report of the one thread; the other's was read before it.
    report(1, 0, now: 3 * second)
    report(0, 1000, now: 3 * second - 1)
    report(1, 1000, now: 4 * second)
    #expect(scaling.target == 4)
    report(3, 100, now: 5 * second)
    report(2, 100, now: 5 * second - 1)
    #expect(scaling.target == 4)
  }

  @Test("A number that was given has no limit")
  func fixedUnlimited() {
    let scaler = ConnectionScaler(.fixed(4), limit: ConnectionLimit(1)) { Line().work }
    #expect(scaler.wants(3) && !scaler.wants(4))
  }

  @Test("Listeners hear of a lower limit alone")
  func lowered() {
    let limit = ConnectionLimit(8)
    let calls = Atomic(0)
    limit.whenLowered { calls.add(1, ordering: .relaxed) }
    for number in [8, 16, 4, 5, 5, 1] { limit.set(number) }
    #expect(calls.load(ordering: .relaxed) == 2)
  }

  @Test("A number that was given stays")
  func fixed() {
    var line = Line(scaling: ConnectionScaling(.fixed(3)))
    line.pass(seconds: 5)
    line.scaling.lost(now: line.now, isTooEager: true)
    #expect(line.targets == [3])
    #expect(line.scaling.limit == .given)
  }

  @Test(
    "A given number that the system does not allow is told, if all that it allows were in use",
    arguments: [(3, ConnectionFigures.Limit.system), (2, .given)])
  func tooFew(open: Int, limit: ConnectionFigures.Limit) {
    let scaler = ConnectionScaler(.fixed(4)) { .init(pushes: nil, isBacklogFull: true) }
    scaler.failedToStart(3, .system, now: 0)
    for _ in 0..<open { scaler.linked() }
    #expect(scaler.figures == ConnectionFigures(most: open, limit: limit))
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
  /// How many pushes a connection may have open.
  var window: Int
  /// How many of its answers ask to slow down.
  var troubles = 0.0
  var work = ConnectionScaling.Work(pushes: 1_000_000, isBacklogFull: true)
  /// How many connections get answers at all.
  var answering = Int.max
  /// The part of the time for which a thread waits.
  var idle = 0.0

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
      isFull: isFull, idleTime: idleTime)
  }
}
