internal import PushModel

/// Decides how many connections a run should have. A value that is given events and times.
///
/// A connection carries at most one window of pushes per round trip. When all windows are full and
/// enough is left to send, the number doubles. A step that gains less than a tenth is undone. Rates
/// measured across a pause, or while windows changed, are ignored.
struct ConnectionScaling {
  /// The report of a connection.
  struct Report {
    /// The number of answers since the last report.
    var answers = 0
    /// The number of answers, and of requests without one, that ask to slow down.
    var troubles = 0
    /// The number of pushes it may have open at once; 0 until its link has proven good.
    var window = 0
    /// That many are open.
    var isFull = false
  }

  /// The work that is left.
  struct Work {
    /// The number of pushes; nil when unknown, as when reading a pipe.
    var pushes: Int?
    /// The connections will not soon take all the pushes that wait.
    var isBacklogFull: Bool

    /// The pushes not yet passed on, and those waiting in the queue.
    ///
    /// - Parameter plan: the rest of a resumed run; nil for a new one.
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

  /// The shortest time over which a rate is measured, in nanoseconds.
  private static let shortestTrial: UInt64 = 100_000_000
  /// The time that new connections have to prove good, in nanoseconds.
  private static let longestOpening: UInt64 = 30_000_000_000
  /// The time without new steps after server trouble, in nanoseconds.
  private static let rest: UInt64 = 60_000_000_000
  /// The same after a step that gained little; doubles with each consecutive one, up to ``rest``. A
  /// single trial may have been bad luck.
  private static let shortRest: UInt64 = 1_000_000_000
  /// Room for this long counts as a pause, in which no connection can prove good, in nanoseconds.
  private static let shortestPause: UInt64 = 1_000_000_000

  private struct Mark {
    var time: UInt64
    var answers: Int
    var roomTime: UInt64
  }

  private enum Phase {
    case opening(since: UInt64)
    /// Nothing is measured yet: at first only the windows fill.
    case filling(until: Int)
    case measuring(Mark)
    case resting(until: UInt64)
  }

  /// The number of connections there should be.
  private(set) var target: Int
  /// The reason the number does not grow.
  private(set) var limit: ConnectionFigures.Limit

  /// The most connections allowed; may change at any time.
  var most = ConnectionCount.mostAutomatic

  private let isFixed: Bool
  private var reports: [Report] = []
  /// The time since which each connection has had room; nil when its window is full.
  private var roomSince: [UInt64?] = []
  /// The total time windows had room, in nanoseconds: because of `--rate`, a slow pipe, or an
  /// answer that asked to wait.
  private var roomTime: UInt64 = 0
  private var answers = 0
  private var troubles = 0
  /// The answers and troubles that earlier trials already took into account.
  private var judged = (answers: 0, troubles: 0)
  private var phase = Phase.opening(since: 0)
  /// The step being tried: the number of connections before it, and their rate for each push that
  /// one connection may have open.
  private var step: (from: Int, rate: Double)?
  /// The number of consecutive steps that gained little.
  private var futileSteps: UInt64 = 0

  init(_ count: ConnectionCount) {
    target = count.atStart
    isFixed = count != .auto
    limit = isFixed ? .given : .enough
  }

  /// Takes the report of a connection.
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

  /// Notes that a connection ended because it was no longer needed.
  mutating func retired(_ index: Int) {
    if reports.indices.contains(index) { (reports[index], roomSince[index]) = (Report(), nil) }
  }

  /// Notes that the server sent GOAWAY, or closed a connection before answering anything on it.
  mutating func lost(now: UInt64, isTooEager: Bool = false) {
    if isFixed { return }
    takeBack(.server, now)
    if isTooEager { target = max(1, target / 2) }
  }

  /// Notes that a connection could not be opened: the server refused it, or threads or file
  /// descriptors ran out.
  mutating func failedToStart(_ index: Int, _ cause: ConnectionFigures.Limit, now: UInt64) {
    if isFixed {
      limit = cause
      return
    }
    takeBack(cause, now)
    // A replacement for a retired connection belongs to no step and would be retried at once.
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

  /// Starts measuring anew.
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
      // If the windows had room, the number of connections made no difference.
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

  /// Undoes the current step, if any, and tries none for a while.
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

  /// Drops the connections above a lowered limit and measures the rest anew.
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

  /// Checks that all windows are full now and were for three quarters of the time.
  private func wereFull(since start: Mark, _ now: UInt64) -> Bool {
    areAll(\.isFull) && (roomTime - start.roomTime) / UInt64(target) <= (now - start.time) / 4
  }

  /// Checks that more connections would have something to carry. A server that allows one stream
  /// wants no more at once, over any number of connections.
  private func isWorthMore(_ work: () -> Work) -> Bool {
    areAll { $0.window > 1 } && work().isWorth(windows)
  }

  private func areAll(_ isSo: (Report) -> Bool) -> Bool {
    reports.count >= target && reports[..<target].allSatisfy(isSo)
  }

  /// The total number of pushes that the wanted connections may have open at once.
  private var windows: Int { reports.prefix(target).reduce(0) { $0 + $1.window } }
}
