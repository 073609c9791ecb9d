internal import APNS
internal import History
internal import JSONText
internal import PlainText
internal import PushModel
internal import Reporting
internal import Runs

// The JSON of a run in 'history list', 'show' and 'tail': stable, documented in docs/formats.md.
// Parts with names are also shown to people by 'show'.
extension RunEntry {
  var parts: [Report.Part] { origin + outcomes + lines }

  /// The notification, its times and how the run ended.
  var origin: [Report.Part] {
    let resumed = resumptions > 0 ? StyledText(counted(resumptions, "time")) : nil
    return [
      .fact("run", "run", .number(run.rawValue), shown: StyledText("\(run)", .bold)),
      .fact("began", "began", .number(record.started), shown: moment(record.started)),
      .fact("ended", "ended", .number(ended), shown: ended.map(moment)),
      .fact(
        "state", "state", .text(state?.rawValue), shown: standing.map { .init($0, .doubtful) }),
    ] + stopped + [
      .fact("resumed", "passes", .number(resumptions + 1), shown: resumed),
      .json("kind", .text(record.kind.rawValue)),
      .fact("scenario", "scenario", .text(record.scenario)),
      .fact("step", "step", .number(record.step)),
      .fact("environment", "environment", .text(record.environment)),
      .fact("server", "server", .text(record.server)),
      .json("pushType", .text(record.pushType)), .json("topic", .text(record.topic)),
      .json("channel", .text(record.channel)),
      .fact("sent by", "version", .text(record.version), shown: "fanfare \(record.version)"),
    ]
  }

  /// The time and reason that a queued run was stopped.
  private var stopped: [Report.Part] {
    guard let stop else { return [] }
    return [
      .fact("stopped", "stopped", .number(stop.at), shown: moment(stop.at)),
      .fact(
        "because", "stopCause", .text(stop.cause), shown: stop.cause.map { StyledText($0) }),
    ]
  }

  /// The number of pushes by outcome.
  var outcomes: [Report.Part] {
    let all: [Report.Part] = [
      .json("lines", .number(recipients.lines)), .json("total", .number(completeTally.total)),
    ]
    return all
      + Outcome.allCases.map { outcome in
        let count = completeTally[outcome]
        let shown = StyledText(grouped(count), outcome.tone)
        return .fact(
          StyledText(outcome.words), outcome.rawValue, .number(count),
          shown: count > 0 || outcome == .accepted ? shown : nil)
      }
  }

  /// The numbers of lines that are not recipients.
  var lines: [Report.Part] {
    let counts: [(StyledText, String, Int)] = [
      ("bad lines", "badLines", recipients.badLines),
      ("duplicates", "duplicates", recipients.duplicates),
      ("suppressed", "suppressed", recipients.suppressed),
      ("other shards", "otherShards", recipients.otherShards),
    ]
    return counts.map { name, key, count in
      .fact(name, key, .number(count), shown: count > 0 ? StyledText(grouped(count)) : nil)
    }
  }

  /// A row of 'history list'.
  var row: [Report.Part] {
    let tally = completeTally
    let others = Outcome.allCases.filter { $0 != .accepted && tally[$0] > 0 }
    let counts = others.map { "\(grouped(tally[$0])) \($0.words)" } + [standing].compactMap(\.self)
    let tone: StyledText.Tone = tally.rejected + tally.skipped > 0 ? .bad : .doubtful
    return [
      .number(run), .text("began", moment(record.started)),
      .text("environment", StyledText(record.environment)),
      .text("notification", StyledText(record.title)),
      .count("pushes", nil, tally.total), .count("accepted", nil, tally.accepted, .good),
      .text("others", StyledText(counts.joined(separator: ", "), tone)),
    ]
  }

  /// The state of a run that did not end normally; nil if it did.
  var standing: String? {
    if stop != nil { return "stopped" }
    return switch state {
    case .running: "not ended"
    case .interrupted: "interrupted"
    case .finished: nil
    case .enqueuing: "being enqueued"
    case .enqueued: "enqueued"
    case nil: "in a state of a newer version"
    }
  }
}

extension PushEntry {
  /// Cells that describe a push to people, in 'history list' and 'tail'.
  func cells(showsToken: Bool) -> [(name: StyledText, cell: StyledText)] {
    [
      ("outcome", StyledText(outcome.words, outcome.tone)), ("answer", StyledText(answer)),
      ("token", .verbatim(recipient(showsToken: showsToken))),
      ("apns-id", .verbatim(apnsID.description)),
    ]
  }

  /// The recipient, for people.
  func recipient(showsToken: Bool) -> String {
    shownRecipient(token, channel, showsToken: showsToken)
  }

  /// The status and reason of the answer; empty if there was none.
  var answer: String {
    [response?.status.description, response?.reason?.rawValue].compactMap(\.self)
      .joined(separator: " ")
  }

  /// The time until the answer; nil if there was none.
  var latency: String? { latencyMicroseconds.map { milliseconds(Double($0) / 1000) } }

  /// A row of 'history list'.
  func row(showsToken: Bool) -> [Report.Part] {
    [.number(run), .text("at", moment(at))]
      + cells(showsToken: showsToken).map { .text($0.name, $0.cell) }
  }
}

extension DescribedPush {
  /// A row of 'history list', with the given columns of its list.
  func row(showsToken: Bool, _ columns: [String]) -> [Report.Part] {
    // The last column needs no heading and does not move the others.
    entry.row(showsToken: showsToken)
      + columns.map { .text(StyledText($0.printable), StyledText(text(of: $0))) }
      + [.text("", StyledText(facts.skippedFor.joined(separator: " ").printable))]
  }

  /// The row's value in a column, for people; empty if it has none.
  func text(of column: String) -> String {
    guard let index = facts.columns.firstIndex(of: column) else { return "" }
    var text = ""
    withListed(index) { kind, bytes in
      let isNull = kind == .json && bytes.first == UInt8(ascii: "n")
      text = isNull ? "" : String(decoding: bytes, as: UTF8.self).printable
    }
    return text
  }
}

extension Report.Part {
  /// A run's number, for people only.
  static func number(_ run: RunNumber) -> Self {
    .fact(.init(name: "run", shown: StyledText(run.description), value: .number(run.rawValue)))
  }

  /// A count, in a tone if it is not zero.
  ///
  /// - Parameter key: nil for people only.
  static func count(
    _ name: StyledText, _ key: String?, _ count: Int, _ tone: StyledText.Tone = .plain
  ) -> Self {
    .fact(
      .init(
        name: name, shown: StyledText(grouped(count), count > 0 ? tone : .plain), key: key,
        value: .number(count)))
  }
}

extension RunRecord {
  var title: String {
    let place = channel.map { "to channel \($0)" }
    let what = [pushType, topic, place].compactMap(\.self).joined(separator: " ")
    guard let scenario else { return what }
    return "\(scenario)\(step.map { " (step \($0))" } ?? "")"
  }
}
