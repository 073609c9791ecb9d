internal import HTTP2
internal import PlainText
internal import PushModel

/// One line at the bottom of a terminal that says how far a run is, drawn at most ten times a
/// second.
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
  mutating func update(_ summary: RunSummary, inFlight: Int) {
    guard isShown, case let now = clock.monotonic(), now - drawnAt >= Self.interval else { return }
    drawnAt = now
    // A line that wraps could not be taken away again.
    let text = ProgressText(summary: summary, inFlight: max(0, inFlight)).text(output.width - 1)
    output.showBottom(text)
  }

  /// Takes the line away.
  func clear() { output.showBottom(nil) }
}
