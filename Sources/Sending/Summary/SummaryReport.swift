internal import APNS
package import Delivery
internal import JSONText
internal import PlainText
internal import PushModel
package import Reporting
internal import Runs

/// What became of the pushes of a run: the members of `--json`, stable, documented in docs/formats.md.
package struct SummaryReport: Sendable {
  package let report: Run.Report
  let environment: String
  /// The run's number in the history; nil when it is not in one.
  package var run: Int64?
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
  package var resumeHint: ResumeHint
  var showsToken = false
  /// Whether every cause of a refusal is listed, not only the likeliest, and how many connections any
  /// run had.
  var isVerbose = false
  /// The columns of its list that are told with the only push.
  var listed: [String] = []

  private var summary: RunSummary { report.summary }

  /// The object of `--json`, on a line.
  var bytes: [UInt8] { ReportJSON.bytes(Report(parts: parts)) }

  /// What a person reads of it: of one push its answer, of many the figures.
  package func text(_ style: Style) -> String {
    let only = summary.recipients.lines == 1 ? report.onlyResult : nil
    return ReportText(style: style).text(of: only.map(answer) ?? parts)
  }

  package var parts: [Report.Part] {
    let head: [Report.Part] = [
      .json("run", .number(run)),
      .fact("environment", "environment", .text(environment)),
      .json("lines", .number(summary.recipients.lines)), .json("total", .number(summary.total)),
    ]
    return head + Outcome.allCases.flatMap(parts) + summary.recipients.skipped + coverage + reasons
      + speed
      + connections + push + asked + rest
  }

  /// An outcome, and what is to be known of it.
  private func parts(_ outcome: Outcome) -> [Report.Part] {
    let count = summary[outcome]
    let due =
      outcome == .deferred
      ? resumeHint.due.map { ", due from \(ISO8601.text(seconds: $0 / 1000))" } : nil
    let shown: StyledText? =
      count > 0 || outcome == .accepted ? "\(grouped(count), outcome.tone)\(due ?? "")" : nil
    let expired = outcome == .skipped && summary.expired > 0 ? summary.expired : nil
    return [
      .fact(StyledText(outcome.words), outcome.rawValue, .number(count), shown: shown),
      .text("  expired before they were sent", expired.map { ofThisPass("\(grouped($0))") }),
    ]
  }

  /// How far the lists were read, and in which pass.
  private var coverage: [Report.Part] {
    let unread = report.unread
    return [
      .fact(
        "not read", "unread", unread?.json ?? nil,
        shown: unread.map { StyledText($0.words, .doubtful) }),
      .json("pass", .number(pass)),
    ]
  }

  /// A figure of this pass, labelled so where others are of the whole run.
  func ofThisPass(_ figure: StyledText) -> StyledText {
    pass == 1 ? figure : "\(figure) in this pass"
  }

  private var reasons: [Report.Part] {
    let reasons = summary.sortedReasons
    return [
      .text("reasons", reasons.isEmpty ? nil : pass == 1 ? "" : "in this pass"),
      .object("reasons", reasons.map { .fact("  \($0.0.name)", $0.0.name, .number($0.1)) }),
    ]
  }

  private var speed: [Report.Part] {
    let rate = grouped(Int(summary.pushesPerSecond.rounded()))
    let time = fixed(summary.seconds, decimals: 2)
    let pause = "\(fixed(summary.pausedSeconds, decimals: 2)) s"
    let shares = summary.latency.percentiles
    let latency = shares.compactMap { name, value in value.map { "\(name) \(milliseconds($0))" } }
    return [
      .fact(
        "sent twice?", "resentInDoubt", .number(summary.resentInDoubt),
        shown: summary.resentInDoubt > 0
          ? ofThisPass("\("at most \(grouped(summary.resentInDoubt))", .doubtful)") : nil),
      .json("seconds", .decimal(summary.seconds)),
      .fact(
        "speed", "pushesPerSecond", .decimal(summary.pushesPerSecond),
        shown: summary.total > 0 ? ofThisPass("\(rate) pushes/s over \(time) s") : nil),
      .text(
        "paused", summary.pausedSeconds >= 0.01 ? ofThisPass("\(pause), for Retry-After") : nil),
      .text("latency", latency.isEmpty ? nil : ofThisPass("\(latency.joined(separator: ", "))")),
      .object("latency", shares.map { .json($0.name, .decimal($0.value)) }),
    ]
  }

  /// The only push of the run, for programs, and what most likely caused its refusal.
  private var push: [Report.Part] {
    guard let result = report.onlyResult else { return [] }
    let line = ResultLine(
      result: result, apnsID: report.apnsID(of: result.push), listed: listed)
    let cause = result.response?.reason?.causes(of: facts).first
    return [.object("push", line.parts)]
      + (cause.map { [.json("cause", ["message": .text($0.text), "fix": .text($0.fix)])] } ?? [])
  }

  private var asked: [Report.Part] {
    guard let search else { return [] }
    let attempts = search.attempts.map { attempt -> [Report.Part] in
      [
        .json("environment", .text(attempt.environment.name)),
        .json("status", .number(attempt.response?.status.rawValue)),
        .json("reason", .text(attempt.reason?.rawValue)),
      ]
    }
    return [.list("asked", attempts)]
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
  package var exitCode: ExitCode {
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
