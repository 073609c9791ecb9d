internal import History
internal import JSONText
internal import PushModel

/// Figures of a group of pushes as a JSON object: stable, documented in docs/formats.md.
struct StatisticsJSON {
  let grouping: PushGrouping
  let group: PushGroup
  /// The run that the group is of, when it is one.
  var run: RunEntry?

  /// The object as a line.
  var line: [UInt8] {
    Self.line(grouping.rawValue, group.figures) { json in
      switch group.key {
      case .run(let number): json.member("run", number.rawValue)
      case .day(let day): json.member("day", date(day))
      case .word(let word): json.member(grouping.rawValue, word)
      }
      if let run {
        json.member("began", run.record.started)
        json.member("environment", run.record.environment)
        json.member("state", run.state?.rawValue)
      }
    }
  }

  /// The figures of all pushes as a line.
  static func total(_ figures: PushFigures) -> [UInt8] { line("all", figures) { _ in } }

  private static func line(
    _ grouping: String, _ figures: PushFigures, _ writeKey: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    var json = JSONWriter()
    json.beginObject()
    json.member("by", grouping)
    writeKey(&json)
    json.member("total", figures.tally.total)
    for outcome in Outcome.allCases { json.member(outcome.rawValue, figures.tally[outcome]) }
    json.member("acceptance", figures.acceptance)
    json.key("latency")
    json.beginObject()
    for (name, share) in [("p50", 0.5), ("p95", 0.95), ("p99", 0.99)] {
      json.member(name, figures.latency.percentile(share))
    }
    json.endObject()
    json.endObject()
    json.endLine()
    return json.bytes
  }
}
