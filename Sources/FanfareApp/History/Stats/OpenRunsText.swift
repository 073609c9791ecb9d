internal import History
internal import PlainText
internal import PushModel

/// Runs whose figures are not the last word, for people.
struct OpenRunsText {
  private static let mostNamed = 5

  /// The oldest first, and whether a process sends each.
  let runs: [(run: RunEntry, isBeingSent: Bool)]

  /// The lines, with a line feed at the end; empty without runs.
  var text: String {
    let more = runs.count - Self.mostNamed
    let named = runs.suffix(Self.mostNamed).map { sentence($0.run, $0.isBeingSent) }
    return named.joined()
      + (more > 0 ? "\(counted(more, "older run")) not finished either.\n" : "")
  }

  private func sentence(_ run: RunEntry, _ isBeingSent: Bool) -> String {
    let number = run.run
    if isBeingSent { return "Run \(number) is being sent: only its results so far are counted.\n" }
    let how = run.state == .interrupted ? "was interrupted" : "was killed"
    return
      "Run \(number) \(how): only its results are counted. 'fanfare resume \(number)' continues.\n"
  }
}
