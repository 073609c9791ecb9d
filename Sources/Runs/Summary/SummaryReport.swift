package import APNS
package import Delivery
internal import JSONText
internal import PushModel
package import Reporting

/// The results of a run: the members of `--json`, stable, documented in docs/formats.md.
package struct SummaryReport: Sendable {
  package let report: Run.Report
  let environment: String
  /// Where it went, if a named device is for another environment; nil otherwise.
  var placeNote: String?
  /// The run's number in the history; nil when it has none.
  package var run: Int64?
  /// The number of this pass, from 1. Earlier passes count in the outcomes and the counts of lines
  /// only.
  var pass = 1
  /// Facts from the requests, for the cause of a refusal.
  let facts: RequestFacts
  /// The environments that were tried; nil when the server was certain.
  var search: EnvironmentSearch?
  /// The results file; nil without one.
  var results: String?
  /// The file lacks results, which could not be written.
  var lacksResults = false
  /// What became of the file of dead device tokens; nil without one.
  var dead: DeadTokenFigures?
  package var resumeHint: ResumeHint
  /// What made the run.
  var kind = RunKind.send
  var showsToken = false
  /// Lists every cause of a refusal, not only the likeliest, and always the connections.
  var isVerbose = false
  /// The columns of its list to print with the only push.
  var listed: [String] = []

  private var summary: RunSummary { report.summary }

  /// The text for people.
  package func text(_ style: Style) -> String { ReportText(style: style).text(of: partsForPeople) }

  /// The parts for people: the response to a single push, or the figures of many.
  var partsForPeople: [Report.Part] {
    let only = summary.recipients.lines == 1 ? report.onlyResult : nil
    return only.map(answer) ?? parts
  }

  package var parts: [Report.Part] { told.parts + Self.passFields.parts(of: self) + rest }

  /// The figures that the history does not keep.
  static let passFields: [OutputField<Self>] = [
    .sometimes(
      "thisPass", \.report.summary.inThisPass,
      "The outcomes in this pass alone, of a resumed run, as are the reasons."),
    .sometimes(
      "changedList", \.report.changedList, "The list that was written to while it was read."),
  ]

  /// The members of `--json`.
  package var told: ToldFigures {
    var told = ToldFigures(figures, of: run, reasons).with(push, search?.answers ?? [])
    told.notes = FigureNotes(
      place: placeNote, due: resumeHint.due, expired: summary.expired,
      pausedSeconds: summary.pausedSeconds,
      isVerbose: isVerbose)
    return told
  }

  /// The figures, which the history keeps.
  var figures: RunFigures {
    RunFigures(summary, unread: report.unread, environment: environment, pass: pass)
  }

  /// The reasons with their counts, the most frequent first.
  var reasons: [ReasonCount] { summary.sortedReasons.map { ReasonCount($0.0.name, $0.1) } }

  private var push: OnlyPush? {
    report.onlyResult.map { result in
      let id = report.apnsID(of: result.push)
      return OnlyPush(ResultLine(result: result, apnsID: id), listing: listed, knowing: facts)
    }
  }

  /// The way on, for people.
  var rest: [Report.Part] {
    let left: [Outcome] = [.deferred, .unknown, .notAttempted]
    let isLost = run == nil && left.contains { summary[$0] > 0 }
    let nothing = "nothing: this run is not in the history, and cannot be resumed"
    let notes =
      [unnoted].compactMap(\.self) + advice + [correction.map { StyledText($0) }].compactMap(\.self)
    return [
      .text("results", results.map { StyledText($0 + (lacksResults ? ", incomplete" : "")) }),
      .text("dead tokens", dead.map { StyledText($0.words(pass: pass)) }),
      .text("run", run.map { "\($0)" }),
      .next(correction == nil ? resumeHint.command ?? (isLost ? nothing : nil) : nil),
    ] + notes.map { .paragraph($0) }
  }

  /// The reason that stopped the run and would stop it again, because the notification or its
  /// destination is wrong; nil for any other.
  package var lastingReason: Reason? {
    guard case .breaker(let response)? = report.stopCause, let reason = response.reason,
      let info = reason.info, [.afterFix, .never].contains(info.retry)
    else { return nil }
    return reason
  }

  /// The way on after such a reason; nil where resuming is.
  var correction: String? {
    guard let reason = lastingReason, let run, let command = resumeHint.command else { return nil }
    let other: [RequestFacts.Service: RequestFacts.Service] = [
      .production: .sandbox, .sandbox: .production,
    ]
    if reason == .badDeviceToken, let place = other[facts.service] {
      return "'\(command) --env \(place.rawValue)' sends the rest to the \(place.rawValue) service."
    }
    let again =
      switch kind {
      case .send: "'fanfare send --again=\(run)' takes corrected options."
      case .scenario: "correct the scenario, and run it again."
      default: "'fanfare send' takes corrected options."
      }
    return "'\(command)' would send the rest as it was: \(again)"
  }

  /// A word on answers that would have been in doubt, had the run been killed.
  private var unnoted: StyledText? {
    report.notesFailure.map {
      """
      Answers could not be noted before they were recorded (\(systemMessage($0))). Had the run \
      been killed, those of the last 200 ms would have been in doubt.
      """
    }
  }

  /// The meaning of the most frequent refusal, and the fix.
  private var advice: [StyledText] {
    guard let reason = summary.sortedReasons.first?.0.reason, reason.info != nil else { return [] }
    return [""] + reason.advice(facts)
  }
}

extension RunSummary {
  /// Refusals, most frequent first.
  var sortedReasons: [(Refusal, Int)] {
    reasons.sorted { ($0.value, $1.key.name) > ($1.value, $0.key.name) }.map { ($0.key, $0.value) }
  }
}

extension RunSummary.Refusal {
  /// The reason, or the status without one.
  var name: String { reason?.rawValue ?? "status \(status)" }
}

extension Run.Report {
  /// The exit code for this run.
  package var exitCode: ExitCode {
    var codes: [ExitCode] = []
    if case .list = stopCause { codes.append(summary.total == 0 ? .usage : .unfinished) }
    if summary[.accepted] == 0, isConnectionFault { codes.append(.connection) }
    let isCut = stopCause == .interrupted && !hasReadAll
    if isCut || summary[.deferred] + summary[.unknown] + summary[.notAttempted] > 0 {
      codes.append(.unfinished)
    }
    let gone = gone?.count ?? 0
    if summary[.rejected] + summary[.skipped] + summary.recipients.badLines + gone > 0 {
      codes.append(.failure)
    }
    return ExitCode.merged(codes)
  }

  /// The list that was written to while it was read; nil for none.
  fileprivate var changedList: String? {
    guard case .list(let error)? = stopCause, error.fault == .changed else { return nil }
    return error.list
  }

  /// Key, network or credentials are to blame.
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
  /// The key or certificate is bad, or the clock was wrong when signing a provider token.
  fileprivate var blamesCredentials: Bool { retry == .credentials || retry == .newProviderToken }
}
