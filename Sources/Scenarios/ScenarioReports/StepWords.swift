internal import APNS
internal import Delivery
internal import JSONText
internal import PlainText
internal import PushModel
internal import Reporting
internal import Sending
internal import Settings

// Texts about a step that all reports share.
extension StepReport {
  /// The reasons it did not pass, a line each and without colors; empty if it passed.
  var reasons: [String] {
    switch verdict {
    case .passed: []
    case .failed(let misses):
      (isInterrupted ? ["interrupted"] : []) + misses.map { $0.sentence(of: run) } + shortfall
        + stop + (run?.skipped ?? [])
    case .broken(let failure), .invalid(let failure), .left(let failure): failure.lines
    case .skipped(let number): ["not run: step \(number) was not as expected"]
    case .interrupted: ["not run: interrupted"]
    case .notSent: ["not run: nothing is sent until every scenario is valid"]
    }
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
  var json: JSON {
    let head: [Report.Part] = [
      .json("scenario", .text(scenario.title)), .json("file", .text(scenario.file)),
      .json("step", .number(isStep ? step.number : nil)), .json("stepName", .text(step.name)),
      .json("passed", .flag(isPassed)),
    ]
    return Report(parts: head + verdictParts + (run?.summary.parts ?? [])).json
  }

  private var verdictParts: [Report.Part] {
    let why = JSON.text(reasons.joined(separator: " "))
    return switch verdict {
    case .passed: []
    case .failed(let misses):
      [.list("missed", misses.map { $0.parts(of: run) }), .json("why", .texts(reasons))]
    case .broken(let failure), .invalid(let failure), .left(let failure):
      [.json("error", why)]
        + (failure.problems.isEmpty ? [] : [.problems(key: "problems", failure.problems)])
    case .skipped, .interrupted, .notSent: [.json("notRun", why)]
    }
  }
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

  fileprivate func parts(of run: StepRun?) -> [Report.Part] {
    let examples = run?.examples ?? [:]
    let answers = others.map { $0.parts(examples[$0.value] ?? []) }
    return [
      .json("expectation", .text(facts.key)), .json("wanted", facts.wanted.json),
      .json("got", facts.got.json),
    ] + (others.isEmpty ? [] : [.list("answers", answers)])
  }

  /// The unexpected results of lines.
  private var others: [Count] {
    switch self {
    case .status(_, let got), .reason(_, let got): got
    case .accepted(_, _, _, let others): others
    case .latency: []
    }
  }

  private typealias Fact = (text: String, json: JSON)

  /// The key, with wanted and actual values. Answers have no text here: see `others`.
  private var facts: (key: String, wanted: Fact, got: Fact) {
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
    return JSON(.object(JSONObject(names.map { JSONMember(key: $0, value: .number(sums[$0])) })))
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

extension UnmetExpectation.Count {
  /// The result of these lines in JSON, with examples of their device tokens.
  fileprivate func parts(_ tokens: [String]) -> [Report.Part] {
    let other: String? =
      switch value {
      case .answer: nil
      case .outcome(let outcome): outcome.rawValue
      case .badLine: "badLine"
      }
    return [
      .json("status", .number(value.status?.rawValue)),
      .json("reason", .text(value.reason?.rawValue)), .json("outcome", .text(other)),
      .json("count", .number(count)), .json("tokens", .texts(tokens)),
    ]
  }
}
