internal import PushModel

/// How many connections a run should have. A value: it is told what happens and when, and knows no
/// clock and no socket.
///
/// In each round trip a connection carries a window of pushes at most. When all windows are full and
/// enough is left to send, the number doubles. A step that brings less than a tenth more is taken back.
/// What is measured while there was a pause, or while windows changed, decides nothing.
struct ConnectionScaling {
  /// What a connection reports.
  struct Report {
    /// How many answers came since the last report.
    var answers = 0
    /// How many of them, and of the requests without an answer, ask to slow down.
    var troubles = 0
    /// How many pushes it may have open at once; 0 until its link has proven good.
    var window = 0
    /// Whether that many are open.
    var isFull = false
  }

  /// What is left to send.
  struct Work {
    /// How many pushes; nil when that is unknown, as when a pipe is read.
    var pushes: Int?
    /// Whether more of them wait than connections will take soon.
    var isBacklogFull: Bool

    /// What the reader has still to hand on, and what of that waits.
    ///
    /// - Parameter plan: what was left to do of a run that is resumed; nil for a new one.
    static func left(
      _ reading: ReadingProgress, _ plan: ResumePlan?, waiting: (size: Int, isFull: Bool)
    ) -> Work {
      let unread = reading.hasEnded ? 0 : reading.total(plan).map { $0.count - reading.handedOn }
      return Work(
        pushes: unread.map { max(0, $0) + waiting.size }, isBacklogFull: waiting.isFull)
    }

    fileprivate func isWorth(_ windows: Int) -> Bool {
      pushes.map { $0 >= 2 * windows } ?? isBacklogFull
    }
  }

  /// A rate is measured for at least this long, in nanoseconds.
  private static let shortestTrial: UInt64 = 100_000_000
  /// New connections have this long to prove good, in nanoseconds.
  private static let longestOpening: UInt64 = 30_000_000_000
  /// How long nothing is tried after the server was in trouble, in nanoseconds.
  private static let rest: UInt64 = 60_000_000_000
  /// How long after a step that gained little; each further one in succession doubles it, up to ``rest``.
  /// One trial may have been bad luck.
  private static let shortRest: UInt64 = 1_000_000_000
  /// Room for this long is a pause, in which no connection can prove good, in nanoseconds.
  private static let shortestPause: UInt64 = 1_000_000_000

  private struct Mark {
    var time: UInt64
    var answers: Int
    var roomTime: UInt64
  }

  private enum Phase {
    case opening(since: UInt64)
    /// What was sent before does not count: at first only the windows fill.
    case filling(until: Int)
    case measuring(Mark)
    case resting(until: UInt64)
  }

  /// How many connections there should be.
  private(set) var target: Int
  /// What keeps the number from growing.
  private(set) var limit: ConnectionFigures.Limit

  /// The most that there may be; it may change at any time.
  var most = ConnectionCount.mostAutomatic

  private let isFixed: Bool
  private var reports: [Report] = []
  /// Since when connections have had room; nil for those whose window is full.
  private var roomSince: [UInt64?] = []
  /// How long windows had room in all, in nanoseconds: `--rate` or a pipe had nothing for them, or an
  /// answer had asked to wait.
  private var roomTime: UInt64 = 0
  private var answers = 0
  private var troubles = 0
  /// The answers and troubles that a trial was judged by already.
  private var judged = (answers: 0, troubles: 0)
  private var phase = Phase.opening(since: 0)
  /// The step that is being tried: how many connections there were, and what they carried for each
  /// push that one connection may have open.
  private var step: (from: Int, rate: Double)?
  /// How many steps in succession gained little.
  private var futileSteps: UInt64 = 0

  init(_ count: ConnectionCount) {
    target = count.atStart
    isFixed = count != .auto
    limit = isFixed ? .given : .enough
  }

  /// A connection reports.
  mutating func take(_ report: Report, from index: Int, now: UInt64, work: () -> Work) {
    if isFixed { return }
    while reports.count <= index {
      (reports, roomSince) = (reports + [Report()], roomSince + [nil])
    }
    let hasNewWindow = index < target && report.window != reports[index].window
    reports[index] = report
    answers += report.answers
    troubles += report.troubles
    if target > most { takeBackExcess(work) }
    if index < target { noteRoom(index, now) }
    switch phase {
    case .filling, .measuring: if hasNewWindow { beginTrial(work) }
    case .opening, .resting: break
    }
    advance(now, work)
  }

  private mutating func noteRoom(_ index: Int, _ now: UInt64) {
    let time = roomSince[index].map { now - $0 } ?? 0
    roomTime += time
    if case .opening = phase, time >= Self.shortestPause { phase = .opening(since: now) }
    roomSince[index] = reports[index].isFull ? nil : now
  }

  /// A connection has ended because it was not wanted any more.
  mutating func retired(_ index: Int) {
    if reports.indices.contains(index) { (reports[index], roomSince[index]) = (Report(), nil) }
  }

  /// The server said goodbye, or left a connection before it answered anything.
  mutating func lost(now: UInt64, isTooEager: Bool = false) {
    if isFixed { return }
    takeBack(.server, now)
    if isTooEager { target = max(1, target / 2) }
  }

  /// A connection that should be there cannot be: the server does not take it, or there are no
  /// threads or file descriptors for it.
  mutating func failedToStart(_ index: Int, _ cause: ConnectionFigures.Limit, now: UInt64) {
    if isFixed {
      limit = cause
      return
    }
    takeBack(cause, now)
    // One that replaces a retired one belongs to no step, and would be tried again at once.
    target = min(target, max(1, index))
  }

  private mutating func advance(_ now: UInt64, _ work: () -> Work) {
    switch phase {
    case .opening(let since):
      if areAll({ $0.window > 0 }) {
        beginTrial(work)
      } else if step != nil, now > since + Self.longestOpening {
        takeBack(.server, now)
      }
    case .filling(let end):
      if answers >= end { phase = .measuring(mark(now)) }
    case .measuring(let start):
      if answers - start.answers >= windows, now >= start.time + Self.shortestTrial {
        judge(since: start, now, work)
      }
    case .resting(let end):
      guard now >= end else { return }
      judged = (answers, troubles)
      beginTrial(work)
    }
  }

  /// What was measured before does not count.
  private mutating func beginTrial(_ work: () -> Work) {
    phase = .filling(until: answers + windows)
    if limit == .enough || limit == .ended {
      limit = step != nil || isWorthMore(work) ? .ended : .enough
    }
  }

  private mutating func judge(since start: Mark, _ now: UInt64, _ work: () -> Work) {
    if (troubles - judged.troubles) * 100 > answers - judged.answers {
      return takeBack(.server, now)
    }
    judged = (answers, troubles)
    phase = .measuring(mark(now))
    guard areAll({ $0.window > 0 }) else { return }
    let window = Double(windows) / Double(target)
    let rate = Double(answers - start.answers) / Double(now - start.time) / window
    if let step, rate < step.rate * 1.1 {
      // With room in the windows it was not the number of connections that decided.
      if wereFull(since: start, now) { takeBack(.noGain, now) }
      return
    }
    if step != nil { (step, futileSteps) = (nil, 0) }
    limit = target < most ? .enough : .most
    guard limit == .enough, wereFull(since: start, now), isWorthMore(work) else { return }
    (step, limit) = ((target, rate), .ended)
    target = min(2 * target, most)
    phase = .opening(since: now)
  }

  /// Ends a step without success, if there is one, and tries none for a while.
  private mutating func takeBack(_ cause: ConnectionFigures.Limit, _ now: UInt64) {
    target = step?.from ?? target
    step = nil
    limit = cause
    var rest = Self.rest
    if cause == .noGain {
      rest = min(rest, Self.shortRest << min(futileSteps, 6))
      futileSteps += 1
    }
    phase = .resting(until: now + rest)
  }

  /// Fewer are allowed than there are. What those carry is measured anew.
  private mutating func takeBackExcess(_ work: () -> Work) {
    target = most
    step = nil
    if case .resting = phase { return }
    beginTrial(work)
    limit = .most
  }

  private func mark(_ now: UInt64) -> Mark {
    Mark(time: now, answers: answers, roomTime: roomTime)
  }

  /// Whether all windows are full now and were for three quarters of the time.
  private func wereFull(since start: Mark, _ now: UInt64) -> Bool {
    areAll(\.isFull) && (roomTime - start.roomTime) / UInt64(target) <= (now - start.time) / 4
  }

  /// Whether more connections would have something to carry. A server that allows one stream wants no
  /// more at once, over whatever connection.
  private func isWorthMore(_ work: () -> Work) -> Bool {
    areAll { $0.window > 1 } && work().isWorth(windows)
  }

  private func areAll(_ isSo: (Report) -> Bool) -> Bool {
    reports.count >= target && reports[..<target].allSatisfy(isSo)
  }

  /// How many pushes all connections that should be there may have open at once.
  private var windows: Int { reports.prefix(target).reduce(0) { $0 + $1.window } }
}
