internal import APNS
internal import History
package import JSONText
internal import PushModel
package import Reporting
internal import Runs

/// A run of the history and its notification: 'history show RUN'.
struct StoredRunReport {
  /// The maximum number of skipped pushes shown.
  static let mostSkipped = 10

  let stored: StoredRun
  /// The reasons of its last pass with their counts, the most frequent first.
  var reasons: [ReasonCount] = []
  /// The reasons of all that stands in the history of it, the most frequent first.
  var allReasons: [ReasonCount] = []
  /// The answers of the environments that were asked for its device token.
  var asked: [EnvironmentAnswer] = []
  /// The only push of it; nil when there are more.
  var only: DescribedPush?
  /// The first skipped pushes.
  let skipped: [DescribedPush]
  /// The runs that sent pushes of this one again, oldest first.
  let resentBy: Resends
  var showsToken = false
  /// The command that continues the run; nil if there is none.
  let next: String?
  /// The queue's view of the run; nil if it was never queued.
  var queue: QueueReport?

  private var entry: RunEntry { stored.entry }
  private var record: RunRecord { stored.entry.record }

  var report: Report { Report(parts: Self.fields.parts(of: self)) }

  fileprivate static let fields: [OutputField<Self>] = [
    .all(RunEntry.origin + RunEntry.outcomes) { $0.entry }, .people { $0.details },
    .all([RunEntry.lines]) { $0.entry },
    .always("unread", \.entry.unread, "What of its lists was not read.", as: "not read") {
      let isLost = $0.entry.state == .finished
      return $0.entry.unread.map {
        StyledText($0.words + (isLost ? "; this run cannot reach them" : ""), .doubtful)
      }
    },
    .always(
      "resends", \.record.resends?.rawValue, "The run whose pushes it sends again.", as: "resends"
    ) { $0.record.resends.map { "run \($0)" } },
    .all(Resends.fields) { $0.resentBy },
    .always("isTemplate", \.stored.isTemplate, "Whether rows filled the payload's placeholders."),
    .always(
      "headers", { JSON.headers($0.stored.fields) },
      "The header fields, without the provider token.", .map(.text)),
    .always("payload", { JSON.payload($0.stored.payload) }, "The payload, or the template."),
    .always(
      "summary", \.summary, "The summary of its last pass.", .orNull(.object(Outputs.figures))),
    .sometimes("queue", \.queue, "What workers do, of a run that was enqueued."),
    .people {
      [
        $0.queue?.facts ?? [], $0.figures, $0.advice, $0.queue?.tables ?? [], $0.skippedRows,
        $0.shown, $0.way,
      ].flatMap(\.self)
    },
  ]

  /// The only push, refusals, pushes in doubt, and lists, for people only.
  private var details: [Report.Part] {
    let count = entry.claimedWithoutResult
    let bound = entry.last == nil ? "up to " : ""
    let doubt = count == 0 ? nil : StyledText(bound + grouped(count), .doubtful)
    let sources = only == nil ? stored.settings?.recipients ?? [] : []
    let lists = sources.map(\.name).joined(separator: ", ")
    return onlyOne + refusals
      + [
        .text("claimed, no result", doubt),
        .text("recipients", lists.isEmpty ? nil : StyledText(lists)),
      ]
  }

  private var onlyOne: [Report.Part] {
    guard let push = only?.entry else { return [] }
    let recipient = push.recipient(showsToken: showsToken)
    let place = push.list == "--to" || push.channel != nil ? "" : " (\(push.list):\(push.line))"
    return [
      .text("answer", push.response == nil ? nil : StyledText(push.answer)),
      .text("recipient", .verbatim(recipient + place)),
      .text("apns-id", .verbatim(push.apnsID.description)),
    ]
  }

  private var refusals: [Report.Part] {
    if allReasons.isEmpty { return [] }
    return [.text("reasons", "")]
      + allReasons.map { .text(StyledText("  " + $0.name), StyledText(grouped($0.count))) }
  }

  /// The summary of its last pass, as it was printed; null before one has ended.
  private var summary: JSON {
    guard let figures = entry.figures else { return nil }
    let only = figures.outcomes.total == 1 ? only : nil
    var facts = stored.facts(of: only?.entry)
    // Once both environments were asked, the wrong one is not the cause.
    if asked.count > 1 { facts.service = .both }
    let push = only.map { push in
      OnlyPush(
        ResultLine(result: push, apnsID: push.entry.apnsID), listing: push.facts.columns,
        knowing: facts)
    }
    return ToldFigures(figures, of: entry.run.rawValue, reasons).with(push, asked).jsonValue
  }

  private var figures: [Report.Part] {
    let note = stored.passNote.map { " \($0)" } ?? ""
    let rate = entry.figures.map { grouped(Int($0.pushesPerSecond.rounded())) }
    let latency = entry.figures?.latencyWords
    return [
      .text("speed", rate.map { StyledText("\($0) pushes/s\(note)") }),
      .text("latency", latency.map { StyledText($0 + note) }),
    ]
  }

  private var advice: [Report.Part] {
    guard let name = allReasons.first?.name, let reason = Reason(rawValue: name) else {
      return []
    }
    return ([""] + reason.advice(stored.facts())).map { .paragraph($0) }
  }

  /// The reasons rows were skipped, for people only.
  private var skippedRows: [Report.Part] {
    if skipped.isEmpty { return [] }
    let lines = skipped.map { push -> StyledText in
      "\(push.list):\(push.line)  \(push.skippedFor.joined(separator: " "))"
    }
    let rest = entry.completeTally[.skipped] - skipped.count
    let command = "fanfare history list \(entry.run) --outcome skipped --limit 0"
    let more: [StyledText] = rest > 0 ? ["and \(grouped(rest)) more: '\(command)'"] : []
    return [.section("Skipped", [.lines(lines + more)])]
  }

  private var shown: [Report.Part] {
    let fields = stored.fields.map { StyledText("\($0.name): \($0.value)") }
    return [
      .section(
        stored.isTemplate ? "Template" : "Request",
        [.lines(fields + [""] + stored.payload.printedJSON)])
    ]
  }

  private var way: [Report.Part] { next == nil ? [] : [.lines([""]), .next(next)] }
}

extension StoredRun {
  /// The pass that its figures are of; nil for a run that was never resumed, where they are of the run.
  var passNote: String? {
    guard entry.resumptions > 0 else { return nil }
    return entry.figures.map { "in pass \($0.pass)" }
  }
}

extension RunInputs.Recipients {
  var name: String {
    switch self {
    case .tokens(let tokens, let name):
      name == "--to" ? counted(tokens.count, "device token") : name
    case .channel(let id, _): "channel \(id)"
    case .list(let list): list.path == "-" ? "standard input" : list.path
    }
  }
}

extension [UInt8] {
  /// The lines of a payload; unchanged if it is not JSON.
  var printedJSON: [StyledText] {
    guard let json = try? JSONReader().read(self) else {
      return [StyledText(String(decoding: self, as: UTF8.self))]
    }
    return json.encodedString(.pretty).split(separator: "\n", omittingEmptySubsequences: false)
      .map { StyledText(String($0)) }
  }
}

extension Outputs {
  /// A run and its notification: `history show RUN`.
  package static let shownRun = StoredRunReport.fields.keys()
}
