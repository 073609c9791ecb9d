internal import APNS
internal import Delivery
package import JSONText
internal import PlainText
internal import PushModel
package import Reporting
internal import Runs
internal import Settings

// Texts about a step that all reports share.
extension StepReport {
  /// The reasons it did not pass, a line each and without colors; empty if it passed.
  var reasons: [String] {
    switch verdict {
    case .passed: []
    case .failed: complaints + stop
    case .broken(let failure), .invalid(let failure), .left(let failure): failure.lines
    case .skipped(let number): ["not run: step \(number) was not as expected"]
    case .interrupted: ["not run: interrupted"]
    case .notSent: ["not run: nothing is sent until every scenario is valid"]
    }
  }

  /// The reasons without the cause that stopped the run, which is told once beside them.
  var complaints: [String] {
    guard case .failed(let misses) = verdict else { return reasons }
    // An expectation that was not met tells what came instead.
    let others = misses.contains(where: \.tellsOthers) ? [] : shortfall
    return (isInterrupted ? ["interrupted"] : []) + misses.map { $0.sentence(of: run) } + others
      + (run?.skipped ?? [])
  }

  private var shortfall: [String] {
    guard let run, step.wantsAcceptance, run.report.exitCode != .success else { return [] }
    let others = run.words(for: run.report.summary.notAccepted)
    return ["not all accepted: \(others.isEmpty ? "nothing was sent" : others)"]
  }

  private var stop: [String] {
    run?.report.stopCause?.failure?.lines ?? []
  }

  /// `3 of 3`: the accepted pushes; nil if nothing was sent.
  var accepted: String? {
    run.map { run in
      let summary = run.report.summary
      return "\(grouped(summary[.accepted])) of \(grouped(summary.lines))"
    }
  }

  /// `p99 12 ms`; nil if nothing was answered.
  var latency: String? {
    run?.report.summary.latency.percentile(0.99).map { "p99 \(milliseconds($0))" }
  }
}

extension StepReport {
  /// The step in the form of `run --json`: its scenario and verdict, then the summary of its run.
  var json: JSON { Self.fields.object(of: self) }

  fileprivate static let fields: [OutputField<Self>] = [
    .always("scenario", \.scenario.title, "The scenario's name, or its file."),
    .always("file", \.scenario.file, "The scenario's file."),
    .always(
      "step", { $0.isStep ? $0.step.number : nil },
      "The step's number among the notifications, from 1; null if the file cannot be used."),
    .always("stepName", \.step.name, "The step's name."),
    .always("passed", \.isPassed, "Whether all expectations were met."),
    .sometimes("missed", \.missed, "Expectations that were not met."),
    .sometimes("why", { $0.missed == nil ? nil : $0.reasons }, "The same in sentences."),
    .sometimes(
      "error", { $0.failure == nil ? nil : $0.reasons.joined(separator: " ") },
      "Why the step could not be sent, or what was lost."),
    .sometimes(
      "problems", { report in report.failure.flatMap { $0.problems.isEmpty ? nil : $0.problems } },
      "The broken rules."),
    .sometimes(
      "notRun", { $0.isRun ? nil : $0.reasons.joined(separator: " ") }, "Why the step was not run."),
    .some(ToldFigures.fields) { $0.run?.summary.told },
  ]

  private var missed: [MissedExpectation]? {
    guard case .failed(let misses) = verdict else { return nil }
    return misses.map { MissedExpectation(missed: $0, examples: run?.examples ?? [:]) }
  }

  private var failure: Failure? {
    switch verdict {
    case .broken(let failure), .invalid(let failure), .left(let failure): failure
    case .passed, .failed, .skipped, .interrupted, .notSent: nil
    }
  }

  private var isRun: Bool {
    switch verdict {
    case .passed, .failed, .broken, .invalid, .left: true
    case .skipped, .interrupted, .notSent: false
    }
  }
}

extension Outputs {
  /// A step of a scenario, with the summary of its run.
  package static let step = StepReport.fields.keys()
}

extension ScenarioStep {
  /// The text shown during a wait: `waiting 1:30 for step 2 car is there`, truncated to `width`
  /// columns.
  func waitText(width: Int) -> String {
    let time = clockText((pauseMilliseconds + 999) / 1000)
    return String("waiting \(time) for step \(label.printable)".prefix(width))
  }
}

extension StepRun {
  /// `410 Unregistered for 1 of 5: …c6d7e8f9; skipped for 2 of 5`: the number of lines by result,
  /// with examples of their device tokens.
  fileprivate func words(for counts: [UnmetExpectation.Count]) -> String {
    let lines = grouped(report.summary.lines)
    return counts.map { count in
      let named = examples[count.value] ?? []
      let rest = count.count - named.count
      let more = rest > 0 && !named.isEmpty ? " and \(grouped(rest)) more" : ""
      return "\(count.value.words) for \(grouped(count.count)) of \(lines)"
        + (named.isEmpty ? "" : ": ") + named.joined(separator: ", ") + more
    }.joined(separator: "; ")
  }
}

extension UnmetExpectation.Came {
  /// `410 Unregistered`, `502 without a reason`, `skipped`, `bad line`
  var words: String {
    switch self {
    case .accepted: "\(Status.accepted)"
    case .answer(let status, let reason):
      "\(status) \(reason?.rawValue.printable ?? "without a reason")"
    case .outcome(let outcome): outcome.words
    case .badLine: "bad line"
    }
  }
}

extension UnmetExpectation {
  /// `status: wanted 200, got 410 Unregistered for 1 of 5: …c6d7e8f9`
  func sentence(of run: StepRun?) -> String {
    let others = run?.words(for: others) ?? ""
    let got = [facts.got.text, others].filter { !$0.isEmpty }.joined(separator: "; ")
    return "\(facts.key): wanted \(facts.wanted.text), got \(got)"
  }

  /// Its sentence tells what came that was not expected.
  var tellsOthers: Bool { !others.isEmpty }

  /// The unexpected results of lines.
  fileprivate var others: [Count] {
    switch self {
    case .status(_, let got), .reason(_, let got): got
    case .accepted(_, _, _, let others): others
    case .latency: []
    }
  }

  fileprivate typealias Fact = (text: String, json: JSON)

  /// The key, with wanted and actual values. Answers have no text here: see `others`.
  fileprivate var facts: (key: String, wanted: Fact, got: Fact) {
    switch self {
    case .status(let wanted, let got):
      (
        "status", ("\(wanted)", .number(wanted.rawValue)),
        ("", Self.counts(got) { $0.status.map { "\($0)" } })
      )
    case .reason(let wanted, let got):
      (
        "reason", (Self.word(wanted), .text(wanted.rawValue)),
        ("", Self.counts(got) { $0.reason?.rawValue ?? $0.status.map { _ in "no reason" } })
      )
    case .accepted(let wanted, let count, let all, _):
      (
        "acceptedAtLeast", (percent(wanted, decimals: 2), .decimal(wanted)),
        Self.fact(count, of: all)
      )
    case .latency(let wanted, let got):
      (
        "latencyP99Below", ("less than \(milliseconds(Double(wanted)))", .decimal(Double(wanted))),
        (got.map { milliseconds($0) } ?? "no answer", .decimal(got))
      )
    }
  }

  /// The number of lines by answer.
  ///
  /// - Parameter name: the name to count an answer by; nil if there was no answer.
  private static func counts(_ counts: [Count], by name: (Came) -> String?) -> JSON {
    var names: [String] = []
    var sums: [String: Int] = [:]
    for count in counts {
      let name = name(count.value) ?? count.value.words
      if sums[name] == nil { names.append(name) }
      sums[name, default: 0] += count.count
    }
    return names.map { JSONMember(key: $0, value: .number(sums[$0])) }.object
  }

  private static func fact(_ count: Int, of all: Int) -> Fact {
    let share = all > 0 ? Double(count) / Double(all) : nil
    let text = share.map { percent($0, decimals: 2) } ?? "nothing"
    return ("\(text) (\(grouped(count)) of \(grouped(all)))", .decimal(share))
  }

  /// A reason, with a suggestion if it is unknown: it may be mistyped, or new in an open set.
  private static func word(_ reason: Reason) -> String {
    let known = Reason.table.map(\.reason.rawValue)
    guard reason.info == nil, let near = Suggestion.near(reason.rawValue, among: known).first else {
      return reason.rawValue
    }
    return "\(reason.rawValue) (did you mean \(near)?)"
  }
}

/// An expectation that was not met, in JSON.
private struct MissedExpectation: JSONDescribed {
  let missed: UnmetExpectation
  /// Examples of device tokens by result.
  let examples: [UnmetExpectation.Came: [String]]

  static let fields: [OutputField<Self>] = [
    .always("expectation", \.missed.facts.key, "The key of the expectation."),
    .always("wanted", \.missed.facts.wanted.json, "What was expected."),
    .always("got", \.missed.facts.got.json, "What came; of status and reason, how often each did."),
    .sometimes("answers", \.answers, "What came that was not wanted."),
  ]

  private var answers: [UnexpectedAnswer]? {
    let others = missed.others
    return others.isEmpty
      ? nil : others.map { UnexpectedAnswer(came: $0, tokens: examples[$0.value] ?? []) }
  }
}

/// What came of some lines instead, with examples of their device tokens.
private struct UnexpectedAnswer: JSONDescribed {
  let came: UnmetExpectation.Count
  let tokens: [String]

  static let fields: [OutputField<Self>] = [
    .always("status", \.came.value.status?.rawValue, "The HTTP status."),
    .always("reason", \.came.value.reason?.rawValue, "The reason."),
    .always("outcome", \.other, "Without an answer: the outcome, or badLine."),
    .always("count", \.came.count, "How often it came."),
    .always("tokens", \.tokens, "The ends of up to three device tokens."),
  ]

  private var other: String? {
    switch came.value {
    case .answer: nil
    case .outcome(let outcome): outcome.rawValue
    case .badLine: "badLine"
    }
  }
}
