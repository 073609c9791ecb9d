internal import PushModel

/// Decides how many connections a run should have. A value that is given events and times.
///
/// A connection carries at most one window of pushes per round trip. When all windows are full and
/// enough is left to send, the number grows. Answers that take about as long with full windows as at
/// their quickest tell of a distant server: the number at least doubles, and the longer the threads had
/// to wait, the more it grows. Answers that take longer may tell of a busy one, whose queue more
/// connections would only lengthen: the number just doubles, to see.
///
/// A step that gains less than a tenth is undone; one that gains little more is cut back to what its
/// gain needs. Neither is tried again until the rate has changed, and not within a minute. Only answers
/// that came while windows were full count, compared with the pushes that those windows held, so that
/// pauses and changed windows distort nothing.
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
    /// Its first pushes get no answer, and others wait that could be tried.
    var isSilent = false
    /// The time for which its thread has waited since the last report, in nanoseconds.
    var idleTime: UInt64 = 0
    /// The shortest time from a push to its acceptance since the last report, in nanoseconds; `max` if
    /// there was none.
    var quickest = UInt64.max
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

    /// The number of pushes that enough connections would have open at once.
    fileprivate var mostOpen: Int { pushes ?? (isBacklogFull ? .max : 0) }
  }

  /// The shortest time over which a rate is measured, in nanoseconds.
  private static let shortestTrial: UInt64 = 50_000_000
  /// The time that new connections have to prove good, in nanoseconds.
  private static let longestOpening: UInt64 = 30_000_000_000
  /// The time without new steps after server trouble, or after a step that gained little, in
  /// nanoseconds.
  private static let rest: UInt64 = 60_000_000_000
  /// Answers that take so many times as long as the quickest no longer tell of distance alone.
  private static let distant = 1.5
  /// Room for this long counts as a pause, in which no connection can prove good, in nanoseconds.
  private static let shortestPause: UInt64 = 1_000_000_000

  /// Sums over all wanted connections.
  private struct Sums {
    /// The number of answers that came while the windows were full.
    var answers = 0
    /// The number of pushes open in full windows, times the nanoseconds for which they were.
    var load = 0.0
    /// The time for which the threads waited, in nanoseconds.
    var idleTime: UInt64 = 0
  }

  private struct Trial {
    let start: UInt64
    let sums: Sums
    /// The rate is looked at when so many answers have come: whole windows of them, since answers
    /// come in bursts.
    var end: Int
  }

  private enum Phase {
    case opening(since: UInt64)
    case measuring(Trial)
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
  /// The time of each connection's last report.
  private var times: [UInt64] = []
  private var sums = Sums()
  private var answers = 0
  private var troubles = 0
  /// The answers and troubles that earlier trials already took into account.
  private var judged = (answers: 0, troubles: 0)
  private var phase = Phase.opening(since: 0)
  /// The step being tried: the number of connections before it, and their rate for each push that
  /// one connection may have open.
  private var step: (from: Int, rate: Double)?
  /// The better of the rates before and after the last step, if it gained little, as the rest should
  /// keep it up; nil if it gained more.
  private var futileRate: Double?
  /// The shortest time from a push to its acceptance, in nanoseconds.
  private var quickest = UInt64.max

  init(_ count: ConnectionCount) {
    target = count.atStart
    isFixed = count != .auto
    limit = isFixed ? .given : .enough
  }

  /// Takes the report of a connection.
  mutating func take(_ report: Report, from index: Int, now: UInt64, work: () -> Work) {
    if isFixed { return }
    while reports.count <= index { (reports, times) = (reports + [Report()], times + [now]) }
    answers += report.answers
    troubles += report.troubles
    quickest = min(quickest, report.quickest)
    if target > most { takeBackExcess(now) }
    // The time of a first report is that of whichever thread came first, which may be later.
    let time = now - min(now, times[index])
    if index < target { add(report, after: reports[index], time, now) }
    (reports[index], times[index]) = (report, now)
    // A second connection tries another push; what it finds out holds for all.
    if report.isSilent, target == 1 { target = min(2, most) }
    advance(now, work)
  }

  private mutating func add(_ report: Report, after last: Report, _ time: UInt64, _ now: UInt64) {
    sums.idleTime += report.idleTime
    if last.isFull {
      sums.answers += report.answers
      sums.load += Double(last.window) * Double(time)
    } else if case .opening = phase, time >= Self.shortestPause {
      phase = .opening(since: now)
    }
  }

  /// Notes that a connection ended because it was no longer needed.
  mutating func retired(_ index: Int) {
    if reports.indices.contains(index) { reports[index] = Report() }
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
        beginTrial(now, work)
      } else if step != nil, now > since + Self.longestOpening {
        takeBack(.server, now)
      }
    case .measuring(var trial):
      guard sums.answers >= trial.end, now >= trial.start + Self.shortestTrial else { return }
      if sums.load - trial.sums.load >= Double(Self.shortestTrial) * Double(windows) {
        return judge(trial, now, work)
      }
      trial.end += windows
      phase = .measuring(trial)
    case .resting(let end):
      guard now >= end else { return }
      judged = (answers, troubles)
      // Links may have been lost meanwhile: what windows hold is known once all have proven good.
      phase = .opening(since: now)
    }
  }

  /// Starts measuring anew.
  private mutating func beginTrial(_ now: UInt64, _ work: () -> Work) {
    phase = .measuring(Trial(start: now, sums: sums, end: sums.answers + windows))
    if limit == .enough || limit == .ended {
      limit = step != nil || isWorthMore(work()) ? .ended : .enough
    }
  }

  private mutating func judge(_ trial: Trial, _ now: UInt64, _ work: () -> Work) {
    if (troubles - judged.troubles) * 100 > answers - judged.answers {
      return takeBack(.server, now)
    }
    judged = (answers, troubles)
    let answerTime = (sums.load - trial.sums.load) / Double(sums.answers - trial.sums.answers)
    let rate = Double(target) / answerTime
    guard areAll({ $0.window > 0 }), isStepKept(rate, now) else { return }
    let work = work()
    let aim = target(after: trial, now, work, slowdown: answerTime / Double(quickest))
    beginTrial(now) { work }
    limit = target < most ? .enough : .most
    guard limit == .enough, wereFull(since: trial, now), isWorthMore(work) else { return }
    guard hasChanged(rate) else { return limit = .noGain }
    (step, limit) = ((target, rate), .ended)
    target = aim
    phase = .opening(since: now)
  }

  /// Ends the step being tried, if any; false if it gained too little.
  private mutating func isStepKept(_ rate: Double, _ now: UInt64) -> Bool {
    guard let step else { return true }
    let gain = rate / step.rate
    // A fifth more than the gain needs: the fewer there are, the less each of them may falter.
    let needed = gain < 1.1 ? step.from : Int((1.2 * gain * Double(step.from)).rounded(.up))
    if gain < 1.1 || 2 * needed <= target {
      self.step?.from = needed
      futileRate = max(rate, step.rate)
      takeBack(.noGain, now)
      return false
    }
    (self.step, futileRate) = (nil, nil)
    return true
  }

  /// The next number to try.
  ///
  /// - Parameter slowdown: the time to an answer with full windows, as a multiple of the shortest.
  private func target(
    after trial: Trial, _ now: UInt64, _ work: Work, slowdown: Double
  ) -> Int {
    if slowdown >= Self.distant || futileRate != nil { return min(2 * target, most) }
    let time = (now - trial.start) * UInt64(target)
    let busyTime = max(time / 32, time - min(time, sums.idleTime - trial.sums.idleTime))
    // Twice as many as the threads would have had time for.
    let aim = Int(2 * UInt64(target) * time / busyTime)
    return min(aim, work.mostOpen / (windows / target), most)
  }

  /// Checks that the last step, if it gained little, might gain more by now. Those that a step was
  /// cut back to can carry a fifth more: that has to show.
  private func hasChanged(_ rate: Double) -> Bool {
    futileRate.map { !(0.85...1.15).contains(rate / $0) } ?? true
  }

  /// Undoes the current step, if any, and tries none for a while.
  private mutating func takeBack(_ cause: ConnectionFigures.Limit, _ now: UInt64) {
    target = step?.from ?? target
    step = nil
    limit = cause
    phase = .resting(until: now + Self.rest)
  }

  /// Drops the connections above a lowered limit and measures the rest anew.
  private mutating func takeBackExcess(_ now: UInt64) {
    target = most
    step = nil
    if case .resting = phase { return }
    phase = .opening(since: now)
    limit = .most
  }

  /// Checks that all windows are full now and were for three quarters of the time.
  private func wereFull(since trial: Trial, _ now: UInt64) -> Bool {
    let most = Double(windows) * Double(now - trial.start)
    return areAll(\.isFull) && sums.load - trial.sums.load >= most * 3 / 4
  }

  /// Checks that more connections would have something to carry. A server that allows one stream
  /// wants no more at once, over any number of connections.
  private func isWorthMore(_ work: Work) -> Bool {
    areAll { $0.window > 1 } && work.mostOpen >= 2 * windows
  }

  private func areAll(_ isSo: (Report) -> Bool) -> Bool {
    reports.count >= target && reports[..<target].allSatisfy(isSo)
  }

  /// The total number of pushes that the wanted connections may have open at once.
  private var windows: Int { reports.prefix(target).reduce(0) { $0 + $1.window } }
}
