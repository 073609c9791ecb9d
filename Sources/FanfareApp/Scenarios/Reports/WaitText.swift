internal import PlainText
internal import Projects

/// What is shown while a scenario waits.
struct WaitText {
  let step: ScenarioStep

  /// `waiting 1:30 for step 2 car is there`, at most so many columns.
  func text(_ width: Int) -> String {
    let time = clockText((step.pauseMilliseconds + 999) / 1000)
    return String("waiting \(time) for step \(step.label.printable)".prefix(width))
  }
}
