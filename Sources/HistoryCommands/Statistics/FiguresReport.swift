internal import APNS
internal import History
internal import JSONText
internal import PlainText
internal import PushModel
internal import Reporting

/// Parts shared by reports on figures: a JSON key each, and names and texts for people where a
/// report shows them.
extension PushFigures {
  typealias Words = (name: StyledText, text: StyledText?)

  /// The number of pushes by outcome.
  func outcomes(_ words: (Outcome, Int) -> Words?) -> [Report.Part] {
    Outcome.allCases.map { outcome in
      let words = words(outcome, tally[outcome])
      return .fact(
        .init(
          name: words?.name, shown: words?.text, key: outcome.rawValue,
          value: .number(tally[outcome])))
    }
  }

  /// The percentiles of the latency.
  func latencies(_ words: (String, Double?) -> Words? = { _, _ in nil }) -> Report.Part {
    .object(
      "latency",
      latency.percentiles.map { name, value in
        let words = words(name, value)
        return .fact(
          .init(name: words?.name, shown: words?.text, key: name, value: .decimal(value)))
      })
  }
}
