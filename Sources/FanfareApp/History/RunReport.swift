internal import APNS
internal import History
internal import JSONText
internal import PlainText
internal import PushModel

extension RunEntry {
  /// What JSON holds of a run, in 'history list', 'show' and 'tail': stable, documented in
  /// docs/formats.md.
  var json: [Report.Part] {
    let head: [Report.Part] = [
      .json("run", .number(run.rawValue)), .json("began", .number(record.started)),
      .json("ended", .number(ended)), .json("state", .text(state?.rawValue)),
      .json("passes", .number(resumptions + 1)), .json("kind", .text(record.kind.rawValue)),
      .json("scenario", .text(record.scenario)), .json("step", .number(record.step)),
      .json("environment", .text(record.environment)), .json("server", .text(record.server)),
      .json("pushType", .text(record.pushType)), .json("topic", .text(record.topic)),
      .json("version", .text(record.version)),
    ]
    let counts =
      [("lines", recipients.lines), ("total", tally.total)]
      + Outcome.allCases.map { ($0.rawValue, tally[$0]) }
    let left = [
      ("badLines", recipients.badLines), ("duplicates", recipients.duplicates),
      ("suppressed", recipients.suppressed), ("otherShards", recipients.otherShards),
    ]
    return head + (counts + left).map { Report.Part.json($0.0, .number($0.1)) }
  }

  /// A row of 'history list'.
  var row: [Report.Part] {
    let others = Outcome.allCases.filter { $0 != .accepted && tally[$0] > 0 }
    let counts = others.map { "\(grouped(tally[$0])) \($0.words)" } + [standing].compactMap(\.self)
    let tone: StyledText.Tone = tally.rejected + tally.skipped > 0 ? .bad : .doubtful
    return [
      .number(run), .text("began", StyledText(ISO8601.text(seconds: record.started / 1000))),
      .text("environment", StyledText(record.environment)),
      .text("notification", StyledText(record.title)),
      .count("pushes", tally.total), .count("accepted", tally.accepted, .good),
      .text("others", StyledText(counts.joined(separator: ", "), tone)),
    ]
  }
}

extension Report.Part {
  /// The number of a run, for people only.
  static func number(_ run: RunNumber) -> Self {
    .fact(.init(name: "run", shown: StyledText(run.description), value: .number(run.rawValue)))
  }

  /// A count for people only, in a tone when it is more than nothing.
  static func count(_ name: StyledText, _ count: Int, _ tone: StyledText.Tone = .plain) -> Self {
    .fact(
      .init(
        name: name, shown: StyledText(grouped(count), count > 0 ? tone : .plain),
        value: .number(count)))
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
