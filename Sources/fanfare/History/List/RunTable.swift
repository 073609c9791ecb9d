internal import APNS
internal import History
internal import PlainText
internal import PushModel

/// Runs of the history as rows for people.
struct RunTable {
  private var table: TextTable
  private let style: Style

  init(_ entries: [RunEntry], style: Style) {
    self.style = style
    table = TextTable(
      [
        ("run", .right), ("began", .left), ("environment", .left), ("notification", .left),
        ("pushes", .right), ("accepted", .right), ("others", .left),
      ], style: style)
    for entry in entries { add(entry) }
  }

  var text: String { table.text }

  private mutating func add(_ entry: RunEntry) {
    let record = entry.record
    let accepted = entry.tally.accepted
    table.add([
      (entry.run.description, plain), (ISO8601.text(seconds: record.started / 1000), plain),
      (record.environment.printable, plain), (record.title.printable, plain),
      (grouped(entry.tally.total), plain), (grouped(accepted), accepted > 0 ? style.good : plain),
      (others(entry), entry.tally.rejected + entry.tally.skipped > 0 ? style.bad : style.doubtful),
    ])
  }

  private func plain(_ text: String) -> String { text }

  private func others(_ entry: RunEntry) -> String {
    let outcomes = Outcome.allCases.filter { $0 != .accepted && entry.tally[$0] > 0 }
    let counts = outcomes.map { "\(grouped(entry.tally[$0])) \($0.words)" }
    return (counts + [entry.standing].compactMap(\.self)).joined(separator: ", ")
  }
}

extension RunRecord {
  /// What was sent, in a few words.
  var title: String {
    let what = [pushType, topic].compactMap(\.self).joined(separator: " ")
    guard let scenario else { return what }
    return "\(scenario)\(step.map { " (step \($0))" } ?? "")"
  }
}

extension RunEntry {
  /// What is to be said of a run that did not end as it should; nil of one that did.
  var standing: String? {
    switch state {
    case .running: "not ended"
    case .interrupted: "interrupted"
    case .finished: nil
    case nil: "in a state of a newer version"
    }
  }
}

extension Outcome {
  /// The outcome in words.
  var words: String { self == .notAttempted ? "not attempted" : rawValue }
}
