internal import APNS
internal import History
internal import JSONText
internal import PlainText
internal import PushModel

/// A run of the history as a person reads it.
struct StoredRunText {
  let stored: StoredRun
  /// The runs that have sent pushes of it again, the oldest first.
  let resentBy: [RunNumber]
  /// The command that goes on with it; nil when none does.
  let wayOn: String?
  let style: Style

  /// The lines, with a line feed at the end.
  var text: String {
    let rows = origin + outcomes + lists + figures
    let width = rows.map(\.name.count).max() ?? 0
    let table = rows.map { $0.name.padding(to: width + 2) + $0.value }
    return (table + advice + request + way).joined(separator: "\n") + "\n"
  }

  private typealias Row = (name: String, value: String)

  private var entry: RunEntry { stored.entry }
  private var record: RunRecord { stored.entry.record }

  private var origin: [Row] {
    let ended = entry.ended.map { ISO8601.text(seconds: $0 / 1000) }
    let rows: [(String, String?)] = [
      ("run", style.bold(entry.run.description)),
      ("resends", stored.settings?.resends.map { "run \($0)" }),
      ("resent by", resends),
      ("scenario", record.scenario?.printable),
      ("step", record.step.map { "\($0)" }), ("environment", record.environment.printable),
      ("server", record.server?.printable),
      ("began", ISO8601.text(seconds: record.started / 1000)), ("ended", ended),
      ("state", entry.standing.map(style.doubtful)),
      ("resumed", entry.resumptions > 0 ? counted(entry.resumptions, "time") : nil),
      ("sent by", "fanfare \(record.version.printable)"),
    ]
    return rows.compactMap { row in row.1.map { (row.0, $0) } }
  }

  private var resends: String? {
    let numbers = resentBy.map(\.description).joined(separator: ", ")
    return resentBy.isEmpty ? nil : "\(resentBy.count == 1 ? "run" : "runs") \(numbers)"
  }

  private var outcomes: [Row] {
    let shown = Outcome.allCases.filter { entry.tally[$0] > 0 || $0 == .accepted }
    let counts = shown.map { outcome -> Row in
      (outcome.words, style.of(outcome)(grouped(entry.tally[outcome])))
    }
    return counts + reasons.map { ("  " + $0.name.printable, grouped($0.count)) } + doubt
  }

  private var doubt: [Row] {
    let count = entry.claimedWithoutResult
    if count == 0 { return [] }
    let bound = entry.last == nil ? "up to " : ""
    return [("claimed, no result", style.doubtful(bound + grouped(count)))]
  }

  private var lists: [Row] {
    let counts = entry.recipients
    let rows = [
      ("bad lines", counts.badLines), ("duplicates", counts.duplicates),
      ("suppressed", counts.suppressed), ("other shards", counts.otherShards),
    ]
    let names = stored.settings?.recipients.map(\.name.printable) ?? []
    let list: [Row] = names.isEmpty ? [] : [("recipients", names.joined(separator: ", "))]
    return list + rows.filter { $0.1 > 0 }.map { ($0.0, grouped($0.1)) }
  }

  private var figures: [Row] {
    guard let summary = stored.summary else { return [] }
    let latency = ["p50", "p95", "p99"].compactMap { name in
      summary["latency"]?[name]?.number.map { "\(name) \(milliseconds($0.double))" }
    }
    let rate = summary["pushesPerSecond"]?.number.map {
      "\(grouped(Int($0.double.rounded()))) pushes/s"
    }
    let rows: [(String, String?)] = [
      ("speed", rate), ("latency", latency.isEmpty ? nil : latency.joined(separator: ", ")),
    ]
    return rows.compactMap { row in row.1.map { (row.0, $0) } }
  }

  private var reasons: [(name: String, count: Int)] { stored.reasons }

  /// The meaning of the most frequent refusal, and its fix.
  private var advice: [String] {
    guard let name = reasons.first?.name, let reason = Reason(rawValue: name) else { return [] }
    return [""] + reason.advice(style, stored.facts)
  }

  private var way: [String] { wayOn.map { ["", "go on with  \($0)"] } ?? [] }

  private var request: [String] {
    let fields = stored.fields.map { "\($0.name.printable): \($0.value.printable)" }
    let title = stored.isTemplate ? "Template" : "Request"
    return ["", style.bold(title)]
      + (fields + ["", stored.payload.printableJSON]).map { "  " + $0 }
      .map { $0.hasSuffix("  ") ? "" : $0 }
  }
}

extension StoredRun {
  /// The figures of its last pass; nil before it has ended.
  var summary: JSON? { entry.summary.flatMap { try? JSONReader().read(Array($0.utf8)) } }

  /// Refusals of its last pass, the most frequent first.
  var reasons: [(name: String, count: Int)] {
    let members = summary?["reasons"]?.object?.members ?? []
    return members.compactMap { member in member.value.number?.int.map { (member.key, $0) } }
  }
}

extension RunSettings.Recipients {
  /// What it was called.
  var name: String {
    switch self {
    case .tokens(let tokens, let name):
      name == "--to" ? counted(tokens.count, "device token") : name
    case .list(let list): list.path == "-" ? "standard input" : list.path
    }
  }
}

extension Reason {
  /// What it means, what is most likely behind it, and what to do, as lines.
  func advice(_ style: Style, _ facts: RequestFacts) -> [String] {
    guard let info else { return [] }
    var lines = ["\(style.bold(rawValue)): \(info.meaning)"]
    if let cause = causes(of: facts).first {
      if cause.text != info.meaning { lines.append("  Most likely: \(cause.text)") }
      lines.append("  \(cause.fix)")
    }
    return lines
  }
}

extension [UInt8] {
  /// A payload on several lines; as it is when it is no JSON.
  var printableJSON: String {
    guard let json = try? JSONReader().read(self) else {
      return String(decoding: self, as: UTF8.self).printable
    }
    return json.encodedString(.pretty).split(separator: "\n", omittingEmptySubsequences: false)
      .map(\.printable).joined(separator: "\n  ")
  }
}
