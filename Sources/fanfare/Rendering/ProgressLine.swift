internal import PushCore

/// One line on a terminal that says how far a run is, redrawn at most ten times a second.
struct ProgressLine {
  private static let interval: UInt64 = 100_000_000

  private let output: Output
  private let clock: RunClock
  private let isShown: Bool
  private var drawnAt: UInt64
  private var isDrawn = false

  init(_ output: Output, clock: RunClock, isWanted: Bool) {
    self.output = output
    self.clock = clock
    isShown = isWanted && output.isTerminal
    // Short runs are over before a line would help.
    drawnAt = clock.monotonic()
  }

  /// Draws the line if it is time to.
  mutating func update(_ summary: RunSummary, inFlight: Int) {
    guard isShown, case let now = clock.monotonic(), now - drawnAt >= Self.interval else { return }
    drawnAt = now
    isDrawn = true
    // A line that wraps could not be taken away again.
    output.write("\r\u{1b}[K" + text(summary, inFlight: inFlight).prefix(output.width - 1))
    output.flush()
  }

  /// Takes the line away.
  mutating func clear() {
    guard isDrawn else { return }
    isDrawn = false
    output.write("\r\u{1b}[K")
    output.flush()
  }

  private func text(_ summary: RunSummary, inFlight: Int) -> String {
    let rate = grouped(Int(summary.pushesPerSecond.rounded()))
    var parts = ["\(grouped(summary.total)) done", "\(rate)/s"]
    for outcome in [Outcome.accepted, .rejected, .deferred] where summary[outcome] > 0 {
      parts.append("\(grouped(summary[outcome])) \(outcome.rawValue)")
    }
    parts.append("\(grouped(max(0, inFlight))) in flight")
    return parts.joined(separator: "  ")
  }
}
