internal import APNS
internal import JSONText
internal import Projects

/// A step in the form of `run --json`: whose it is and whether it is as expected, and then the
/// summary of its run.
struct StepJSON {
  let scenario: Scenario
  let report: StepReport

  /// One line.
  var line: String {
    let head: [Report.Part] = [
      .json("scenario", .text(scenario.title)), .json("file", .text(scenario.file)),
      .json("step", .number(report.step.number)), .json("stepName", .text(report.step.name)),
      .json("passed", .flag(report.verdict.isPassed)),
    ]
    let parts = head + verdict + (report.run?.summary.parts ?? [])
    return String(decoding: ReportJSON.bytes(Report(parts: parts)), as: UTF8.self)
  }

  private var verdict: [Report.Part] {
    switch report.verdict {
    case .passed: []
    case .failed(let misses): [.list("missed", misses.map(\.parts))]
    case .broken: [.json("error", .text(report.reasons.joined(separator: " ")))]
    case .notRun: [.json("notRun", .text(report.reasons.joined(separator: " ")))]
    }
  }
}

extension Miss {
  /// `{"expectation", "wanted", "got"}`
  fileprivate var parts: [Report.Part] {
    let (wanted, got): (JSON, JSON) =
      switch self {
      case .status(let wanted, let got): (.number(wanted.rawValue), Self.json(got))
      case .reason(let wanted, let got): (.text(wanted.rawValue), Self.json(got))
      case .accepted(let wanted, let got, let all):
        (.decimal(wanted), .decimal(all > 0 ? Double(got) / Double(all) : nil))
      case .latency(let wanted, let got): (.decimal(Double(wanted)), .decimal(got))
      }
    return [.json("expectation", .text(key)), .json("wanted", wanted), .json("got", got)]
  }

  /// How many lines had which answer.
  private static func json(_ counts: [Count]) -> JSON {
    JSON(
      .object(JSONObject(counts.map { JSONMember(key: $0.value.words, value: .number($0.count)) })))
  }
}
