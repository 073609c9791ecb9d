internal import PushModel

/// How many connections a run should have. A value: it is told what happens and when, and knows no
/// clock and no socket.
///
/// In each round trip a connection carries a window of pushes at most. When all windows are full and
/// enough is left to send, the number doubles. A step that brings less than a tenth more is taken back.
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
    static func left(
      _ reading: ReadingProgress, waiting: (count: Int, isFull: Bool)
    ) -> Work {
      let queued = waiting.count * PushChunk.capacity
      return Work(
        pushes: reading.total.map { max(0, $0.count - reading.counts.pushes) + queued },
        isBacklogFull: waiting.isFull)
    }

    fileprivate func isWorth(_ windows: Int) -> Bool {
      pushes.map { $0 >= 2 * windows } ?? isBacklogFull
    }
  }

  /// A rate is measured for at least this long, in nanoseconds.
  private static let shortestTrial: UInt64 = 100_000_000
  /// New connections have this long to prove good, in nanoseconds.
  private static let longestOpening: UInt64 = 30_000_000_000
  /// How long nothing is tried after a step was taken back or the server was in trouble, in nanoseconds.
  private static let rest: UInt64 = 60_000_000_000

  private struct Mark {
    var time: UInt64
    var answers: Int
    var troubles: Int
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

  private let isFixed: Bool
  private var reports: [Report] = []
  private var answers = 0
  private var troubles = 0
  private var phase = Phase.opening(since: 0)
  /// The step that is being tried: how many connections there were, and what they carried.
  private var step: (from: Int, rate: Double)?

  init(_ count: ConnectionCount) {
    target = count.atStart
    isFixed = count != .auto
    limit = isFixed ? .given : .enough
  }

  /// A connection reports.
  mutating func take(_ report: Report, from index: Int, now: UInt64, work: () -> Work) {
    if isFixed { return }
    while reports.count <= index { reports.append(Report()) }
    reports[index] = report
    answers += report.answers
    troubles += report.troubles
    advance(now, work)
  }

  /// A connection has ended because it was not wanted any more.
  mutating func retired(_ index: Int) {
    if reports.indices.contains(index) { reports[index] = Report() }
  }

  /// A connection was lost, or the server said goodbye.
  mutating func lost(now: UInt64, isTooEager: Bool = false) {
    if isFixed { return }
    takeBack(.server, now)
    if isTooEager { target = max(1, target / 2) }
  }

  /// A connection that should be there cannot be: the server does not take it, or there are no
  /// threads or file descriptors for it.
  mutating func failedToStart(_ index: Int, _ cause: ConnectionFigures.Limit, now: UInt64) {
    if isFixed { return }
    takeBack(cause, now)
    // One that replaces a retired one belongs to no step, and would be tried again at once.
    target = min(target, max(1, index))
  }

  private mutating func advance(_ now: UInt64, _ work: () -> Work) {
    switch phase {
    case .opening(let since):
      if areAll({ $0.window > 0 }) {
        phase = .filling(until: answers + windows)
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
      if now >= end { phase = .filling(until: answers + windows) }
    }
  }

  private mutating func judge(since start: Mark, _ now: UInt64, _ work: () -> Work) {
    if (troubles - start.troubles) * 100 > answers - start.answers {
      return takeBack(.server, now)
    }
    let rate = Double(answers - start.answers) / Double(now - start.time)
    phase = .measuring(mark(now))
    if let step, rate < step.rate * 1.1 {
      // With room in the windows it was not the number of connections that decided.
      if areAll(\.isFull) { takeBack(.noGain, now) }
      return
    }
    step = nil
    limit = target < ConnectionCount.mostAutomatic ? .enough : .most
    // A server that allows one stream wants no more at once, over whatever connection.
    guard limit == .enough, areAll({ $0.isFull && $0.window > 1 }), work().isWorth(windows)
    else { return }
    step = (target, rate)
    target = min(2 * target, ConnectionCount.mostAutomatic)
    phase = .opening(since: now)
  }

  /// Ends a step without success, if there is one, and tries none for a while.
  private mutating func takeBack(_ cause: ConnectionFigures.Limit, _ now: UInt64) {
    target = step?.from ?? target
    step = nil
    limit = cause
    phase = .resting(until: now + Self.rest)
  }

  private func mark(_ now: UInt64) -> Mark {
    Mark(time: now, answers: answers, troubles: troubles)
  }

  private func areAll(_ isSo: (Report) -> Bool) -> Bool {
    reports.count >= target && reports[..<target].allSatisfy(isSo)
  }

  /// How many pushes all connections that should be there may have open at once.
  private var windows: Int { reports.prefix(target).reduce(0) { $0 + $1.window } }
}
