internal import APNS
internal import Diagnosis
internal import HTTP2
internal import JSONText
internal import Reporting

/// A diagnosis as a report, in parts: people see each step as soon as it is done.
struct DoctorReport {
  private static let nameWidth = DiagnosisStep.allCases.map(\.name.count).max() ?? 0

  let plan: DiagnosisPlan

  init(_ plan: DiagnosisPlan) { self.plan = plan }

  /// The whole report: an object, documented in docs/formats.md.
  func report(_ diagnosis: DiagnosisReport) -> Report {
    Checklist(verdict: diagnosis.verdict, steps: diagnosis.findings.map(checked))
      .report(head, Self.list, conclusion(diagnosis))
  }

  private static let list = Checklist.fields(
    DiagnosisStep.allCases.map(\.rawValue), [.ok, .warning, .broken, .skipped, .notReached],
    "The twelve steps, in order.")

  private static let place: [OutputField<DiagnosisPlan>] = [
    .people {
      let (name, url) = ($0.environment.name, $0.url)
      let place = name == url ? url : "\(name), \(url)"
      return [.lines(["\("fanfare doctor: \(place)", .bold)", ""])]
    }, .always("environment", \.environment.name, "Where the doctor looked."),
    .always("server", \.url, "The server's URL."),
  ]

  static let shape = JSONShape.object(place.keys() + list.keys())

  var head: [Report.Part] { Self.place.parts(of: plan) }

  func step(_ finding: DiagnosisFinding) -> [Report.Part] { checked(finding).parts }

  private func checked(_ finding: DiagnosisFinding) -> CheckedStep {
    CheckedStep(
      id: finding.step.rawValue, number: finding.step.number, name: name(of: finding.step),
      verdict: finding.verdict, text: finding.text(plan), nameWidth: Self.nameWidth)
  }

  private func name(of step: DiagnosisStep) -> String {
    step == .push && plan.testsChannels ? "channels" : step.name
  }

  func conclusion(_ diagnosis: DiagnosisReport) -> [Report.Part] {
    [.lines([""]), .paragraph("\(sentence(diagnosis), .bold)")]
  }

  private func sentence(_ diagnosis: DiagnosisReport) -> String {
    if let broken = diagnosis.findings.first(where: { $0.verdict == .broken }) {
      return "Step \(broken.step.number), \(name(of: broken.step)), is broken."
    }
    let push = diagnosis.findings.first { $0.step == .push }
    let proven =
      switch push?.verdict {
      case .ok?: "Every step works, from the credentials to the answer from APNs."
      case .skipped?: "The network works; the credentials were not tested."
      default: "No step is broken."
      }
    let count = diagnosis.findings.count { $0.verdict == .warning }
    return count == 0 ? proven : "\(proven) \(counted(count, "warning"))."
  }
}

extension DiagnosisStep {
  /// The name for people.
  var name: String {
    switch self {
    case .credentials: "credentials"
    case .identifiers: "IDs"
    case .clock: "clock"
    case .dns: "DNS"
    case .addressFamilies: "IPv4 and IPv6"
    case .tcp: "TCP"
    case .proxy: "proxy"
    case .tls: "TLS"
    case .alpn: "ALPN"
    case .settings: "HTTP/2 SETTINGS"
    case .push: "test push"
    case .serverClock: "server's clock"
    }
  }
}

extension DiagnosisPlan {
  fileprivate var url: String { "https://\(target.authority)" }
}

/// A line of a checklist: the step, its verdict, and what to do.
struct CheckedStep {
  /// The name in JSON.
  let id: String
  let number: Int
  /// The name for people.
  let name: String
  let verdict: DiagnosisVerdict
  /// Nil when the step was not reached.
  let text: StepText?
  /// The columns that the longest name of the checklist takes.
  let nameWidth: Int

  fileprivate static func fields(
    _ names: [String], _ verdicts: [DiagnosisVerdict]
  ) -> [OutputField<Self>] {
    [
      .always("step", \.id, "The step.", .word(names)),
      .always("verdict", \.verdict.rawValue, "How it went.", .word(verdicts.map(\.rawValue))),
      .always("text", \.text?.sentence, "What was found, for people."),
      .people { [.fact($0.line)] },
      .always("evidence", \.text?.evidence, "What was found.", .orNull(.map(.anything))),
      .fix({ $0.verdict == .ok ? nil : $0.text?.fix }, "What to do, for people."),
    ]
  }

  /// The step as people see it while the doctor is at work.
  var parts: [Report.Part] { [.fact(line), .fix(verdict == .ok ? nil : text?.fix)] }

  private var line: Report.Fact {
    let title = "\("\(number)".padding(left: 2))  \(name.padding(to: nameWidth))"
    return Report.Fact(
      name: StyledText(title), shown: StyledText(text?.sentence ?? ""), mark: verdict.mark)
  }
}

/// A checklist: an object, documented in docs/formats.md.
struct Checklist {
  let verdict: DiagnosisVerdict
  let steps: [CheckedStep]

  /// - Parameters:
  ///   - names: the names of all steps in JSON.
  ///   - verdicts: the verdicts that a step may have.
  ///   - meaning: the meaning of the list of steps.
  static func fields(
    _ names: [String], _ verdicts: [DiagnosisVerdict], _ meaning: String
  ) -> [OutputField<Self>] {
    [
      .always(
        "verdict", \.verdict.rawValue, "The worst verdict of a step.",
        .word(["ok", "warning", "broken"])),
      .list("steps", \.steps, meaning, CheckedStep.fields(names, verdicts)),
    ]
  }

  /// The report, with parts before and after the list.
  func report(
    _ head: [Report.Part], _ fields: [OutputField<Self>], _ conclusion: [Report.Part]
  ) -> Report {
    Report(
      parts: head + fields.parts(of: self) + conclusion, form: .object,
      exitCode: verdict == .broken ? .connection : .success)
  }
}

extension DiagnosisVerdict {
  fileprivate var mark: Report.Mark {
    switch self {
    case .ok: .ok
    case .warning: .warning
    case .broken: .broken
    case .skipped: .skipped
    case .notReached: .notReached
    }
  }
}
