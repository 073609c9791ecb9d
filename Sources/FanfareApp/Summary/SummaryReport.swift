internal import APNS
internal import Delivery
internal import JSONText
internal import PlainText
internal import PushModel

/// What became of the pushes of a run: the members of `--json`, stable, documented in docs/formats.md.
struct SummaryReport: Sendable {
  let report: Run.Report
  let environment: String
  /// The run's number in the history; nil when it is not in one.
  var run: Int64?
  /// Which pass of the run this is, from 1. Those before it are in the outcomes and the counts of
  /// lines, and in nothing else.
  var pass = 1
  /// What the requests showed, for the cause of a refusal.
  let facts: RequestFacts
  /// The environments that were asked; nil when it was known where to send.
  var search: EnvironmentSearch?
  /// The file of the results; nil without one.
  var results: String?
  /// The file of dead device tokens and how many are in it; nil without one.
  var dead: (path: String, count: Int)?
  var resumeHint: ResumeHint
  var showsToken = false
  /// Whether every cause of a refusal is listed, not only the likeliest, and how many connections any
  /// run had.
  var isVerbose = false
  /// The columns of its list that are told with the only push.
  var listed: [String] = []

  private var summary: RunSummary { report.summary }

  /// What a person reads of it: of one push its answer, of many the figures.
  func text(_ style: Style) -> String {
    let only = summary.recipients.lines == 1 ? report.onlyResult : nil
    return ReportText(style: style).text(of: only.map(answer) ?? parts)
  }

  var parts: [Report.Part] {
    let notes = FigureNotes(
      due: resumeHint.due, expired: summary.expired, pausedSeconds: summary.pausedSeconds,
      isVerbose: isVerbose)
    return figures.parts(of: run, reasons, notes) + push + (search?.answers.parts ?? []) + rest
  }

  /// The figures, which the history keeps.
  var figures: RunFigures {
    RunFigures(summary, unread: report.unread, environment: environment, pass: pass)
  }

  /// The reasons with their counts, the most frequent first.
  var reasons: [ReasonCount] { summary.sortedReasons.map { ReasonCount($0.0.name, $0.1) } }

  private var push: [Report.Part] {
    guard let result = report.onlyResult else { return [] }
    return ResultLine(result: result, apnsID: report.apnsID(of: result.push), listed: listed)
      .parts(knowing: facts)
  }

  private var rest: [Report.Part] {
    let left: [Outcome] = [.deferred, .unknown, .notAttempted]
    let isLost = run == nil && left.contains { summary[$0] > 0 }
    let nothing = "nothing: this run is not in the history, and cannot be resumed"
    return [
      .text("results", results.map { StyledText($0) }),
      .text("dead tokens", dead.map { "\(grouped($0.count)) in \($0.path)" }),
      .text("run", run.map { "\($0)" }), .next(resumeHint.command ?? (isLost ? nothing : nil)),
      .lines(advice),
    ]
  }

  /// The meaning of the most frequent refusal, and its fix.
  private var advice: [StyledText] {
    guard let reason = summary.sortedReasons.first?.0.reason, reason.info != nil else { return [] }
    return [""] + reason.advice(facts)
  }
}

extension RecipientCounts {
  /// The lines that became no pushes.
  var skipped: [Report.Part] {
    [
      Self.count("bad lines", "badLines", badLines, .doubtful),
      Self.count("duplicates", "duplicates", duplicates),
      Self.count("suppressed", "suppressed", suppressed),
      Self.count("other shards", "otherShards", otherShards),
    ]
  }

  private static func count(
    _ name: StyledText, _ key: String, _ count: Int, _ tone: StyledText.Tone = .plain
  ) -> Report.Part {
    .fact(name, key, .number(count), shown: count > 0 ? StyledText(grouped(count), tone) : nil)
  }
}

extension RunSummary {
  /// Refusals, the most frequent first.
  var sortedReasons: [(Refusal, Int)] {
    reasons.sorted { ($0.value, $1.key.name) > ($1.value, $0.key.name) }.map { ($0.key, $0.value) }
  }
}

extension RunSummary.Refusal {
  /// The reason, or the status when there is none.
  var name: String { reason?.rawValue ?? "status \(status)" }
}

extension Run.Report {
  /// How the process ends after this run.
  var exitCode: ExitCode {
    var codes: [ExitCode] = []
    if case .list = stopCause { codes.append(summary.total == 0 ? .usage : .unfinished) }
    if summary[.accepted] == 0, isConnectionFault { codes.append(.connection) }
    if summary[.deferred] + summary[.unknown] + summary[.notAttempted] > 0 {
      codes.append(.unfinished)
    }
    let gone = gone?.count ?? 0
    if summary[.rejected] + summary[.skipped] + summary.recipients.badLines + gone > 0 {
      codes.append(.failure)
    }
    return ExitCode.merged(codes)
  }

  /// Whether key, network or credentials are to blame.
  private var isConnectionFault: Bool {
    switch stopCause {
    case .connecting, .connectionLost, .goodbye, .signing, .outOfDescriptors, .outOfThreads:
      true
    case .breaker(let response): response.blamesCredentials
    case .interrupted, .stopped, .list, .history: false
    case nil: onlyResult?.response?.blamesCredentials ?? false
    }
  }
}

extension Response {
  /// Whether it is the key or certificate, or the clock that a provider token was signed by.
  fileprivate var blamesCredentials: Bool { retry == .credentials || retry == .newProviderToken }
}
