internal import APNS
internal import HTTP2
internal import History
internal import JSONText
internal import PlainText
internal import PushModel

/// Writes what happens in the history, a line for each event.
struct EventWriter {
  /// A status, a blank and the longest reason that APNs is known to give.
  private static let answerWidth = 4 + (Reason.table.map(\.reason.rawValue.count).max() ?? 0)

  private let isJSON: Bool
  private let showsTokens: Bool
  private let output: Output
  private let clock: RunClock
  private let style: Style

  init(asJSON isJSON: Bool, showsTokens: Bool, _ context: Context) {
    self.isJSON = isJSON
    self.showsTokens = showsTokens
    output = context.output
    clock = context.clock
    style = Style(hasColor: output.hasColor)
  }

  func write(_ event: HistoryEvent) {
    if isJSON {
      output.write(event.line)
    } else {
      output.write(text(of: event))
    }
  }

  private func text(of event: HistoryEvent) -> String {
    switch event {
    case .began(let run): line(of: run, at: beginningTime(run), beginning(run))
    case .push(let push): line(of: push)
    case .ended(let run): line(of: run, at: run.ended ?? run.record.started, ending(run))
    }
  }

  private func line(of run: RunEntry, at time: Int64, _ text: String) -> String {
    "\(moment(time))  \(style.bold("run \(run.run)")) \(text)\n"
  }

  private func moment(_ time: Int64) -> String { ISO8601.text(seconds: time / 1000) }

  /// When a pass began that resumes a run is not written down: it is when it was seen.
  private func beginningTime(_ run: RunEntry) -> Int64 {
    run.resumptions == 0 ? run.record.started : clock.epochMilliseconds()
  }

  private func beginning(_ run: RunEntry) -> String {
    let what = "\(run.record.environment.printable), \(run.record.title.printable)"
    return run.resumptions == 0 ? "began: \(what)" : "resumed: \(what)"
  }

  private func ending(_ run: RunEntry) -> String {
    let counts = Outcome.allCases.filter { run.tally[$0] > 0 }.map {
      style.of($0)("\(grouped(run.tally[$0])) \($0.words)")
    }
    let verb = run.state == .finished ? "ended" : "was interrupted"
    return "\(verb): \(counts.isEmpty ? "no pushes" : counts.joined(separator: ", "))"
  }

  /// Columns as wide as what is usually in them, for what comes later is not known.
  private func line(of push: PushEntry) -> String {
    let answer = [push.response?.status.description, push.response?.reason?.rawValue]
      .compactMap(\.self).joined(separator: " ").printable
    let token = showsTokens ? push.token : shortToken(push.token)
    let outcome = push.outcome.words
    let cells = [
      moment(push.at), "\(push.run)".padding(to: 4),
      style.of(push.outcome)(outcome) + String(repeating: " ", count: max(0, 13 - outcome.count)),
      answer.padding(to: Self.answerWidth), token.padding(to: 9), push.apnsID.description,
    ]
    return cells.joined(separator: "  ") + "\n"
  }
}

extension HistoryEvent {
  /// A line of JSON: stable, documented in docs/formats.md.
  fileprivate var line: [UInt8] {
    switch self {
    case .began(let run): ReportJSON.bytes(Report(parts: [.json("event", "began")] + run.json))
    case .ended(let run): ReportJSON.bytes(Report(parts: [.json("event", "ended")] + run.json))
    case .push(let push): push.eventLine
    }
  }
}

extension PushEntry {
  fileprivate var eventLine: [UInt8] {
    var json = JSONWriter()
    json.beginObject()
    json.member("event", "push")
    HistoryRecord(entry: self).encode(to: &json)
    json.endObject()
    json.endLine()
    return json.bytes
  }
}
