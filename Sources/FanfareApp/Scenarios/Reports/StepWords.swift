internal import APNS
internal import Delivery
internal import JSONText
internal import PlainText
internal import Projects
internal import PushModel

// What is said of a step, in every report.
extension StepReport {
  /// Why it did not pass, a line each and without colors; empty when it did.
  var reasons: [String] {
    switch verdict {
    case .passed: []
    case .failed(let misses):
      (isInterrupted ? ["interrupted"] : []) + misses.map(\.sentence) + shortfall + stop
        + (run?.skipped ?? [])
    case .broken(let failure): failure.lines
    case .skipped(let number): ["not run: step \(number) was not as expected"]
    case .interrupted: ["not run: interrupted"]
    }
  }

  private var shortfall: [String] {
    guard let run, step.wantsAcceptance, run.report.exitCode != .success else { return [] }
    return [run.report.summary.shortfall]
  }

  private var stop: [String] {
    run?.report.stopCause?.failure?.lines ?? []
  }

  /// `3 of 3`, the pushes that were accepted; nil when nothing was sent.
  var accepted: String? {
    run.map { run in
      let summary = run.report.summary
      let all = summary.total + summary.recipients.badLines
      return "\(grouped(summary[.accepted])) of \(grouped(all))"
    }
  }

  /// `p99 12 ms`; nil when nothing was answered.
  var latency: String? {
    run?.report.summary.latency.percentile(0.99).map { "p99 \(milliseconds($0))" }
  }
}

extension StepReport {
  /// The step in the form of `run --json`: whose it is and whether it is as expected, and then the
  /// summary of its run.
  var json: JSON {
    let head: [Report.Part] = [
      .json("scenario", .text(scenario.title)), .json("file", .text(scenario.file)),
      .json("step", .number(step.number)), .json("stepName", .text(step.name)),
      .json("passed", .flag(isPassed)),
    ]
    return Report(parts: head + verdictParts + (run?.summary.parts ?? [])).json
  }

  private var verdictParts: [Report.Part] {
    let why = JSON.text(reasons.joined(separator: " "))
    return switch verdict {
    case .passed: []
    case .failed(let misses): [.list("missed", misses.map(\.parts))]
    case .broken: [.json("error", why)]
    case .skipped, .interrupted: [.json("notRun", why)]
    }
  }
}

extension ScenarioStep {
  /// What is shown while a scenario waits: `waiting 1:30 for step 2 car is there`, at most so many
  /// columns.
  func waitText(width: Int) -> String {
    let time = clockText((pauseMilliseconds + 999) / 1000)
    return String("waiting \(time) for step \(label.printable)".prefix(width))
  }
}

extension RunSummary {
  fileprivate var shortfall: String {
    let others = Outcome.allCases.filter { $0 != .accepted && $0 != .rejected }
    let causes =
      sortedReasons.map { ($0.0.name.printable, $0.1) } + others.map { ($0.words, self[$0]) }
      + [("bad lines", recipients.badLines)]
    let parts = causes.filter { $0.1 > 0 }.map { "\($0.0) (\(grouped($0.1)))" }
    return "not all accepted: "
      + (parts.isEmpty ? "nothing was sent" : parts.joined(separator: ", "))
  }
}

extension Miss.Came {
  /// `410`, `Unregistered`, `no reason`, `skipped`, `bad line`
  var words: String {
    switch self {
    case .status(let status): "\(status)"
    case .reason(let reason): reason.rawValue
    case .noReason: "no reason"
    case .outcome(let outcome): outcome.words
    case .badLine: "bad line"
    }
  }
}

extension Miss {
  var sentence: String { "\(facts.key): wanted \(facts.wanted.text), got \(facts.got.text)" }

  fileprivate var parts: [Report.Part] {
    [
      .json("expectation", .text(facts.key)), .json("wanted", facts.wanted.json),
      .json("got", facts.got.json),
    ]
  }

  private typealias Fact = (text: String, json: JSON)

  /// The key of the expectation, and both in words and in JSON.
  private var facts: (key: String, wanted: Fact, got: Fact) {
    switch self {
    case .status(let wanted, let got):
      ("status", ("\(wanted)", .number(wanted.rawValue)), Self.fact(got))
    case .reason(let wanted, let got):
      ("reason", (Self.word(wanted), .text(wanted.rawValue)), Self.fact(got))
    case .accepted(let wanted, let count, let all):
      ("acceptedAtLeast", (Self.percent(wanted), .decimal(wanted)), Self.fact(count, of: all))
    case .latency(let wanted, let got):
      (
        "latencyP99Below", ("less than \(milliseconds(Double(wanted)))", .decimal(Double(wanted))),
        (got.map { milliseconds($0) } ?? "no answer", .decimal(got))
      )
    }
  }

  /// How many lines had which answer.
  private static func fact(_ counts: [Count]) -> Fact {
    let members = counts.map { JSONMember(key: $0.value.words, value: .number($0.count)) }
    return (
      counts.map { "\($0.value.words) (\(grouped($0.count)))" }.joined(separator: ", "),
      JSON(.object(JSONObject(members)))
    )
  }

  private static func fact(_ count: Int, of all: Int) -> Fact {
    let share = all > 0 ? Double(count) / Double(all) : nil
    let text = share.map(percent) ?? "nothing"
    return ("\(text) (\(grouped(count)) of \(grouped(all)))", .decimal(share))
  }

  /// An unknown reason may be a mistake, or new: the set is open.
  private static func word(_ reason: Reason) -> String {
    let known = Reason.table.map(\.reason.rawValue)
    guard reason.info == nil, let near = Suggestion.near(reason.rawValue, among: known).first else {
      return reason.rawValue
    }
    return "\(reason.rawValue) (did you mean \(near)?)"
  }

  /// With as many decimals as tell it from the next.
  private static func percent(_ share: Double) -> String {
    var text = fixed(share * 100, decimals: 2)
    while text.hasSuffix("0") { text.removeLast() }
    return (text.hasSuffix(".") ? String(text.dropLast()) : text) + " %"
  }
}
