internal import HTTP2
internal import PushModel
internal import Reporting

/// The progress at the bottom of a terminal, drawn at most ten times a second.
struct ProgressLine {
  private static let interval: UInt64 = 100_000_000

  private let output: Output
  private let clock: RunClock
  private let isShown: Bool
  private var drawnAt: UInt64

  init(_ output: Output, clock: RunClock, isWanted: Bool) {
    self.output = output
    self.clock = clock
    isShown = isWanted && output.isTerminal
    // Short runs are over before a line would help.
    drawnAt = clock.monotonic()
  }

  /// Draws the line if it is time to.
  ///
  /// - Parameter pause: for how many seconds nothing will be sent; nil when it may be.
  mutating func update(_ summary: RunSummary, inFlight: Int, pause: Int?) {
    update { summary.progressText(inFlight: max(0, inFlight), pause: pause, $0) }
  }

  /// - Parameter text: for so many columns.
  mutating func update(_ text: (Int) -> String) {
    guard isShown, case let now = clock.monotonic(), now - drawnAt >= Self.interval else { return }
    drawnAt = now
    // A line that wraps could not be removed.
    output.showBottom(text(output.width - 1))
  }

  func clear() { output.showBottom(nil) }
}

extension RunSummary {
  /// The parts that fit into so many columns. The first to go are the connections, then what is in
  /// flight, then the outcomes from the last. During a pause the time left is not known.
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

  private var done: String { expected?.text(after: total) ?? "\(grouped(total)) done" }

  private var rate: String { "\(grouped(Int(pushesPerSecond.rounded())))/s" }

  private var outcomes: [String] {
    Outcome.allCases.filter { $0 == .accepted || self[$0] > 0 }
      .map { "\(grouped(self[$0])) \($0.words)" }
  }

  /// `16 connections`; nothing of a single one.
  private var manyConnections: [String] {
    guard let most = connections?.most, most > 1 else { return [] }
    return [counted(most, "connection")]
  }

  /// How long a run has to last, in seconds, before its pace says how long the rest will take: much
  /// of its start goes into connecting.
  private static let firstGuess = 1.0

  /// The time left at the pace so far, such as `0:09` or `1:02:03`; nil while it is not known.
  private var timeLeft: String? {
    guard let expected, total > 0, seconds >= Self.firstGuess else { return nil }
    let left = Double(max(0, expected.count - total)) * seconds / Double(total)
    guard left < 360_000 else { return nil }
    return clockText(Int(left.rounded(.up)))
  }
}

extension PushTotal {
  /// `1,500/~20,000`: how much of it is done.
  func text(after done: Int) -> String {
    let all = isExact ? count : Self.rounded(count)
    return "\(grouped(done))/\(isExact ? "" : "~")\(grouped(max(done, all)))"
  }

  /// A guess to three digits.
  private static func rounded(_ guess: Int) -> Int {
    var unit = 1
    while guess / unit >= 1000 { unit *= 10 }
    return (guess + unit / 2) / unit * unit
  }
}
