internal import APNS
internal import Delivery
internal import PlainText
internal import Projects
internal import PushModel

// What is said of a step, in every report.
extension StepReport {
  /// Why it is no success, a line each and without colours; empty when it is one.
  var reasons: [String] {
    switch verdict {
    case .passed: []
    case .failed(let misses): interruption + misses.map(\.sentence) + shortfall + stop + skipped
    case .broken(let failure): failure.lines
    case .notRun(let obstacle): [obstacle.sentence]
    }
  }

  private var interruption: [String] {
    [.interrupted, .terminated].contains(exitCode) ? ["interrupted"] : []
  }

  /// Where nothing says what answers are to be, everything has to be accepted.
  private var shortfall: [String] {
    guard let run, step.expectation?.wantsAcceptance ?? true, run.report.exitCode != .success else {
      return []
    }
    return [run.report.summary.shortfall]
  }

  private var skipped: [String] { run?.skipped ?? [] }

  private var stop: [String] {
    run?.report.stopCause?.failure?.lines ?? []
  }

  /// `3 of 3 accepted`; nil when nothing was sent.
  var figures: String? {
    run.map { run in
      let summary = run.report.summary
      let all = summary.total + summary.recipients.badLines
      return "\(grouped(summary[.accepted])) of \(grouped(all)) accepted"
    }
  }

  /// `p99 12 ms`; nil when nothing was answered.
  var latency: String? {
    run?.report.summary.latency.percentile(0.99).map { "p99 \(milliseconds($0))" }
  }
}

extension StepReport.Obstacle {
  /// Why a step was not run.
  var sentence: String {
    switch self {
    case .step(let number): "not run: step \(number) was not as expected"
    case .interrupted: "not run: interrupted"
    }
  }
}

extension RunSummary {
  /// What became of the pushes that were not accepted.
  fileprivate var shortfall: String {
    let refusals = sortedReasons.map { "\($0.0.name.printable) (\(grouped($0.1)))" }
    let refused = reasons.values.reduce(0, +)
    let others = Outcome.allCases.filter { $0 != .accepted && $0 != .rejected && self[$0] > 0 }
      .map { "\($0.words) (\(grouped(self[$0])))" }
    let bad = recipients.badLines > 0 ? ["bad lines (\(grouped(recipients.badLines)))"] : []
    let parts = (refused > 0 ? refusals : []) + others + bad
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
  /// What was wanted, and what came.
  var sentence: String {
    switch self {
    case .status(let wanted, let got):
      "status: wanted \(wanted), got \(Self.list(got))"
    case .reason(let wanted, let got):
      "reason: wanted \(Self.word(wanted)), got \(Self.list(got))"
    case .accepted(let wanted, let got, let all):
      """
      acceptedAtLeast: wanted \(Self.percent(wanted)), got \
      \(all > 0 ? Self.percent(Double(got) / Double(all)) : "nothing") \
      (\(grouped(got)) of \(grouped(all)))
      """
    case .latency(let wanted, let got):
      """
      latencyP99Below: wanted less than \(milliseconds(Double(wanted))), got \
      \(got.map { milliseconds($0) } ?? "no answer")
      """
    }
  }

  /// The key of the expectation.
  var key: String {
    switch self {
    case .status: "status"
    case .reason: "reason"
    case .accepted: "acceptedAtLeast"
    case .latency: "latencyP99Below"
    }
  }

  private static func list(_ counts: [Count]) -> String {
    counts.map { "\($0.value.words) (\(grouped($0.count)))" }.joined(separator: ", ")
  }

  /// A reason that nobody knows may be a mistake; the set is open.
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
