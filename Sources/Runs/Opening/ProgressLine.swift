internal import HTTP2
internal import PushModel
internal import Reporting

/// The progress line at the bottom of a terminal, redrawn at most ten times a second.
struct ProgressLine {
  private static let interval: UInt64 = 100_000_000

  private let teller: Teller
  private let clock: RunClock
  private let isWanted: Bool
  private var drawnAt: UInt64

  init(_ teller: Teller, clock: RunClock, isWanted: Bool) {
    (self.teller, self.clock, self.isWanted) = (teller, clock, isWanted)
    // Short runs end before a line would help.
    drawnAt = clock.monotonic()
  }

  /// Redraws the line if enough time has passed.
  ///
  /// - Parameter pause: the seconds for which sending is paused; nil when it is not.
  mutating func update(_ summary: RunSummary, inFlight: Int, pause: Int?) {
    update(percent: summary.percentDone) {
      summary.progressText(inFlight: max(0, inFlight), pause: pause, $0)
    }
  }

  /// - Parameters:
  ///   - percent: how much is done; nil when it is unknown.
  ///   - text: returns a line of at most the given number of columns.
  mutating func update(percent: Int? = nil, _ text: (Int) -> String) {
    guard isWanted, let width = teller.statusWidth, case let now = clock.monotonic(),
      now - drawnAt >= Self.interval
    else { return }
    drawnAt = now
    teller.showStatus(text(width), percent: percent)
  }

  func clear() { teller.showStatus(nil) }
}

extension RunSummary {
  /// The parts that fit. The connections are dropped first, then the pushes in flight, then the
  /// outcomes from the last. The time left is unknown during a pause.
  func progressText(inFlight: Int, pause: Int? = nil, _ columns: Int) -> String {
    var parts = [done, rate] + outcomes + ["\(grouped(inFlight)) in flight"] + manyConnections
    let end =
      pause.map { ["paused " + clockText($0) + " (Retry-After)"] }
      ?? timeLeft.map { ["ETA " + $0] } ?? []
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
