internal import APNS
internal import Delivery
internal import HTTP2
internal import PushModel
internal import Reporting

/// Progress by time: a line at the bottom of a terminal, redrawn at most ten times a second;
/// elsewhere a line after ten seconds, and then each minute.
struct ProgressLine {
  private static let interval: UInt64 = 100_000_000
  private static let firstLine: UInt64 = 10_000_000_000
  private static let nextLine: UInt64 = 60_000_000_000

  let isWanted: Bool
  private let teller: Teller
  private let clock: RunClock
  private let isLogged: Bool
  /// The earliest time to tell more.
  private var next: UInt64

  /// - Parameter isLogged: it is told elsewhere than on a terminal too.
  init(_ teller: Teller, clock: RunClock, isWanted: Bool, isLogged: Bool = true) {
    (self.teller, self.clock) = (teller, clock)
    (self.isWanted, self.isLogged) = (isWanted, isLogged)
    // Short runs end before a line would help.
    next = clock.monotonic() + (teller.statusWidth == nil ? Self.firstLine : Self.interval)
  }

  /// Tells how far it is, if enough time has passed.
  ///
  /// - Parameters:
  ///   - percent: how much is done; nil when it is unknown.
  ///   - text: returns a line of at most the given number of columns.
  mutating func update(percent: Int? = nil, _ text: (Int) -> String) {
    guard isWanted, case let now = clock.monotonic(), now >= next else { return }
    if let width = teller.statusWidth {
      next = now + Self.interval
      teller.showStatus(text(width), percent: percent)
    } else if isLogged {
      next = now + Self.nextLine
      teller.noteAside(text(.max))
    }
  }

  func clear() { teller.showStatus(nil) }
}

/// What a run is doing at a moment.
struct RunStanding {
  /// The number of pushes in flight.
  var inFlight = 0
  /// The seconds for which sending is paused; nil when it is not.
  var pause: Int?
  /// What is waited for; nil when nothing is, or for no certain time.
  var awaited: Awaited?
  /// The seconds until that is tried again.
  var secondsToNextTry = 0

  init() {}

  init(_ control: RunControl, now: UInt64) {
    func seconds(until end: UInt64) -> Int {
      Int((max(end, now) - now + 999_999_999) / 1_000_000_000)
    }
    inFlight = max(0, control.inFlight)
    pause = control.heldUntil(now: now).map(seconds)
    awaited = control.awaited(now: now)
    secondsToNextTry = awaited.map { seconds(until: $0.due) } ?? 0
  }

  /// What is waited for, and until when: `3 waiting: 429 TooManyRequests, next try in 40 s`.
  fileprivate var wait: String? {
    if let pause { return "paused \(clockText(pause)) (Retry-After)" }
    let time = secondsToNextTry < 100 ? "\(secondsToNextTry) s" : clockText(secondsToNextTry)
    switch awaited?.cause {
    case .refusal(let refusal):
      let answer = [refusal.status.description, refusal.reason?.rawValue].compactMap(\.self)
      return "\(grouped(awaited?.count ?? 0)) waiting: \(answer.joined(separator: " ")), "
        + "next try in \(time)"
    case .connection: return "not connected, next try in \(time)"
    case nil: return nil
    }
  }
}

extension RunSummary {
  /// The parts that fit. The connections are dropped first, then the pushes in flight, then the
  /// outcomes from the last. The time left is unknown while something is waited for.
  func progressText(_ standing: RunStanding, _ columns: Int) -> String {
    let isBegun = connections != nil || standing.inFlight + total > 0
    let flight = isBegun ? "\(grouped(standing.inFlight)) in flight" : "connecting"
    var parts = [done, rate] + outcomes + [flight] + manyConnections
    let end = (standing.wait ?? timeLeft.map { "ETA " + $0 }).map { [$0] } ?? []
    while parts.count > 1, (parts + end).joined(separator: "  ").count > columns {
      parts.removeLast()
    }
    return String((parts + end).joined(separator: "  ").prefix(columns))
  }

  /// How much of what is expected is done; nil while that is unknown.
  var percentDone: Int? { expected.map { min(100, total * 100 / max(1, $0.count)) } }

  private var done: String { expected?.text(after: total) ?? "\(grouped(total)) done" }

  private var rate: String { "\(grouped(Int(pushesPerSecond.rounded())))/s" }

  private var outcomes: [String] {
    Outcome.allCases.filter { $0 == .accepted || self[$0] > 0 }
      .map { "\(grouped(self[$0])) \($0.words)" }
  }

  /// The number of connections; empty for a single one.
  private var manyConnections: [String] {
    guard let most = connections?.most, most > 1 else { return [] }
    return [counted(most, "connection")]
  }

  /// The number of seconds before the rate is good enough to estimate the time left, because
  /// connecting takes up much of the start.
  private static let firstGuess = 1.0

  /// The time left at the current rate, such as `0:09` or `1:02:03`; nil while it is unknown.
  private var timeLeft: String? {
    guard let expected, total > 0, seconds >= Self.firstGuess else { return nil }
    let left = Double(max(0, expected.count - total)) * seconds / Double(total)
    guard left < 360_000 else { return nil }
    return clockText(Int(left.rounded(.up)))
  }
}

extension PushTotal {
  /// The number done and the total: `1,500/~20,000`.
  func text(after done: Int) -> String {
    let all = isExact ? count : Self.rounded(count)
    return "\(grouped(done))/\(isExact ? "" : "~")\(grouped(max(done, all)))"
  }

  /// An estimate rounded to three digits.
  private static func rounded(_ guess: Int) -> Int {
    var unit = 1
    while guess / unit >= 1000 { unit *= 10 }
    return (guess + unit / 2) / unit * unit
  }
}
