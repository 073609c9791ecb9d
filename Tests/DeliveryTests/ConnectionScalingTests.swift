import APNS
import PushModel
import Synchronization
import Testing

@testable import Delivery

@Suite("How many connections there are")
struct ConnectionScalingTests {
  @Test("The number doubles while each connection carries as much as the first")
  func doubles() {
    var line = DistantServer()
    line.pass(seconds: 5)
    #expect(line.targets == [1, 2, 4, 8, 16])
    #expect(line.scaling.limit == .most)
  }

  @Test(
    "All sixteen are there after ten round trips where threads do little", arguments: [80, 200])
  func soon(milliseconds: Int) {
    var line = DistantServer(roundTrip: UInt64(milliseconds) * 1_000_000)
    line.idle = 0.88
    line.pass(seconds: 0.01 * Double(milliseconds))
    #expect(line.targets == [1, 16] && line.carrying == 16)
  }

  @Test(
    "The number grows by as much as the threads have time for",
    arguments: [(0.5, [1, 4, 16]), (0.6, [1, 5, 16]), (0.25, [1, 2, 5, 13, 16])])
  func idle(share: Double, targets: [Int]) {
    var line = DistantServer()
    line.idle = share
    line.pass(seconds: 5)
    #expect(line.targets == targets)
  }

  @Test(
    "What is left fills every connection of a step", arguments: [(1999, 1), (2000, 2), (5600, 5)])
  func workForStep(pushes: Int, target: Int) {
    var line = DistantServer(work: .init(pushes: pushes, isBacklogFull: true))
    line.idle = 0.9
    line.pass(seconds: 1)
    #expect(line.scaling.target == target)
  }

  @Test("Of a step that gains a little, no more than carries its gain is kept")
  func littleGain() {
    var line = DistantServer(capacity: 30_000)
    line.idle = 0.9
    line.pass(seconds: 1.5)
    #expect(line.targets == [1, 16, 3])
    #expect(line.scaling.limit == .noGain)
    line.pass(seconds: 300)
    #expect(line.targets == [1, 16, 3])
    // Three carry only a quarter more than the server took.
    line.capacity = .infinity
    line.pass(seconds: 10)
    #expect(line.scaling.target == 16)
  }

  @Test("A step that made it worse is no reason to try it again")
  func worse() {
    var line = DistantServer(capacity: 12_500)
    line.pass(until: 2)
    line.capacity = 8_000
    line.pass(until: 1)
    line.capacity = 12_500
    line.pass(seconds: 300)
    #expect(line.targets == [1, 2, 1])
  }

  @Test("The quickest acceptance counts, whatever else its answer says")
  func quickest() {
    var report = ConnectionScaling.Report()
    report.count(Response(status: .accepted, uniqueID: "a"), after: 7)
    report.count(Response(status: .gone), after: 5)
    report.count(Response(status: .accepted), after: 9)
    #expect(report.quickest == 7 && report.answers == 3 && report.troubles == 0)
  }

  @Test(
    "Where answers come the later, the more are in flight, the number just doubles, and not for long",
    arguments: [(1, 1), (1, 5), (5, 20), (20, 70)])
  func busy(milliseconds: UInt64, seconds: Double) {
    // 28,000 pushes a second: an answer takes 36 ms once a thousand are in flight.
    var line = DistantServer(roundTrip: milliseconds * 1_000_000, capacity: 28_000)
    (line.idle, line.quickest) = (0.9, line.roundTrip)
    line.pass(seconds: seconds)
    #expect(line.targets == [1, 2, 1])
    #expect(line.scaling.limit == .noGain)
  }

  @Test("Answers that take as long whatever is in flight tell of distance", arguments: [80, 200])
  func distant(milliseconds: UInt64) {
    var line = DistantServer(roundTrip: milliseconds * 1_000_000)
    (line.idle, line.quickest) = (0.9, line.roundTrip)
    line.pass(seconds: 0.01 * Double(milliseconds))
    #expect(line.targets == [1, 16])
  }

  @Test("A pipe that pauses again and again delays no decision", arguments: [0.02, 0.05, 0.09])
  func pauses(seconds: Double) {
    var line = DistantServer(capacity: 12_500)
    line.pass(until: 2)
    for _ in 0..<30 where line.scaling.target == 2 {
      line.pass(seconds: 0.1)
      line.pause(seconds: seconds)
    }
    #expect(line.targets == [1, 2, 1])
  }

  @Test("SETTINGS that change all the time delay no decision", arguments: [11_000, .infinity])
  func manySettings(capacity: Double) {
    var line = DistantServer(capacity: capacity, window: 500)
    for round in 0..<40 {
      line.window = round.isMultiple(of: 2) ? 400 : 500
      line.pass(seconds: 0.03)
    }
    #expect(line.targets.prefix(4) == (capacity.isFinite ? [1, 2, 4, 2] : [1, 2, 4, 8]))
  }

  @Test(
    "A step that brings less than a tenth is taken back, and tried again once the rate has changed")
  func noGain() {
    var line = DistantServer(capacity: 30_000)
    line.pass(seconds: 300)
    #expect(line.targets == [1, 2, 4, 8, 4])
    #expect(line.scaling.limit == .noGain)
    line.capacity = .infinity
    line.pass(seconds: 30)
    #expect(line.scaling.target == 16)
  }

  @Test("It is not tried again within a minute, whatever has changed")
  func rest() {
    var line = DistantServer(capacity: 30_000)
    line.pass(until: 8)
    line.pass(until: 4)
    line.capacity = .infinity
    line.pass(seconds: 59)
    #expect(line.scaling.target == 4)
    line.pass(seconds: 10)
    #expect(line.scaling.target > 4)
  }

  @Test("Nothing is added for what two round trips carry anyhow", arguments: [1000, 1999])
  func littleWork(pushes: Int) {
    var line = DistantServer(work: .init(pushes: pushes, isBacklogFull: true))
    line.pass(seconds: 5)
    #expect(line.targets == [1])
    #expect(line.scaling.limit == .enough)
  }

  @Test("Of a pipe only a full backlog is known", arguments: [(true, 16), (false, 1)])
  func pipe(isBacklogFull: Bool, target: Int) {
    var line = DistantServer(work: .init(pushes: nil, isBacklogFull: isBacklogFull))
    line.pass(seconds: 5)
    #expect(line.scaling.target == target)
  }

  @Test("Nothing is added while the windows have room, as --rate keeps them")
  func room() {
    var line = DistantServer(isFull: false)
    line.pass(seconds: 5)
    #expect(line.targets == [1])
    line.isFull = true
    line.pass(seconds: 5)
    #expect(line.scaling.target == 16)
  }

  @Test("Nothing is added while more than one answer in a hundred asks to slow down")
  func slowedDown() {
    var line = DistantServer(troubles: 0.02)
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
    var line = DistantServer()
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
    var line = DistantServer()
    line.pass(seconds: 5)
    for half in [8, 4, 2, 1, 1] {
      line.scaling.lost(now: line.now, isTooEager: true)
      #expect(line.scaling.target == half)
    }
  }

  @Test("Connections that do not prove good within half a minute are given up")
  func silent() {
    var line = DistantServer(answering: 1)
    line.pass(seconds: 32)
    #expect(line.targets == [1, 2, 1])
    #expect(line.scaling.limit == .server)
  }

  @Test("After a rest nothing is measured before a link has proven good")
  func unproven() {
    var scaling = ConnectionScaling(.auto)
    func report(_ answers: Int, window: Int = 1000, milliseconds: UInt64) {
      let report = ConnectionScaling.Report(
        answers: answers, window: window, isFull: window > 0)
      scaling.take(report, from: 0, now: milliseconds * 1_000_000) { DistantServer().work }
    }
    scaling.lost(now: 0)
    report(0, window: 0, milliseconds: 60_000)
    report(1, milliseconds: 60_001)
    report(0, milliseconds: 60_100)
    #expect(scaling.target == 1)
    report(1000, milliseconds: 60_200)
    #expect(scaling.target == 2)
  }

  @Test("Without descriptors or threads for a step there are as many as before")
  func system() {
    var line = DistantServer()
    line.pass(until: 4)
    line.scaling.failedToStart(2, .system, now: line.now)
    #expect(line.scaling.target == 2)
    #expect(line.scaling.limit == .system)
  }

  @Test("One that cannot be replaced is not tried again and again")
  func replacement() {
    var line = DistantServer()
    line.pass(seconds: 5)
    line.scaling.failedToStart(5, .system, now: line.now)
    #expect(line.scaling.target == 5)
    #expect(line.scaling.limit == .system)
  }

  @Test("A connection that was retired has to prove good again")
  func retired() {
    var line = DistantServer(capacity: 30_000)
    line.pass(until: 8)
    line.pass(until: 4)
    (line.answering, line.capacity) = (4, .infinity)
    line.pass(seconds: 95)
    #expect(line.targets == [1, 2, 4, 8, 4, 8, 4])
    #expect(line.scaling.limit == .server)
  }

  @Test(
    "A pause decides nothing about a step that is being tried",
    arguments: [0, 0.1, 0.2, 0.25, 0.3, 0.35, 0.4])
  func pause(seconds: Double) {
    var line = DistantServer()
    line.pass(until: 4)
    line.pass(seconds: seconds)
    line.pause(seconds: 60)
    line.pass(seconds: 5)
    #expect(line.targets == [1, 2, 4, 8, 16])
  }

  @Test("A pause in front of a step makes it look no better")
  func pauseBefore() {
    var line = DistantServer(capacity: 12_500)
    line.pass(seconds: 0.4)
    line.pause(seconds: 10)
    line.pass(seconds: 5)
    #expect(line.targets.prefix(3) == [1, 2, 1])
  }

  @Test(
    "More streams on each connection are no merit of a new one",
    arguments: [(12_500.0, [1, 2, 1]), (.infinity, [1, 2, 4, 8, 16])])
  func settings(capacity: Double, targets: [Int]) {
    var line = DistantServer(window: 100)
    line.pass(until: 2)
    line.pass(seconds: 0.28)
    (line.window, line.capacity) = (1000, capacity)
    line.pass(seconds: 10)
    #expect(Array(line.targets.prefix(targets.count)) == targets)
  }

  @Test("A run that ends before the number is found does not say that it was enough")
  func ended() {
    var line = DistantServer()
    line.pass(seconds: 0.3)
    #expect(line.scaling.target == 1 && line.scaling.limit == .ended)
    line.pass(until: 4)
    #expect(line.scaling.limit == .ended)
    var short = DistantServer(work: .init(pushes: 1999, isBacklogFull: true))
    short.pass(seconds: 0.3)
    #expect(short.scaling.limit == .enough)
  }

  @Test("There are never more than are allowed", arguments: [1, 3, 16])
  func limited(most: Int) {
    var line = DistantServer()
    line.scaling.most = most
    line.pass(seconds: 5)
    #expect(line.targets == [1, 2, 4, 8, 16].filter { $0 < most } + [most])
    #expect(line.scaling.limit == .most)
  }

  @Test("When fewer are allowed, some are taken back; when more are, they come again")
  func limitChanges() {
    var line = DistantServer()
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
    var line = DistantServer(capacity: 12_500)
    line.pass(until: 2)
    line.scaling.most = 1
    line.pass(seconds: 5)
    #expect(line.targets == [1, 2, 1] && line.scaling.limit == .most)
  }

  @Test("Connections above a limit take no more recipients, before any of them reports")
  func limitAtOnce() {
    let limit = ConnectionLimit(16)
    let scaler = ConnectionScaler(.auto, limit: limit) { DistantServer().work }
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
      scaling.take(report, from: index, now: now) { DistantServer().work }
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
    let scaler = ConnectionScaler(.fixed(4), limit: ConnectionLimit(1)) { DistantServer().work }
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
    var line = DistantServer(scaling: ConnectionScaling(.fixed(3)))
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
