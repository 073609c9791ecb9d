internal import APNS
internal import History
internal import JSONText
internal import PlainText
internal import Projects
internal import PushModel

/// A run of the history, with what was sent: 'history show RUN'.
struct StoredRunReport {
  let stored: StoredRun
  /// The runs that have sent pushes of it again, the oldest first.
  let resentBy: [RunNumber]
  /// The command that goes on with it; nil when none does.
  let next: String?

  private var entry: RunEntry { stored.entry }
  private var record: RunRecord { stored.entry.record }

  var report: Report {
    let sent: [Report.Part] = [
      .json("resends", .number(record.resends?.rawValue)),
      .json("resentBy", JSON(.array(resentBy.map { JSON.number($0.rawValue) }))),
      .json("isTemplate", .flag(stored.isTemplate)), .json("headers", .headers(stored.fields)),
      .json("payload", .payload(stored.payload)), .json("summary", stored.summary ?? nil),
    ]
    let shown: [[Report.Part]] = [origin, outcomes, lists, figures, advice, [request], way]
    return Report(parts: entry.json + sent + shown.joined())
  }

  private var origin: [Report.Part] {
    let runs = resentBy.map(\.description).joined(separator: ", ")
    let noun = resentBy.count == 1 ? "run" : "runs"
    let rows: [(StyledText, String?)] = [
      ("resends", record.resends.map { "run \($0)" }),
      ("resent by", resentBy.isEmpty ? nil : "\(noun) \(runs)"),
      ("scenario", record.scenario), ("step", record.step.map { "\($0)" }),
      ("environment", record.environment), ("server", record.server),
      ("began", ISO8601.text(seconds: record.started / 1000)),
      ("ended", entry.ended.map { ISO8601.text(seconds: $0 / 1000) }),
    ]
    let run: [Report.Part] = [.text("run", StyledText(entry.run.description, .bold))]
    let resumed = entry.resumptions > 0 ? counted(entry.resumptions, "time") : nil
    let ending: [Report.Part] = [
      .text("state", entry.standing.map { StyledText($0, .doubtful) }),
      .text("resumed", resumed.map { StyledText($0) }),
      .text("sent by", StyledText("fanfare \(record.version)")),
    ]
    return run + rows.map { Report.Part.text($0.0, $0.1.map { StyledText($0) }) } + ending
  }

  private var outcomes: [Report.Part] {
    let shown = Outcome.allCases.filter { entry.tally[$0] > 0 || $0 == .accepted }
    let counts = shown.map { outcome in
      Report.Part.text(
        StyledText(outcome.words), StyledText(grouped(entry.tally[outcome]), outcome.tone))
    }
    let reasons = stored.reasons.map { reason in
      Report.Part.text(StyledText("  " + reason.name), StyledText(grouped(reason.count)))
    }
    return counts + reasons + doubt
  }

  private var doubt: [Report.Part] {
    let count = entry.claimedWithoutResult
    if count == 0 { return [] }
    let bound = entry.last == nil ? "up to " : ""
    return [.text("claimed, no result", StyledText(bound + grouped(count), .doubtful))]
  }

  private var lists: [Report.Part] {
    let names = stored.settings?.recipients.map(\.name) ?? []
    let counts = entry.recipients
    let rows: [(StyledText, Int)] = [
      ("bad lines", counts.badLines), ("duplicates", counts.duplicates),
      ("suppressed", counts.suppressed), ("other shards", counts.otherShards),
    ]
    let list = names.isEmpty ? nil : StyledText(names.joined(separator: ", "))
    return [.text("recipients", list)]
      + rows.map { Report.Part.text($0.0, $0.1 > 0 ? StyledText(grouped($0.1)) : nil) }
  }

  private var figures: [Report.Part] {
    let latency = ["p50", "p95", "p99"].compactMap { name in
      stored.summary?["latency"]?[name]?.number.map { "\(name) \(milliseconds($0.double))" }
    }
    let rate = stored.summary?["pushesPerSecond"]?.number?.double
    return [
      .text("speed", rate.map { StyledText("\(grouped(Int($0.rounded()))) pushes/s") }),
      .text("latency", latency.isEmpty ? nil : StyledText(latency.joined(separator: ", "))),
    ]
  }

  /// The meaning of the most frequent refusal, and its fix.
  private var advice: [Report.Part] {
    guard let name = stored.reasons.first?.name, let reason = Reason(rawValue: name) else {
      return []
    }
    return [.lines([""] + reason.advice(stored.facts))]
  }

  private var request: Report.Part {
    .section(
      stored.isTemplate ? "Template" : "Request",
      [
        .lines(
          stored.fields.map { StyledText("\($0.name): \($0.value)") } + [""]
            + stored.payload.printedJSON)
      ])
  }

  private var way: [Report.Part] { next == nil ? [] : [.lines([""]), .next(next)] }
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

extension RunInputs.Recipients {
  /// What it was called.
  var name: String {
    switch self {
    case .tokens(let tokens, let name):
      name == "--to" ? counted(tokens.count, "device token") : name
    case .list(let list): list.path == "-" ? "standard input" : list.path
    }
  }
}

extension [UInt8] {
  /// The lines of a payload; as it is when it is no JSON.
  var printedJSON: [StyledText] {
    guard let json = try? JSONReader().read(self) else {
      return [StyledText(String(decoding: self, as: UTF8.self))]
    }
    return json.encodedString(.pretty).split(separator: "\n", omittingEmptySubsequences: false)
      .map { StyledText(String($0)) }
  }
}

extension JSON {
  /// An object of header fields.
  static func headers(_ fields: [(name: String, value: String)]) -> JSON {
    JSON(.object(JSONObject(fields.map { JSONMember(key: $0.name, value: .text($0.value)) })))
  }

  /// A payload; null when it is no JSON.
  static func payload(_ bytes: [UInt8]) -> JSON { (try? JSONReader().read(bytes)) ?? nil }
}
