internal import PlainText
internal import PushCore

/// What is shown while a scenario waits.
struct WaitText {
  let step: ScenarioStep

  /// `waiting 1m 30s for step 2 car is there`, at most so many columns.
  func text(_ width: Int) -> String {
    String("waiting \(time) for step \(step.label.printable)".prefix(width))
  }

  private var time: String {
    let seconds = (step.pauseMilliseconds + 999) / 1000
    let parts = [(seconds / 3600, "h"), (seconds / 60 % 60, "m"), (seconds % 60, "s")]
    return parts.filter { $0.0 > 0 }.map { "\($0.0)\($0.1)" }.joined(separator: " ")
  }
}
